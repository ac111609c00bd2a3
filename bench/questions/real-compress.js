'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion(
  'compress',
  'Log of 470 KB deflated and inflated (pako)',
);
