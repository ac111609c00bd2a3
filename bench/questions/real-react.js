'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion(
  'react',
  'A table of 1 500 rows by React (renderToString)',
);
