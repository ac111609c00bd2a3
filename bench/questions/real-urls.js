'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion('urls', '10 000 URLs');
