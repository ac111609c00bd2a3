'use strict';

const { Code } = require('../../protocol/diagnostics.gen.js');
const { SloppyWorkerError } = require('../../protocol/sloppy-worker-error.js');

const BUSY = 5;
const LOCKED = 6;

/** Advice by SQLite's primary result code. */
const REASONS = {
  5: 'another process holds its write lock',
  8: 'it cannot be written to',
  10: 'reading or writing it failed',
  11: 'it is damaged',
  13: 'the disk or the database is full',
  14: 'it cannot be opened',
  26: 'it is no SQLite database',
};
const BY_NAME = {
  SQLITE_BUSY: BUSY,
  SQLITE_LOCKED: LOCKED,
  SQLITE_READONLY: 8,
  SQLITE_IOERR: 10,
  SQLITE_CORRUPT: 11,
  SQLITE_FULL: 13,
  SQLITE_CANTOPEN: 14,
  SQLITE_NOTADB: 26,
};

/** `errcode` is set by node:sqlite, a text in `code` by better-sqlite3. */
function resultCodeOf(error) {
  if (Number.isInteger(error?.errcode)) return error.errcode & 0xff;
  const name = String(error?.code).split('_').slice(0, 2).join('_');
  return BY_NAME[name];
}

/** Whether the error is SQLite's, not one of the caller's code. */
const isStoreError = (error) =>
  error?.code === 'ERR_SQLITE_ERROR' || /^SQLITE_/.test(error?.code);

const isBusy = (error) =>
  isStoreError(error) && [BUSY, LOCKED].includes(resultCodeOf(error));

/**
 * @param {string} file
 * @param {string} reason
 * @param {unknown} [cause]
 */
function storeFailed(file, reason, cause) {
  const text = `the durable queue's file ${file}: ${reason}`;
  return new SloppyWorkerError(Code.DurableStoreFailed, text, { cause });
}

/**
 * @returns {unknown} an error of ours for one of SQLite's; any other unchanged
 */
function translate(file, error) {
  if (!isStoreError(error)) return error;
  const reason = REASONS[resultCodeOf(error)] ?? error.message;
  return storeFailed(file, reason, error);
}

module.exports = { isBusy, isStoreError, storeFailed, translate };
