'use strict';

const path = require('node:path');

const { refuseMistaken } = require('../../options/mistaken-options.js');
const { timerMs } = require('../../base/timer-ms.js');
const {
  DEFAULT_RUNTIME,
  prepareRuntime,
} = require('../../message-worker/message-worker.js');
const { SETTINGS, workerSettings } = require('../engines/worker-options.js');

const KNOWN = [
  'poolSize',
  'maxPoolSize',
  'handlersByMessageType',
  'maxQueueLength',
  'maxQLength',
  'overflow',
  'logging',
  'exitOnStop',
  'handlerTimeout',
  'QBackup',
  'onStartup',
  'stopTimeout',
  'keepAlive',
  'workerInactivityCheckInterval',
  'workerInactivityLimit',
  ...SETTINGS,
];
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const WORKERS = {
  isolate: path.join(__dirname, 'worker-isolate.gen.mjs'),
  thread: path.join(__dirname, 'worker-entry.mjs'),
};

/**
 * The constructor's options with their defaults, in milliseconds. The caller's
 * object is only read.
 *
 * @param {object} [given]
 */
function normaliseOptions(given) {
  const options = given ?? {};
  refuseMistaken('QOper8', options, KNOWN);
  prepareRuntime(options.runtime);
  const maxPoolSize = +options.maxPoolSize || 32;
  return {
    poolSize: Math.max(1, Math.min(+options.poolSize || 1, maxPoolSize)),
    maxPoolSize,
    maxQueued: +options.maxQueueLength || +options.maxQLength || 20_000,
    rejectOverflow: options.overflow === 'reject',
    handlerTimeoutMs: timerMs(+options.handlerTimeout || 0),
    checkIntervalMs: timerMs(
      (+options.workerInactivityCheckInterval || 60) * SECOND,
    ),
    inactivityLimitMs: (+options.workerInactivityLimit || 20) * MINUTE,
    stopTimeoutMs: stopTimeout(options),
    onStartup: options.onStartup?.module ? options.onStartup : undefined,
    backup: options.QBackup || undefined,
    exitOnStop: Boolean(options.exitOnStop),
    keepAlive: Boolean(options.keepAlive),
    worker: {
      ...workerSettings(options),
      module: WORKERS[options.runtime ?? DEFAULT_RUNTIME],
      inBatches: true,
    },
  };
}

// A handler that has a time limit of its own may use all of it.
function stopTimeout({ stopTimeout: given, handlerTimeout }) {
  if (given !== undefined) return +given;
  return Math.max(5 * SECOND, (+handlerTimeout || 0) + SECOND);
}

module.exports = { normaliseOptions };
