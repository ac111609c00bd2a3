'use strict';

// The low byte of SQLite's result codes: https://www.sqlite.org/rescode.html
const KINDS = {
  5: 'LOCKED',
  6: 'LOCKED',
  8: 'READ_ONLY',
  10: 'IO',
  11: 'DAMAGED',
  13: 'FULL',
  14: 'UNREACHABLE',
  26: 'DAMAGED',
};
const NAMES = {
  SQLITE_BUSY: 'LOCKED',
  SQLITE_LOCKED: 'LOCKED',
  SQLITE_READONLY: 'READ_ONLY',
  SQLITE_IOERR: 'IO',
  SQLITE_CORRUPT: 'DAMAGED',
  SQLITE_FULL: 'FULL',
  SQLITE_CANTOPEN: 'UNREACHABLE',
  SQLITE_NOTADB: 'DAMAGED',
};
const TEXTS = {
  LOCKED:
    'another process holds the journal: one process at a time may use a ' +
    'file. End the other one, or give each a file of its own',
  READ_ONLY: 'the journal may not be written: look at its permissions',
  IO: 'the disk does not take the journal: it may be full or broken',
  DAMAGED:
    'the file is damaged or no journal: move it away, and restore or begin anew',
  FULL: 'the disk is full: make room, and send the message again',
  UNREACHABLE: 'the file cannot be opened: its folder must be there',
  CLOSED: 'the journal is closed',
  UNSUPPORTED:
    'the message cannot be written down: it holds a function or such',
  FAILED: 'the journal cannot be used; see cause',
};

/** A failure of the journal. Match on `code`, `SLOPPY_JOURNAL_…`. */
class JournalError extends Error {
  /** @param {keyof TEXTS} kind */
  constructor(kind, cause = undefined) {
    super(TEXTS[kind], cause === undefined ? undefined : { cause });
    this.name = 'JournalError';
    this.code = `SLOPPY_JOURNAL_${kind}`;
  }
}

/** @returns {string | undefined} undefined: no error of SQLite */
function kindOf(error) {
  if (typeof error?.errcode === 'number') {
    return KINDS[error.errcode & 0xff] ?? 'FAILED';
  }
  // better-sqlite3 has extended codes as names: SQLITE_IOERR_WRITE.
  const name = /^SQLITE_[A-Z]+/.exec(String(error?.code))?.[0];
  if (name !== undefined) return NAMES[name] ?? 'FAILED';
  const isClosed =
    error?.code === 'ERR_INVALID_STATE' ||
    /connection is not open/.test(String(error?.message));
  return isClosed ? 'CLOSED' : undefined;
}

/**
 * Calls SQLite and replaces its errors, because they have neither advice nor
 * the file's name.
 */
function sqlite(call) {
  try {
    return call();
  } catch (error) {
    const kind = kindOf(error);
    throw kind === undefined ? error : new JournalError(kind, error);
  }
}

module.exports = { JournalError, sqlite };
