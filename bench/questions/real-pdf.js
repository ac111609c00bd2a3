'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion('pdf', 'A PDF of 20 pages (pdf-lib)');
