'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion(
  'parseScript',
  'JavaScript of 150 KB parsed (acorn)',
);
