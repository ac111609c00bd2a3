'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion(
  'jpeg',
  'An image of 256 × 256 to JPEG and back (jpeg-js)',
);
