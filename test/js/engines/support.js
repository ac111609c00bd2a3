'use strict';

const { EventEmitter } = require('node:events');
const path = require('node:path');

const fixture = (name) => path.join(__dirname, 'fixtures', name);

/** The part of BullMQ's job that a processor calls; its calls are recorded. */
class FakeJob {
  constructor(data, { name = 'job', id = '1', ...more } = {}) {
    Object.assign(this, { data, name, id, attemptsMade: 0, calls: [] }, more);
  }

  async updateProgress(progress) {
    await new Promise(setImmediate);
    this.calls.push(['progress', progress]);
  }

  async log(row) {
    await new Promise(setImmediate);
    return this.calls.push(['log', row]);
  }

  async updateData(data) {
    this.data = data;
    this.calls.push(['updateData', data]);
  }

  async moveToWait(token) {
    this.calls.push(['moveToWait', token]);
  }

  async moveToDelayed(timestamp, token) {
    this.calls.push(['moveToDelayed', timestamp, token]);
  }

  async getChildrenValues() {
    return { child: 1 };
  }

  asJSONSandbox() {
    const { id, name, attemptsMade } = this;
    const data = JSON.stringify(this.data);
    const queueQualifiedName = 'bull:queue';
    return { id, name, attemptsMade, data, queueQualifiedName };
  }

  of(kind) {
    return this.calls.filter(([name]) => name === kind);
  }
}

class FakeWorker extends EventEmitter {
  concurrency = 1;
  lost = [];

  constructor(opts) {
    super();
    this.opts = { lockDuration: 30_000, maxStalledCount: 5, ...opts };
  }

  async extendJobLocks() {
    return this.lost;
  }

  async close() {
    this.emit('closing');
  }
}

const until = async (isTrue) => {
  while (!(await isTrue()))
    await new Promise((resolve) => setTimeout(resolve, 5));
};

const rejection = (promise) =>
  promise.then(
    () => Promise.reject(new Error('it did not reject')),
    (error) => error,
  );

module.exports = { FakeJob, FakeWorker, fixture, rejection, until };
