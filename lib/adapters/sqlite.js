'use strict';

const { createSqliteBackend } = require('./sqlite/backend.js');

module.exports = { createSqliteBackend };
