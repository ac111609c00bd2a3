'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion('minify', 'A file of 8 KB minified by terser');
