'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion(
  'sql',
  '5 000 rows in SQLite, grouped (sql.js, WebAssembly)',
);
