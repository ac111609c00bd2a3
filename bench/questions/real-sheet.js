'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion(
  'sheet',
  'A spreadsheet of 1 000 rows written and read (xlsx)',
);
