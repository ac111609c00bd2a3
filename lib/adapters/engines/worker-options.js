'use strict';

/** The options of pools of message workers. */
const WORKER_OPTIONS = ['runtime', 'keepAlive', 'memoryLimitMb'];

module.exports = { WORKER_OPTIONS };
