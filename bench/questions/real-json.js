'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion(
  'json',
  'JSON of 1 MB parsed and written, 4 times',
);
