'use strict';

const fs = require('node:fs');
const path = require('node:path');

const { driverOf, openDatabase } = require('../journal/sqlite.js');
const { Database } = require('./database.js');
const { pragma, prepareSchema } = require('./schema.js');
const { storeFailed, translate } = require('./store-error.js');

/** Another process may be making the tables. */
const OPEN_BUSY_MS = 5000;
/** SQLite's own waiting blocks the event loop, so it is short. */
const BUSY_MS = 10;
const CACHE_KIB = 16_000;
/** Writing the log back waits for the disk on the event loop, so it is rare. */
const CHECKPOINT_PAGES = 4000;
/** The number of links that Linux follows. */
const MOST_LINKS = 40;
/** The log is cut to this when it has been written back. */
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;

/** File systems on which the log's shared memory does not work. */
const NETWORK = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
]);

/**
 * The SQLite library of each open file, shared by all copies of this package in
 * the process: two libraries do not see each other's locks, and closing one's
 * file would drop the other's.
 */
const LIBRARIES = Symbol.for('sloppy-workers/sqlite libraries');
globalThis[LIBRARIES] ??= new Map();

function claimLibrary(file, handle) {
  const libraries = globalThis[LIBRARIES];
  const library = Object.getPrototypeOf(handle).constructor;
  const open = libraries.get(file) ?? { library, count: 0 };
  if (open.library !== library) {
    throw storeFailed(
      file,
      'another SQLite library has it open in this process: give all one `driver`',
    );
  }
  open.count += 1;
  libraries.set(file, open);
  return () => {
    open.count -= 1;
    if (open.count === 0) libraries.delete(file);
  };
}

/**
 * @param {string} file absolute
 * @param {number} [links] that have led to it
 * @returns {string} the same for each name of one file
 */
function realFile(file, links = 0) {
  if (links > MOST_LINKS) throw storeFailed(file, 'its links have no end');
  const folder = path.dirname(file);
  if (!fs.existsSync(folder)) {
    throw storeFailed(file, `there is no folder ${folder}`);
  }
  if (!fs.existsSync(file)) return newFile(file, links);
  if (!fs.statSync(file).isFile()) throw storeFailed(file, 'it is no file');
  // SQLite would open it, and refuse the first job.
  if (!isWritable(file)) throw storeFailed(file, 'it cannot be written to');
  return fs.realpathSync(file);
}

/** A link to what is not there yet names the file that will be. */
function newFile(file, links) {
  const link = readLink(file);
  if (link !== undefined) {
    return realFile(path.resolve(path.dirname(file), link), links + 1);
  }
  return path.join(fs.realpathSync(path.dirname(file)), path.basename(file));
}

function isWritable(file) {
  try {
    fs.accessSync(file, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function readLink(file) {
  try {
    return fs.readlinkSync(file);
  } catch {
    return undefined;
  }
}

function refuseNetwork(file) {
  if (process.platform !== 'linux') return;
  const { type } = fs.statfsSync(path.dirname(file));
  const system = NETWORK.get(type >>> 0);
  if (system === undefined) return;
  throw storeFailed(file, `it is on a network file system (${system})`);
}

function prepare(db, file) {
  db.exec(`PRAGMA busy_timeout = ${OPEN_BUSY_MS}`);
  const reason = prepareSchema(db);
  if (reason !== undefined) throw storeFailed(file, reason);
  if (pragma(db, 'journal_mode') !== 'wal') {
    const mode = pragma(db, 'journal_mode = WAL');
    if (mode !== 'wal') throw storeFailed(file, `it has no log but ${mode}`);
  }
  // The disk is waited for after the commit with `full`.
  db.exec('PRAGMA synchronous = normal');
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  db.exec(`PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES}`);
  db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
}

/**
 * Opens the file of queues, and makes it if it is new.
 *
 * @param {string} file of realFile()
 * @param {{ driver?: string }} settings
 * @returns {{ db: Database, driver: string, close: () => void }}
 * @throws {SloppyWorkerError} SLOPPY_E_SQLITE_STORE_FAILED
 */
function openQueues(file, { driver }) {
  refuseNetwork(file);
  let handle;
  let release;
  try {
    handle = openDatabase(file, driver, 'sloppy-workers/sqlite');
    release = claimLibrary(file, handle);
    prepare(handle, file);
  } catch (error) {
    release?.();
    handle?.close();
    throw translate(file, error);
  }
  const db = new Database(handle);
  const close = () => {
    try {
      db.close();
    } finally {
      release();
    }
  };
  return { db, driver: driverOf(handle), close };
}

module.exports = { openQueues, realFile };
