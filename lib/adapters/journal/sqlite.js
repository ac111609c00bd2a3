'use strict';

// Two SQLite bindings with the same shape for what the journal and the queues
// of ../sqlite need: `exec`, `prepare(...).run/all/get`, `close`.

const PEER = 'better-sqlite3';

/**
 * Node's own SQLite where it has one, else the optional peer.
 *
 * @param {string} file
 * @param {'node' | 'better-sqlite3'} [driver] default: the first that loads
 * @param {string} [subject] begins the error's text
 * @throws {Error} neither is there
 */
function openDatabase(file, driver, subject = 'The journal') {
  if (driver !== PEER) {
    const own = tryLoad('node:sqlite');
    if (own) return new own.DatabaseSync(file);
  }
  if (driver !== 'node') {
    const Database = tryLoad(PEER);
    if (Database) return new Database(file);
  }
  throw new Error(
    `${subject} needs SQLite: Node 22.13 or later, or the package ` +
      `${PEER} beside this one.`,
  );
}

/**
 * @param {object} database of openDatabase()
 * @returns {'node' | 'better-sqlite3'}
 */
function driverOf(database) {
  const own = tryLoad('node:sqlite');
  return own && database instanceof own.DatabaseSync ? 'node' : PEER;
}

function tryLoad(name) {
  try {
    return require(name);
  } catch (err) {
    const absent = ['ERR_UNKNOWN_BUILTIN_MODULE', 'MODULE_NOT_FOUND'];
    if (absent.includes(err.code)) return undefined;
    throw err;
  }
}

module.exports = { driverOf, openDatabase };
