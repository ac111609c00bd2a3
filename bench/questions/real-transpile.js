'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion(
  'transpile',
  'A file of 60 KB transpiled by TypeScript',
);
