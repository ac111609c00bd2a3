'use strict';

const { addFlow, addJob, addJobs } = require('./adding.js');
const admin = require('./admin.js');
const { moveToActive } = require('./claim.js');
const data = require('./data.js');
const dedup = require('./dedup.js');
const { publishEvent, trimEvents } = require('./events.js');
const { finish } = require('./finish.js');
const moves = require('./moves.js');
const { readConnection } = require('./options.js');
const { ReadingBackend } = require('./reading.js');
const schedulers = require('./schedulers.js');
const { Store } = require('./store.js');

// The defaults of BullMQ's Worker.
const LOCK_MS = 30_000;
const STALLED_INTERVAL_MS = 30_000;
const MAX_STALLED_COUNT = 1;
const BULK = 1000;
/** Jobs of one operation: the event loop turns, and others write, between. */
const PART = 200;

/** How BullMQ's classes take a next job, or that there is none. */
function nextOf(found) {
  if (found === undefined) return [];
  const { job, id, limitMs, nextDue } = found;
  return [job ?? null, id ?? '', limitMs, nextDue];
}

/** `removeOnComplete` and `removeOnFail` of a job, else of its Worker. */
function keepOf(ofJob, ofWorker) {
  if (ofJob === undefined || ofJob === null) return ofWorker ?? { count: -1 };
  if (typeof ofJob === 'object') return ofJob;
  if (typeof ofJob === 'number') return { count: ofJob };
  return { count: ofJob ? 0 : -1 };
}

const entryOf = ({ job, jobId, parentKeyOpts = {} }) => ({
  job,
  jobId,
  toChildren: Boolean(parentKeyOpts.addToWaitingChildren),
});

/** A queue of BullMQ's classes in a SQLite file. */
class SqliteBackend extends ReadingBackend {
  forQueue(name, prefix = this.prefix) {
    return new SqliteBackend(this.store, {
      name,
      opts: { ...this.opts, prefix },
    });
  }

