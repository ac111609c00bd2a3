'use strict';

const { TABLES: MARKS } = require('./marks.js');

/** Version of the tables below; a file of another one is refused. */
const VERSION = 2;
/** `SLPW`, which marks the file as ours in its header. */
const APPLICATION_ID = 0x534c5057;

// `job` is hot: each transition rewrites it, so large values are in `body`.
//
// - `rank` orders waiting jobs, then `seq`: 0 is the list `wait`, any other the
//   job's priority. `seq` is negative for jobs that are put at the front.
// - `due` is when a delayed job may run, or since when a parent waits for its
//   children.
// - `kids` says whether `dep` has rows of this parent.
//
// The partial indexes stay small, because most jobs of an old file are
// finished.
//
// A row of `event` has all events of one queue in one transaction: `fields` is
// a list of lists, `pos` the number of events up to its end.
const TABLES = `
CREATE TABLE counter (k TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counter VALUES ('seq', 0);
CREATE TABLE queue (
  qid INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  last_id INTEGER NOT NULL DEFAULT 0,
  stall_until INTEGER,
  lim_count INTEGER NOT NULL DEFAULT 0,
  lim_until INTEGER
);
CREATE TABLE meta (
  qid INTEGER NOT NULL, field TEXT NOT NULL, value TEXT,
  PRIMARY KEY (qid, field)
) WITHOUT ROWID;
CREATE TABLE job (
  jid INTEGER PRIMARY KEY,
  qid INTEGER NOT NULL,
  id TEXT NOT NULL,
  state INTEGER NOT NULL,
  rank INTEGER NOT NULL DEFAULT 0,
  seq INTEGER NOT NULL,
  prio INTEGER NOT NULL DEFAULT 0,
  due INTEGER,
  fin INTEGER,
  ts INTEGER NOT NULL,
  delay INTEGER NOT NULL DEFAULT 0,
  proc INTEGER,
  lock TEXT,
  lock_until INTEGER,
  stalled INTEGER NOT NULL DEFAULT 0,
  stc INTEGER NOT NULL DEFAULT 0,
  atm INTEGER NOT NULL DEFAULT 0,
  ats INTEGER NOT NULL DEFAULT 0,
  kids INTEGER NOT NULL DEFAULT 0,
  pb TEXT,
  dedup TEXT,
  rjk TEXT,
  defa TEXT,
  parent_q TEXT,
  parent_id TEXT,
  UNIQUE (qid, id)
);
CREATE TABLE body (
  jid INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  data TEXT NOT NULL,
  opts TEXT NOT NULL,
  parent TEXT,
  progress TEXT,
  ret TEXT,
  failed TEXT,
  stack TEXT
);
CREATE INDEX job_ready ON job (qid, rank, seq) WHERE state = 0;
CREATE INDEX job_active ON job (qid, seq) WHERE state = 1;
CREATE INDEX job_completed ON job (qid, fin, jid) WHERE state = 2;
CREATE INDEX job_failed ON job (qid, fin, jid) WHERE state = 3;
CREATE INDEX job_delayed ON job (qid, due, seq) WHERE state = 4;
CREATE INDEX job_children ON job (qid, due, seq) WHERE state = 5;
${MARKS}CREATE TABLE log (
  jid INTEGER NOT NULL, n INTEGER NOT NULL, line TEXT NOT NULL,
  PRIMARY KEY (jid, n)
) WITHOUT ROWID;
CREATE TABLE dep (
  parent_q TEXT NOT NULL,
  parent_id TEXT NOT NULL,
  child_q TEXT NOT NULL,
  child_id TEXT NOT NULL,
  status INTEGER NOT NULL DEFAULT 0,
  value TEXT,
  PRIMARY KEY (parent_q, parent_id, child_q, child_id)
) WITHOUT ROWID;
CREATE INDEX dep_status ON dep (parent_q, parent_id, status);
CREATE TABLE event (
  qid INTEGER NOT NULL,
  eid INTEGER NOT NULL,
  pos INTEGER NOT NULL,
  fields TEXT NOT NULL,
  PRIMARY KEY (qid, eid)
) WITHOUT ROWID;
CREATE TABLE metric (
  qid INTEGER NOT NULL,
  kind TEXT NOT NULL,
  count INTEGER NOT NULL,
  prev_ts INTEGER,
  prev_count INTEGER NOT NULL DEFAULT 0,
  points TEXT NOT NULL DEFAULT '[]',
  PRIMARY KEY (qid, kind)
) WITHOUT ROWID;
CREATE TABLE dedup (
  qid INTEGER NOT NULL, did TEXT NOT NULL, id TEXT NOT NULL, until INTEGER,
  PRIMARY KEY (qid, did)
) WITHOUT ROWID;
CREATE TABLE dedup_next (
  qid INTEGER NOT NULL, did TEXT NOT NULL, job TEXT NOT NULL,
  PRIMARY KEY (qid, did)
) WITHOUT ROWID;
CREATE TABLE scheduler (
  qid INTEGER NOT NULL, sid TEXT NOT NULL, next INTEGER NOT NULL,
  fields TEXT NOT NULL,
  PRIMARY KEY (qid, sid)
) WITHOUT ROWID;
CREATE INDEX scheduler_next ON scheduler (qid, next);
CREATE TABLE client (
  cid INTEGER PRIMARY KEY, name TEXT NOT NULL, pid INTEGER NOT NULL
);
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${VERSION};
`;

const pragma = (db, name) =>
  Object.values(db.prepare(`PRAGMA ${name}`).get())[0];

/**
 * Makes the tables of a new file.
 *
 * @param {object} db open, with a busy timeout
 * @returns {string | undefined} reason why the file cannot be used
 */
function prepareSchema(db) {
  const found = inTransaction(db, 'BEGIN', () => look(db));
  if (!found.isNew) return found.reason;
  // Several processes may run this at once; the first one makes the tables.
  return inTransaction(db, 'BEGIN IMMEDIATE', () => {
    const { isNew, reason } = look(db);
    if (isNew) db.exec(TABLES);
    return reason;
  });
}

function inTransaction(db, begin, run) {
  db.exec(begin);
  try {
    const value = run();
    db.exec('COMMIT');
    return value;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function look(db) {
  const version = pragma(db, 'user_version');
  const application = pragma(db, 'application_id');
  const tables = db.prepare('SELECT count(*) AS n FROM sqlite_master').get().n;
  if (version === 0 && application === 0 && tables === 0) {
    return { isNew: true, reason: undefined };
  }
  return { isNew: false, reason: whyForeign(version, application) };
}

function whyForeign(version, application) {
  if (application !== APPLICATION_ID) {
    return 'it is a database of another program';
  }
  if (version === VERSION) return undefined;
  const advice =
    version < VERSION
      ? 'let the version that wrote it drain it, then begin a new file'
      : 'use that version';
  return `its format is ${version}, this version of sloppy-workers has ${VERSION}: ${advice}`;
}

module.exports = { pragma, prepareSchema };
