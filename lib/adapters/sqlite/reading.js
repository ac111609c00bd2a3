'use strict';

const { getClientList, getQueueMeta } = require('./data.js');
const { getDeduplicationJobId } = require('./dedup.js');
const { getMetrics } = require('./metrics.js');
const queries = require('./queries.js');
const schedulers = require('./schedulers.js');
const { Child } = require('./states.js');
const { WaitingBackend } = require('./waiting.js');

const PAGE = { cursor: 0, count: 20 };
const CURSORS = {
  processed: 'nextProcessedCursor',
  unprocessed: 'nextUnprocessedCursor',
  ignored: 'nextIgnoredCursor',
  failed: 'nextFailedCursor',
};

function parse(text) {
  try {
    return { v: JSON.parse(text) };
  } catch (error) {
    return { err: error.message };
  }
}

/** Children as BullMQ lists them: values by keys, or keys alone. */
const LISTED = {
  processed: (children) =>
    Object.fromEntries(
      children.map(({ key, value }) => [key, parse(value).v ?? value]),
    ),
  unprocessed: (children) => children.map(({ key }) => key),
  ignored: (children) =>
    Object.fromEntries(children.map(({ key, value }) => [key, value])),
  failed: (children) => children.map(({ key }) => key),
};

/** The members of BullMQ's interface that only read. */
class ReadingBackend extends WaitingBackend {
  getState(id) {
    return this.read(queries.getState, { id });
  }

  async isFinished(id, withValue = false) {
    const found = await this.read(queries.isFinished, { id });
    return withValue ? found : found[0];
  }

  isMaxed() {
    return this.read(queries.getIsMaxed);
  }

  isJobInState(state, id) {
    return this.read(queries.isJobInState, { state, id });
  }

  getJobData(id) {
    return this.read(queries.getJobData, { id });
  }

  getDeduplicationJobId(did) {
    return this.read(getDeduplicationJobId, { did });
  }

  getJobLogs(id, start = 0, end = -1, asc = true) {
    return this.read(queries.getJobLogs, { id, start, end, asc });
  }

  getRateLimitTtl(max) {
    return this.read(queries.getRateLimitTtl, { max });
  }

  getCounts(types, delayedUntil) {
    return this.read(queries.getCounts, { types, delayedUntil });
  }

  getCountsPerPriority(priorities) {
    return this.read(queries.getCountsPerPriority, { priorities });
  }

  getRanges(types, start = 0, end = 1, asc = false) {
    return this.read(queries.getRanges, { types, start, end, asc });
  }

  getDependencyCounts(id, types) {
    return this.read(queries.getDependencyCounts, { id, types });
  }

  async getDependencies(id, asked = {}) {
    const names = Object.keys(CURSORS).filter((name) => asked[name]);
    const isAll = names.length === 0;
    const pages = isAll
      ? undefined
      : Object.fromEntries(
          names.map((name) => [name, { ...PAGE, ...asked[name] }]),
        );
    const found = await this.read(queries.getDependencies, { id, pages });
    const result = {};
    for (const [name, { children, next }] of Object.entries(found)) {
      result[name] = LISTED[name](children);
      if (!isAll) result[CURSORS[name]] = next;
    }
    return result;
  }

  getProcessedChildrenValues(id) {
    const status = Child.Processed;
    return this.read(queries.getChildrenValues, { id, status });
  }

  getIgnoredChildrenFailures(id) {
    const status = Child.Ignored;
    return this.read(queries.getChildrenValues, { id, status });
  }

  getMetrics(kind, start = 0, end = -1) {
    return this.read(getMetrics, { kind, start, end });
  }

  async getClientList() {
    return [await this.read(getClientList)];
  }

  /** @param {string} key a job's `processed` or `dependencies` */
  async paginate(key, { start, end, fetchJobs: withJobs = false }) {
    const prefix = `${this.qualifiedName}:`;
    const inner = key.startsWith(prefix) ? key.slice(prefix.length) : key;
    const cut = inner.lastIndexOf(':');
    const isProcessed = inner.slice(cut + 1) === 'processed';
    const status = isProcessed ? Child.Processed : Child.Pending;
    const id = inner.slice(0, cut);
    const args = { id, status, start, end, withJobs };
    const { children, total, jobs } = await this.read(queries.paginate, args);
    const items = children.map((child) => ({
      id: child.key,
      ...(isProcessed && parse(child.value)),
    }));
    return { cursor: '0', items, total, jobs };
  }

  getJobScheduler(sid) {
    return this.read(schedulers.getJobScheduler, { sid });
  }

  isJobScheduler(sid) {
    return this.read(schedulers.isJobScheduler, { sid });
  }

  getJobSchedulerData(sid) {
    return this.read(schedulers.getJobSchedulerData, { sid });
  }

  getJobSchedulersRange(start, end, asc) {
    return this.read(schedulers.getJobSchedulersRange, { start, end, asc });
  }

  getJobSchedulersCount() {
    return this.read(schedulers.getJobSchedulersCount);
  }

  getQueueMeta() {
    return this.read(getQueueMeta);
  }

  async getQueueMetaField(field) {
    return (await this.getQueueMeta())[field] ?? null;
  }

  async getQueueMetaFields(fields) {
    const meta = await this.getQueueMeta();
    return fields.map((field) => meta[field] ?? null);
  }

  async hasQueueMetaField(field) {
    return Object.hasOwn(await this.getQueueMeta(), field);
  }
}

module.exports = { ReadingBackend };
