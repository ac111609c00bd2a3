'use strict';

/** Modules of Node that have no name without `node:`. */
const PREFIX_ONLY = ['ffi', 'sea', 'sqlite', 'test', 'test/reporters'];

module.exports = { PREFIX_ONLY };
