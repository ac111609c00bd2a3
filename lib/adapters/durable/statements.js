'use strict';

/** Columns of a job, as Job reads them. */
const JOB = `seq, queue, id, name, data, opts, state, priority, run_at, timestamp,
  attempts_made, attempts_started, stalled, processed_on, finished_on, progress,
  result, failed_reason, stacktrace, repeat_key`;

const OWNED = 'queue = ? AND id = ? AND state = 1 AND token = ?';
const FREE = 'token = NULL, locked_until = NULL';

// A claim is one statement: SQLite has the write lock before it reads, so two
// processes cannot claim the same row.
const TEXTS = {
  dataVersion: 'PRAGMA data_version',

  addQueue: 'INSERT INTO queues (name) VALUES (?) ON CONFLICT DO NOTHING',
  nextPlace:
    'UPDATE queues SET next = next + 1 WHERE name = ? RETURNING next - 1 AS place',
  pause: 'UPDATE queues SET paused = ? WHERE name = ?',
  isPaused: 'SELECT paused FROM queues WHERE name = ?',

  add: `INSERT INTO jobs (queue, id, name, data, opts, state, priority, place,
      run_at, timestamp, repeat_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (queue, id) DO NOTHING`,
  job: `SELECT ${JOB} FROM jobs WHERE queue = ? AND id = ?`,
  stateOf: 'SELECT state, priority FROM jobs WHERE queue = ? AND id = ?',

  claim: `UPDATE jobs SET state = 1, token = ? || seq, locked_until = ?,
      processed_on = ?, attempts_started = attempts_started + 1
    WHERE seq IN (SELECT seq FROM jobs WHERE queue = ? AND state = 0
      ORDER BY priority, place LIMIT ?)
    RETURNING ${JOB}, token, place`,
  due: `SELECT seq FROM jobs WHERE queue = ? AND state = 4 AND run_at <= ?
    ORDER BY run_at, seq`,
  wait: 'UPDATE jobs SET state = 0, place = ? WHERE seq = ?',
  nextDue: 'SELECT min(run_at) AS at FROM jobs WHERE queue = ? AND state = 4',

  complete: `UPDATE jobs SET state = 2, result = ?, finished_on = ?,
      attempts_made = attempts_made + 1, failed_reason = NULL, ${FREE}
    WHERE ${OWNED}`,
  fail: `UPDATE jobs SET state = 3, failed_reason = ?, stacktrace = ?,
      finished_on = ?, attempts_made = attempts_made + 1, ${FREE}
    WHERE ${OWNED}`,
  retryLater: `UPDATE jobs SET state = 4, failed_reason = ?, stacktrace = ?,
      run_at = ?, attempts_made = attempts_made + 1, ${FREE} WHERE ${OWNED}`,
  retryNow: `UPDATE jobs SET state = 0, failed_reason = ?, stacktrace = ?,
      place = ?, attempts_made = attempts_made + 1, ${FREE} WHERE ${OWNED}`,
  giveBack: `UPDATE jobs SET state = 0, place = ?, ${FREE} WHERE ${OWNED}`,
  putOff: `UPDATE jobs SET state = 4, run_at = ?, ${FREE} WHERE ${OWNED}`,
  isOwned: `SELECT 1 FROM jobs WHERE ${OWNED}`,
  renew: `UPDATE jobs SET locked_until = ? WHERE ${OWNED}`,

  expired: `SELECT ${JOB} FROM jobs WHERE queue = ? AND state = 1
    AND locked_until < ?`,
  stall: `UPDATE jobs SET state = 0, place = ?, stalled = stalled + 1, ${FREE}
    WHERE seq = ? AND state = 1`,
  failStalled: `UPDATE jobs SET state = 3, stalled = stalled + 1,
      failed_reason = ?, finished_on = ?, ${FREE} WHERE seq = ? AND state = 1`,

  progress: 'UPDATE jobs SET progress = ? WHERE queue = ? AND id = ?',
  data: 'UPDATE jobs SET data = ? WHERE queue = ? AND id = ?',
  log: 'INSERT INTO logs (queue, id, row) VALUES (?, ?, ?)',
  logCount: 'SELECT count(*) AS n FROM logs WHERE queue = ? AND id = ?',
  trimLogs: `DELETE FROM logs WHERE n IN (SELECT n FROM logs WHERE queue = ?
    AND id = ? ORDER BY n DESC LIMIT -1 OFFSET ?)`,
  logs: 'SELECT row FROM logs WHERE queue = ? AND id = ? ORDER BY n',

  counts: `SELECT
    (SELECT count(*) FROM jobs WHERE queue = q AND state = 0 AND priority = 0) AS waiting,
    (SELECT count(*) FROM jobs WHERE queue = q AND state = 0 AND priority > 0) AS prioritized,
    (SELECT count(*) FROM jobs WHERE queue = q AND state = 1) AS active,
    (SELECT count(*) FROM jobs WHERE queue = q AND state = 2) AS completed,
    (SELECT count(*) FROM jobs WHERE queue = q AND state = 3) AS failed,
    (SELECT count(*) FROM jobs WHERE queue = q AND state = 4) AS delayed
    FROM (SELECT ? AS q)`,
  waiting: `SELECT ${JOB} FROM jobs WHERE queue = ? AND state = 0
    AND priority = 0 ORDER BY place`,
  prioritized: `SELECT ${JOB} FROM jobs WHERE queue = ? AND state = 0
    AND priority > 0 ORDER BY priority, place`,
  active: `SELECT ${JOB} FROM jobs WHERE queue = ? AND state = 1 ORDER BY seq`,
  delayed: `SELECT ${JOB} FROM jobs WHERE queue = ? AND state = 4
    ORDER BY run_at, seq`,
  completed: `SELECT ${JOB} FROM jobs WHERE queue = ? AND state = 2
    ORDER BY finished_on, seq`,
  failed: `SELECT ${JOB} FROM jobs WHERE queue = ? AND state = 3
    ORDER BY finished_on, seq`,

  remove: 'DELETE FROM jobs WHERE queue = ? AND id = ? AND state <> 1',
  removeSettled: 'DELETE FROM jobs WHERE queue = ? AND id = ?',
  removeSeq: 'DELETE FROM jobs WHERE seq = ? AND state <> 1',
  drain: 'DELETE FROM jobs WHERE queue = ? AND state = 0',
  drainDelayed:
    'DELETE FROM jobs WHERE queue = ? AND state = 4 AND repeat_key IS NULL',
  obliterate: 'DELETE FROM jobs WHERE queue = ?',
  obliterateQueue: 'DELETE FROM queues WHERE name = ?',
  retryFinished: `UPDATE jobs SET state = 0, place = ?, failed_reason = NULL,
      finished_on = NULL, result = NULL, processed_on = NULL, stalled = 0
    WHERE seq = ? AND state IN (2, 3)`,
  promote: `UPDATE jobs SET state = 0, place = ?, run_at = 0
    WHERE queue = ? AND id = ? AND state = 4`,
  ...retention('completed', 2),
  ...retention('failed', 3),

  upsertScheduler: `INSERT INTO schedulers VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (queue, key) DO UPDATE SET name = excluded.name,
      data = excluded.data, opts = excluded.opts, repeat = excluded.repeat,
      next = excluded.next, iterations = excluded.iterations`,
  scheduler: 'SELECT * FROM schedulers WHERE queue = ? AND key = ?',
  schedulers: 'SELECT * FROM schedulers WHERE queue = ? ORDER BY next, key',
  removeScheduler: 'DELETE FROM schedulers WHERE queue = ? AND key = ?',
  removeSchedulers: 'DELETE FROM schedulers WHERE queue = ?',
  removeScheduled: `DELETE FROM jobs WHERE queue = ? AND repeat_key = ?
    AND state IN (0, 4)`,
};

/** Statements of removeOnComplete and removeOnFail. */
function retention(name, state) {
  const finished = `queue = ? AND state = ${state}`;
  return {
    [`${name}Beyond`]: `DELETE FROM jobs WHERE seq IN (SELECT seq FROM jobs
      WHERE ${finished} ORDER BY finished_on DESC, seq DESC LIMIT ? OFFSET ?)`,
    [`${name}Before`]: `DELETE FROM jobs WHERE seq IN (SELECT seq FROM jobs
      WHERE ${finished} AND finished_on < ? LIMIT ?)`,
  };
}

/** @returns {Record<string, object>} each prepared at its first use */
function prepareStatements(db) {
  const prepared = {};
  for (const [name, text] of Object.entries(TEXTS)) {
    Object.defineProperty(prepared, name, {
      configurable: true,
      get() {
        const statement = db.prepare(text);
        Object.defineProperty(prepared, name, { value: statement });
        return statement;
      },
    });
  }
  return prepared;
}

module.exports = { prepareStatements };
