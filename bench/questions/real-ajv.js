'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion(
  'ajv',
  'JSON of 5 000 rows checked by ajv, 4 times',
);
