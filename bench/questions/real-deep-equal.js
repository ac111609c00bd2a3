'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion(
  'deepEqual',
  'two trees of 5 MB compared by isDeepStrictEqual',
);
