'use strict';

/** Version of the tables below; a file with a higher one is refused. */
const VERSION = 1;
/** `SLPW`, which marks the file as ours in its header. */
const APPLICATION_ID = 0x534c5057;

/** Stored values. */
const State = Object.freeze({
  Waiting: 0,
  Active: 1,
  Completed: 2,
  Failed: 3,
  Delayed: 4,
});

// `place` orders waiting jobs: it grows with each job that is queued at the
// end, and is negative for jobs that were put back to the front. The partial
// indexes stay small, because most jobs of an old file are finished.
const TABLES = `
CREATE TABLE queues (
  name TEXT PRIMARY KEY,
  paused INTEGER NOT NULL DEFAULT 0,
  next INTEGER NOT NULL DEFAULT 1
) WITHOUT ROWID;
CREATE TABLE jobs (
  seq INTEGER PRIMARY KEY,
  queue TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  data TEXT NOT NULL,
  opts TEXT NOT NULL,
  state INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  place INTEGER NOT NULL,
  run_at INTEGER NOT NULL,
  timestamp INTEGER NOT NULL,
  attempts_made INTEGER NOT NULL DEFAULT 0,
  attempts_started INTEGER NOT NULL DEFAULT 0,
  stalled INTEGER NOT NULL DEFAULT 0,
  token TEXT,
  locked_until INTEGER,
  processed_on INTEGER,
  finished_on INTEGER,
  progress TEXT,
  result TEXT,
  failed_reason TEXT,
  stacktrace TEXT,
  repeat_key TEXT,
  UNIQUE (queue, id)
);
CREATE INDEX jobs_waiting ON jobs (queue, priority, place) WHERE state = 0;
CREATE INDEX jobs_active ON jobs (queue, locked_until) WHERE state = 1;
CREATE INDEX jobs_completed ON jobs (queue, finished_on) WHERE state = 2;
CREATE INDEX jobs_failed ON jobs (queue, finished_on) WHERE state = 3;
CREATE INDEX jobs_delayed ON jobs (queue, run_at) WHERE state = 4;
CREATE TABLE logs (
  n INTEGER PRIMARY KEY,
  queue TEXT NOT NULL,
  id TEXT NOT NULL,
  row TEXT NOT NULL
);
CREATE INDEX logs_of_job ON logs (queue, id, n);
CREATE TRIGGER logs_leave_with_job AFTER DELETE ON jobs BEGIN
  DELETE FROM logs WHERE queue = OLD.queue AND id = OLD.id;
END;
CREATE TABLE schedulers (
  queue TEXT NOT NULL,
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  data TEXT NOT NULL,
  opts TEXT NOT NULL,
  repeat TEXT NOT NULL,
  next INTEGER NOT NULL,
  iterations INTEGER NOT NULL,
  PRIMARY KEY (queue, key)
) WITHOUT ROWID;
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${VERSION};
`;

const pragma = (db, name) =>
  Object.values(db.prepare(`PRAGMA ${name}`).get())[0];

/**
 * @param {object} db open, with a busy timeout
 * @returns {string | undefined} reason why the file cannot be used
 */
function migrate(db) {
  const reason = whyForeign(db);
  if (reason !== undefined) return reason;
  if (pragma(db, 'user_version') === VERSION) return undefined;
  // Several processes may run this at once; the first one makes the tables.
  db.exec('BEGIN IMMEDIATE');
  try {
    if (pragma(db, 'user_version') === 0) db.exec(TABLES);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
  return undefined;
}

function whyForeign(db) {
  const version = pragma(db, 'user_version');
  const application = pragma(db, 'application_id');
  const tables = db.prepare('SELECT count(*) AS n FROM sqlite_master').get().n;
  const isNew = version === 0 && application === 0 && tables === 0;
  if (isNew) return undefined;
  // Another process may be making the tables.
  if (application !== APPLICATION_ID) {
    return 'it is a database of another program';
  }
  if (version > VERSION) {
    return `its format is ${version}, this version of sloppy-workers reads ${VERSION}`;
  }
  return undefined;
}

module.exports = { State, migrate, pragma };
