'use strict';

const path = require('node:path');
const { fileURLToPath } = require('node:url');

const { checkNumber, readOptions } = require('../engines/read-options.js');
const { positiveInteger } = require('../../base/validate.js');

const KNOWN = ['file', 'synchronous', 'driver', 'pollMs', 'busyTimeoutMs'];
const ONE_OF = {
  synchronous: ['full', 'normal'],
  driver: ['node', 'better-sqlite3'],
};
const POLL_MS = 50;
const BUSY_TIMEOUT_MS = 10_000;

function checkOneOf(name, value) {
  if (value === undefined || ONE_OF[name].includes(value)) return value;
  throw new TypeError(
    `connection.${name} must be one of ${ONE_OF[name].join(', ')}.`,
  );
}

function pathOfUrl(url) {
  try {
    return fileURLToPath(url);
  } catch {
    throw new TypeError('connection.file must be a path or a URL of a file.');
  }
}

function pathOf(file) {
  if (file instanceof URL) return pathOfUrl(file);
  if (typeof file !== 'string' || file === '') {
    throw new TypeError(
      "connection.file must be a path: connection: { file: 'jobs.db' }.",
    );
  }
  if (file.startsWith('file://')) return pathOfUrl(file);
  if (file.startsWith('file:') || file.includes('\0')) {
    throw new TypeError(
      'connection.file must be a path, or a URL that begins with file://.',
    );
  }
  if (file.startsWith(':')) {
    throw new TypeError(
      'connection.file must be a path: a database in memory would lose jobs.',
    );
  }
  return path.resolve(file);
}

/**
 * @param {unknown} given `connection` of BullMQ's classes
 * @returns {object} frozen; `driver` is undefined unless it is given
 * @throws {TypeError}
 */
function readConnection(given) {
  const options = readOptions(
    'connection',
    given,
    KNOWN,
    ' A server is for a backend of bullmq: import { Queue, Worker } from it.',
  );
  return Object.freeze({
    file: pathOf(options.file),
    synchronous: checkOneOf('synchronous', options.synchronous) ?? 'full',
    driver: checkOneOf('driver', options.driver),
    pollMs: positiveInteger('connection.pollMs', options.pollMs, POLL_MS),
    busyTimeoutMs:
      checkNumber('connection', 'busyTimeoutMs', options.busyTimeoutMs) ??
      BUSY_TIMEOUT_MS,
  });
}

module.exports = { readConnection };
