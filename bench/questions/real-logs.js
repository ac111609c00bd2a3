'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion(
  'logs',
  'Log of 30 000 lines by a regular expression',
);
