'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion('words', 'Words of a text, counted');
