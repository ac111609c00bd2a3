'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion(
  'markdown',
  'Markdown of 170 KB to HTML (marked)',
);
