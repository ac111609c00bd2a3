'use strict';

const { addNext } = require('./schedulers.js');

const byPlace = (a, b) => a.priority - b.priority || a.place - b.place;

/**
 * Moves delayed jobs whose time has come to the waiting ones, the earliest
 * first.
 */
function promoteDue(worker, now) {
  const { sql } = worker.store;
  for (const { seq } of sql.due.all(worker.name, now)) {
    sql.wait.run(worker.nextPlace(), seq);
  }
}

/**
 * Takes up to `count` jobs. REQUIRES: a transaction.
 *
 * @param {string} prefix of the tokens; no other claim has it
 * @returns {{ rows: object[], nextDue: number | null }}
 */
function claim(worker, prefix, count) {
  const { sql } = worker.store;
  if (sql.isPaused.get(worker.name)?.paused === 1) {
    return { rows: [], nextDue: null };
  }
  const now = Date.now();
  promoteDue(worker, now);
  const until = now + worker.opts.lockDuration;
  const rows = sql.claim.all(prefix, until, now, worker.name, count);
  rows.sort(byPlace);
  for (const { repeat_key } of rows) {
    if (repeat_key !== null) addNext(worker, repeat_key);
  }
  return { rows, nextDue: sql.nextDue.get(worker.name).at };
}

module.exports = { claim };
