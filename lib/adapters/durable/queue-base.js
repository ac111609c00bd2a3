'use strict';

const { EventEmitter } = require('node:events');

const { checkName } = require('../../base/validate.js');
const { Job } = require('./job.js');
const { Store } = require('./store.js');

/** The base of Queue and Worker: a name in a file, and events. */
class QueueBase extends EventEmitter {
  #closing;

  constructor(kind, name, opts) {
    super();
    this.name = checkName(kind, name);
    this.opts = opts;
    this.store = Store.acquire(opts.connection);
    // Other properties than these are private in BullMQ too.
    Object.defineProperty(this, 'store', { enumerable: false });
  }

  get qualifiedName() {
    return `durable:${this.name}`;
  }

  get closing() {
    return this.#closing;
  }

  /** An error in a listener is an `error` event, and never ends the process. */
  emit(event, ...args) {
    try {
      return super.emit(event, ...args);
    } catch (error) {
      if (event === 'error') {
        console.error(error);
        return false;
      }
      return this.emit('error', error);
    }
  }

  async waitUntilReady() {}

  /** @returns {Promise<Job | undefined>} */
  getJob(id) {
    return this.store.read(() => {
      const row = this.store.sql.job.get(this.name, String(id));
      return row === undefined ? undefined : Job.fromRow(this, row);
    });
  }

  /** The next place of this queue. REQUIRES: a transaction. */
  nextPlace() {
    const { sql } = this.store;
    const row = sql.nextPlace.get(this.name);
    if (row !== undefined) return row.place;
    sql.addQueue.run(this.name);
    return sql.nextPlace.get(this.name).place;
  }

  close(...args) {
    this.#closing ??= this.closeOnce(...args);
    return this.#closing;
  }

  on(event, listener) {
    return super.on(event, listener);
  }
}

module.exports = { QueueBase };
