'use strict';
// Options of each worker that adapters over message workers take from callers.

const SETTINGS = ['runtime', 'memoryLimitMb'];

/** The options of pools of message workers. */
const WORKER_OPTIONS = ['keepAlive', ...SETTINGS];

/** @returns {object} the part of an adapter's options that its workers take */
const workerSettings = (options) =>
  Object.fromEntries(SETTINGS.map((name) => [name, options[name]]));

module.exports = { SETTINGS, WORKER_OPTIONS, workerSettings };
