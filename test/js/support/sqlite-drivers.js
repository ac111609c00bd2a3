'use strict';

const { isBuiltin } = require('node:module');

/** The SQLite libraries of this Node, by the names of the option `driver`. */
const drivers = [];
if (isBuiltin('node:sqlite')) drivers.push('node');
try {
  require('better-sqlite3');
  drivers.push('better-sqlite3');
} catch {}

/** The tests for each driver; there is nothing to test without any SQLite. */
const withDriver =
  drivers.length > 0 ? describe.each(drivers) : describe.skip.each(['none']);

module.exports = { drivers, withDriver };
