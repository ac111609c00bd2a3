'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion(
  'zip',
  'Log of 470 KB zipped and unzipped (fflate)',
);
