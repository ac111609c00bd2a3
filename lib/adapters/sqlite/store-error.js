'use strict';

const { Code } = require('../../protocol/diagnostics.gen.js');
const { SloppyWorkerError } = require('../../protocol/sloppy-worker-error.js');

/** SQLite's primary result codes that concern the file, with what to tell. */
const REASONS = {
  5: 'another process holds its write lock',
  6: 'another connection holds a lock of it',
  7: 'there is no memory for it',
  8: 'it cannot be written to',
  10: 'reading or writing it failed',
  11: 'it is damaged',
  13: 'the disk or the database is full',
  14: 'it cannot be opened',
  15: 'its locks do not work here',
  26: 'it is no SQLite database',
};
const BY_NAME = {
  SQLITE_BUSY: 5,
  SQLITE_LOCKED: 6,
  SQLITE_NOMEM: 7,
  SQLITE_READONLY: 8,
  SQLITE_IOERR: 10,
  SQLITE_CORRUPT: 11,
  SQLITE_FULL: 13,
  SQLITE_CANTOPEN: 14,
  SQLITE_PROTOCOL: 15,
  SQLITE_NOTADB: 26,
};
const BUSY = [5, 6];
/** Busy, out of memory, an error of the disk, full. */
const PASSING = [...BUSY, 7, 10, 13];

/** `errcode` is set by node:sqlite, a text in `code` by better-sqlite3. */
function resultCodeOf(error) {
  if (Number.isInteger(error?.errcode)) return error.errcode & 0xff;
  const name = /^SQLITE_[A-Z]+/.exec(String(error?.code))?.[0];
  return BY_NAME[name];
}

/** Whether the error is SQLite's, not one of other code. */
const isOfSqlite = (error) =>
  error?.code === 'ERR_SQLITE_ERROR' || /^SQLITE_/.test(error?.code);

/** Whether a whole transaction failed by it, not only one statement. */
const isStoreError = (error) =>
  isOfSqlite(error) && REASONS[resultCodeOf(error)] !== undefined;

const isBusy = (error) =>
  isOfSqlite(error) && BUSY.includes(resultCodeOf(error));

/**
 * Whether another try may work: the lock is free, or the disk has room.
 *
 * @param {Error} error of translate()
 */
const mayPass = (error) =>
  error?.code === Code.SqliteStoreFailed &&
  PASSING.includes(resultCodeOf(error.cause));

/**
 * @param {string} file
 * @param {string} reason
 * @param {unknown} [cause]
 */
function storeFailed(file, reason, cause) {
  const text = `the queues' file ${file}: ${reason}`;
  return new SloppyWorkerError(Code.SqliteStoreFailed, text, { cause });
}

/** The disk did not take what is committed. */
const syncFailed = (file, cause) => storeFailed(file, REASONS[10], cause);

/** @returns {unknown} an error of ours for SQLite's; any other unchanged */
function translate(file, error) {
  if (!isOfSqlite(error)) return error;
  const reason = REASONS[resultCodeOf(error)] ?? error.message;
  return storeFailed(file, reason, error);
}

module.exports = {
  isBusy,
  isStoreError,
  mayPass,
  storeFailed,
  syncFailed,
  translate,
};
