'use strict';

const { erase, find, insertJob, link, nextId, postpone } = require('./jobs.js');
const { State } = require('./states.js');

/** A key whose time is over is no key. @returns {object | undefined} */
function liveKey(tx, qid, did, now) {
  return tx.get(
    `SELECT id, until FROM dedup
      WHERE qid = ? AND did = ? AND (until IS NULL OR until > ?)`,
    ...[qid, did, now],
  );
}

function setKey(tx, qid, did, id, until) {
  tx.run(
    `INSERT INTO dedup VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
      SET id = excluded.id, until = excluded.until`,
    ...[qid, did, id, until],
  );
}

const dropKey = (tx, qid, did) =>
  tx.run('DELETE FROM dedup WHERE qid = ? AND did = ?', qid, did);

const dropNext = (tx, qid, did) =>
  tx.run('DELETE FROM dedup_next WHERE qid = ? AND did = ?', qid, did);

/** @returns {number | null} null: until the job ends */
function untilOf({ ttl, keepLastIfActive }, now) {
  return keepLastIfActive || !(ttl > 0) ? null : now + Number(ttl);
}

/** One id that is added, and the key that it is held against. */
class Attempt {
  constructor(tx, { qid, now, job, settings }) {
    Object.assign(this, { tx, qid, now, job, settings, did: settings.id });
    this.current = liveKey(tx, qid, settings.id, now);
  }

  take(until = untilOf(this.settings, this.now)) {
    setKey(this.tx, this.qid, this.did, this.job.id, until);
  }

  /** A key without a time ends with its job; a job that is gone has ended. */
  recoverStale() {
    const { tx, qid, current } = this;
    if (current.until !== null || find(tx, qid, current.id)) return false;
    dropNext(tx, qid, this.did);
    this.take();
    return true;
  }

  /** The newest job that came while the winner ran is added at its end. */
  keepLast() {
    const { tx, qid, did, current, job } = this;
    if (!this.settings.keepLastIfActive) return false;
    if (find(tx, qid, current.id)?.state !== State.Active) return false;
    tx.run(
      `INSERT INTO dedup_next VALUES (?, ?, ?) ON CONFLICT DO UPDATE
        SET job = excluded.job`,
      ...[qid, did, JSON.stringify(job)],
    );
    setKey(tx, qid, did, current.id, null);
    this.tell(current.id, job.id);
    return true;
  }

  /** Only a delayed winner gives way. */
  replace() {
    const { tx, qid, did, current, job, settings } = this;
    const old = find(tx, qid, current.id);
    if (old?.state !== State.Delayed) return false;
    erase(tx, old);
    tx.emit(qid, 'removed', 'jobId', old.id, 'prev', 'delayed');
    this.tell(job.id, old.id);
    dropNext(tx, qid, did);
    const keepsTime =
      !settings.keepLastIfActive && !settings.extend && settings.ttl > 0;
    this.take(keepsTime ? current.until : undefined);
    return true;
  }

  reschedule() {
    const { tx, qid, current, job } = this;
    const winner = find(tx, qid, current.id);
    if (winner?.state !== State.Delayed) return;
    const delay = Number(job.opts.delay) || 0;
    tx.run('UPDATE job SET delay = ? WHERE jid = ?', delay, winner.jid);
    postpone(tx, winner, job.ts + Math.max(delay, 0));
  }

  tell(jobId, other) {
    this.tx.emit(
      this.qid,
      ...['deduplicated', 'jobId', jobId, 'deduplicationId', this.did],
      ...['deduplicatedJobId', other],
    );
  }
}

/**
 * @param {Transaction} tx
 * @param {{ qid: number, now: number, job: object, isParent: boolean }} given
 *   `job` as insertJob() takes it
 * @returns {string | undefined} id of the job that is there instead
 */
function deduplicate(tx, { qid, now, job, isParent }) {
  const settings = job.opts.deduplication;
  if (!settings?.id) return undefined;
  const attempt = new Attempt(tx, { qid, now, job, settings });
  const { current } = attempt;
  if (current === undefined) {
    attempt.take();
    return undefined;
  }
  if (settings.replace && !isParent) {
    if (attempt.replace() || attempt.recoverStale()) return undefined;
    attempt.keepLast();
    return current.id;
  }
  if (attempt.recoverStale()) return undefined;
  if (attempt.keepLast()) return current.id;
  if (settings.ttl > 0 && settings.extend) {
    setKey(tx, qid, settings.id, current.id, untilOf(settings, now));
  }
  attempt.tell(current.id, job.id);
  if (settings.reschedule && !isParent) attempt.reschedule();
  return current.id;
}

/** The winner has ended: its key may go, and the last that came is added. */
function deduplicationEnds(tx, job, { queue, now }) {
  const { qid, dedup: did } = job;
  tx.run(
    `DELETE FROM dedup WHERE qid = ? AND did = ?
      AND ((until IS NULL AND id = ?) OR until <= ?)`,
    ...[qid, did, job.id, now],
  );
  const row = tx.get(
    'DELETE FROM dedup_next WHERE qid = ? AND did = ? RETURNING job',
    ...[qid, did],
  );
  if (row === undefined) return;
  const next = JSON.parse(row.job);
  nextId(tx, qid);
  const settings = next.opts.deduplication ?? {};
  setKey(tx, qid, did, next.id, untilOf(settings, now));
  if (find(tx, qid, next.id) !== undefined) {
    tx.emit(qid, 'duplicated', 'jobId', next.id);
    return;
  }
  insertJob(tx, qid, { ...next, ts: now, children: false });
  if (next.parent?.id) link(tx, next.parent, queue, next.id);
}

/** A job is removed, and its key with it. */
function deduplicationRemoved(tx, { qid, id, dedup: did }) {
  if (did === null) return;
  const isHeld = tx.run(
    'DELETE FROM dedup WHERE qid = ? AND did = ? AND id = ?',
    ...[qid, did, id],
  );
  if (isHeld) dropNext(tx, qid, did);
}

function getDeduplicationJobId(tx, { queue, did, now }) {
  const qid = tx.queueIfThere(queue);
  return qid === undefined ? null : (liveKey(tx, qid, did, now)?.id ?? null);
}

function removeDeduplicationKey(tx, { queue, did, id, now }) {
  const qid = tx.queue(queue);
  return liveKey(tx, qid, did, now)?.id === id ? dropKey(tx, qid, did) : 0;
}

function deleteDeduplicationKey(tx, { queue, did, now }) {
  const qid = tx.queue(queue);
  const isLive = liveKey(tx, qid, did, now) !== undefined;
  dropKey(tx, qid, did);
  return isLive ? 1 : 0;
}

module.exports = {
  deduplicate,
  deduplicationEnds,
  deduplicationRemoved,
  deleteDeduplicationKey,
  getDeduplicationJobId,
  removeDeduplicationKey,
};