  /** The worker of this backend, as claim() takes it. */
  #worker(token) {
    const { lockDuration = LOCK_MS, limiter, name } = this.opts;
    return { token, lockMs: lockDuration, limiter, name };
  }

  /** The worker that takes the next job, unless it closes. */
  #nextFor(token, isWanted) {
    return isWanted && !this.closing ? this.#worker(token) : undefined;
  }

  addJob(job, jobId, parentKeyOpts) {
    const parentKey = parentKeyOpts?.parentKey ?? job.parentKey;
    const about = { jobId, parentKey, command: 'addJob' };
    return this.write(addJob, entryOf({ job, jobId, parentKeyOpts }), {
      about,
    });
  }

  async addJobs(given) {
    const parts = [];
    for (let at = 0; at < given.length; at += PART) {
      parts.push(this.#addPart(given.slice(at, at + PART)));
    }
    return (await Promise.all(parts)).flat();
  }

  #addPart(given) {
    const queue = this.qualifiedName;
    const entries = given.map((entry) => ({ queue, ...entryOf(entry) }));
    const parentKey = given.find(({ job }) => job.parentKey)?.job.parentKey;
    const about = { parentKey, command: 'addJob' };
    return this.write(addJobs, { entries }, { about });
  }

  async addFlow(given) {
    const entries = given.map(({ jobData, prefix, queueName, ...more }) => ({
      queue: `${prefix ?? this.prefix}:${queueName}`,
      ...entryOf({ job: jobData, ...more }),
    }));
    const results = await this.write(addFlow, { entries });
    return results.map((result) => [null, result]);
  }

  async moveToActive(token, name) {
    const worker = { ...this.#worker(token), name };
    const how = { late: true, undone: true };
    return nextOf(await this.write(moveToActive, worker, how));
  }

  async #finish(job, token, isNextWanted, end) {
    const { metrics } = this.opts;
    const args = {
      ...{ id: job.id, token, attempts: Number(job.opts?.attempts) || 0 },
      ...{ metrics: metrics?.maxDataPoints, ...end },
      next: this.#nextFor(token, isNextWanted),
    };
    const about = {
      ...{ jobId: job.id, command: 'moveToFinished', state: 'active' },
    };
    const done = await this.settle(finish, args, { about });
    return { result: nextOf(done.found), finishedOn: done.finishedOn };
  }

  async moveToCompleted(job, returnValue, remove, token, fetchNext) {
    return this.#finish(job, token, fetchNext, {
      isCompleted: true,
      value: JSON.stringify(returnValue) ?? 'null',
      keep: keepOf(remove, this.opts.removeOnComplete),
    });
  }

  async moveToFailed(job, reason, remove, token, fetchNext, fields) {
    return this.#finish(job, token, fetchNext, {
      isCompleted: false,
      value: reason === undefined ? 'null' : String(reason),
      keep: keepOf(remove, this.opts.removeOnFail),
      fields,
    });
  }

  async moveToDelayed(id, timestamp, delay, token = '0', more = {}) {
    const args = {
      ...{ id, timestamp, delay, token, fields: more.fieldsToUpdate },
      isAttempt: !more.skipAttempt,
      next: this.#nextFor(token, more.fetchNext),
    };
    const about = { jobId: id, command: 'moveToDelayed', state: 'active' };
    const found = await this.settle(moves.moveToDelayed, args, { about });
    return found?.job ? nextOf(found) : [];
  }

  moveToWaitingChildren(id, token, { child } = {}) {
    const about = {
      ...{ jobId: id, command: 'moveToWaitingChildren', state: 'active' },
    };
    const args = { id, token, child };
    return this.settle(moves.moveToWaitingChildren, args, { about });
  }

  moveJobFromActiveToWait(id, token = '0') {
    const about = {
      ...{ jobId: id, command: 'moveJobFromActiveToWait', state: 'active' },
    };
    return this.settle(moves.moveJobFromActiveToWait, { id, token }, { about });
  }

  async retryJob(id, lifo, token = '0', { fieldsToUpdate: fields } = {}) {
    const about = { jobId: id, command: 'retryJob', state: 'active' };
    const args = { id, lifo, token, fields };
    await this.settle(moves.retryJob, args, { about });
  }

  retryFinishedJob(job, state, more = {}) {
    const resets = [];
    if (more.resetAttemptsMade) resets.push('atm');
    if (more.resetAttemptsStarted) resets.push('ats');
    const args = { id: job.id, state, lifo: Boolean(job.opts?.lifo), resets };
    const about = { jobId: job.id, command: 'reprocessJob', state };
    return this.write(moves.retryFinishedJob, args, { about });
  }

  retryFinishedJobs(state = 'failed', count = BULK, until = Date.now()) {
    return this.write(moves.moveJobsToWait, { state, count, until });
  }

  promoteJobs(count = BULK) {
    const until = Number.MAX_SAFE_INTEGER;
    return this.write(moves.moveJobsToWait, { state: 'delayed', count, until });
  }

  promote(id) {
    const about = { jobId: id, command: 'promote', state: 'delayed' };
    return this.write(moves.promote, { id }, { about });
  }

  changeDelay(id, delay) {
    const about = { jobId: id, command: 'changeDelay', state: 'delayed' };
    return this.write(moves.changeDelay, { id, delay }, { about });
  }

  changePriority(id, priority = 0, lifo = false) {
    const about = { jobId: id, command: 'changePriority' };
    return this.write(moves.changePriority, { id, priority, lifo }, { about });
  }

  moveStalledJobsToWait() {
    const { stalledInterval: interval = STALLED_INTERVAL_MS } = this.opts;
    const { maxStalledCount: maxCount = MAX_STALLED_COUNT } = this.opts;
    const args = { interval, maxCount };
    return this.write(moves.moveStalledJobsToWait, args, { undone: true });
  }

  extendLock(id, token, duration) {
    const ms = Number(duration);
    const args = { id, token, ms };
    return this.write(moves.extendLock, args, { undone: true });
  }

  extendLocks(ids, tokens, duration) {
    const ms = Number(duration);
    const args = { ids, tokens, ms };
    return this.write(moves.extendLocks, args, { undone: true });
  }

  pause(isPaused) {
    return this.write(admin.pause, { isPaused });
  }

  async drain(isDelayed) {
    const types = ['wait', 'prioritized', ...(isDelayed ? ['delayed'] : [])];
    const counts = await this.getCounts(types);
    // The number of now is the bound, because others may go on adding.
    let left = counts.reduce((sum, count) => sum + count, 0);
    let removed;
    do {
      const count = Math.min(left, BULK);
      removed = await this.write(admin.drain, { isDelayed, count });
      left -= removed;
    } while (removed > 0 && left > 0);
  }

  cleanJobsByState(state, until, limit = 0) {
    return this.write(admin.cleanJobsByState, { state, until, limit });
  }

  obliterate({ force, count = BULK }) {
    return this.write(admin.obliterate, { force, count });
  }

  /** A job's state is a column of its row, so there are none. */
  async removeOrphanedJobs() {
    return 0;
  }

  remove(id, withChildren) {
    const about = { jobId: id, command: 'removeJob' };
    return this.write(admin.removeJob, { id, withChildren }, { about });
  }

  removeUnprocessedChildren(id) {
    return this.write(admin.removeUnprocessedChildren, { id });
  }

  removeChildDependency(id, parentKey) {
    const last = parentKey?.lastIndexOf(':');
    const parent = parentKey && {
      queue: parentKey.slice(0, last),
      id: parentKey.slice(last + 1),
    };
    const about = { jobId: id, parentKey, command: 'removeChildDependency' };
    return this.write(admin.removeChildDependency, { id, parent }, { about });
  }

  removeDeduplicationKey(did, id) {
    return this.write(dedup.removeDeduplicationKey, { did, id });
  }

  deleteDeduplicationKey(did) {
    return this.write(dedup.deleteDeduplicationKey, { did });
  }

  addJobScheduler(sid, nextMillis, templateData, templateOpts, opts, jobOpts) {
    const args = {
      ...{ sid, nextMillis, data: templateData, templateOpts, opts, jobOpts },
    };
    const about = { jobId: sid, command: 'addJobScheduler' };
    return this.write(schedulers.addJobScheduler, args, { about });
  }

  // BullMQ gives the template's data too; the stored one counts.
  updateJobSchedulerNextMillis(sid, nextMillis, _data, jobOpts, producerId) {
    const args = { sid, nextMillis, jobOpts, producerId };
    return this.write(schedulers.updateJobScheduler, args);
  }

  removeJobScheduler(sid) {
    return this.write(schedulers.removeJobScheduler, { sid });
  }

  async updateData(job, value) {
    const args = { id: job.id, data: JSON.stringify(value) ?? '{}' };
    const about = { jobId: job.id, command: 'updateData' };
    return this.write(data.updateData, args, { about });
  }

  async updateProgress(id, value) {
    const args = { id, progress: JSON.stringify(value) ?? 'null' };
    const about = { jobId: id, command: 'updateProgress' };
    return this.write(data.updateProgress, args, { about });
  }

  addLog(id, line, keep) {
    const about = { jobId: id, command: 'addLog' };
    return this.write(data.addLog, { id, line: String(line), keep }, { about });
  }

  clearLogs(id, keep) {
    return this.write(data.clearLogs, { id, keep });
  }

  setQueueMeta(values) {
    return this.write(data.setQueueMeta, { values });
  }

  removeQueueMetaFields(fields) {
    return this.write(data.removeQueueMetaFields, { fields });
  }

  setRateLimit(ms) {
    return this.write(data.setRateLimit, { until: Date.now() + Number(ms) });
  }

  removeRateLimitKey() {
    return this.write(data.removeRateLimit, {});
  }

  /** A key of BullMQ's old versions. */
  async removeDeprecatedPriorityKey() {
    return 0;
  }

  publishEvent(fields, max) {
    return this.write(publishEvent, { fields, max: Number(max) });
  }

  trimEvents(max) {
    return this.write(trimEvents, { max });
  }
}

/**
 * BullMQ's BackendFactory for files: `withBackend(createSqliteBackend)`.
 *
 * @param {string} name
 * @param {{ connection: object, prefix?: string }} opts of a class of BullMQ
 * @param {{ blocking?: boolean, withBlockingConnection?: boolean }} [kind]
 * @returns {SqliteBackend}
 * @throws {TypeError} opts.connection
 * @throws {SloppyWorkerError} SLOPPY_E_SQLITE_STORE_FAILED
 */
function createSqliteBackend(
  name,
  opts,
  { blocking = false, withBlockingConnection = false } = {},
) {
  const user = {};
  const store = Store.acquire(readConnection(opts?.connection), user);
  const backend = new SqliteBackend(store, { name, opts, user });
  if (withBlockingConnection) {
    const suffix = opts.name ? `:w:${opts.name}` : '';
    backend.setName(backend.clientName(suffix));
  }
  if (blocking) backend.startEvents();
  return backend;
}

module.exports = { SqliteBackend, createSqliteBackend };
