'use strict';
// Node's worker threads and their ports, without threads: what is posted waits
// until the world lets the other side have it.

const { AheadWords } = require('../../lib/executors/owned/ahead-words.js');

class FakePort {
  inbox = [];
  isRef = false;
  isClosed = false;
  other = null;
  #listeners = new Map();

  on(event, listener) {
    this.#listeners.set(event, listener);
    // A listener for messages is a `ref`, as Node's is.
    if (event === 'message') this.isRef = true;
    return this;
  }

  postMessage(data) {
    if (!this.isClosed && !this.other.isClosed) {
      this.other.inbox.push(structuredClone(data));
    }
  }

  /** One message comes. */
  receive() {
    this.#listeners.get('message')(this.inbox.shift());
  }

  ref() {
    this.isRef = true;
  }

  unref() {
    this.isRef = false;
  }

  close() {
    this.isClosed = true;
    this.isRef = false;
  }
}

class FakeChannel {
  port1 = new FakePort();
  port2 = new FakePort();

  constructor() {
    this.port1.other = this.port2;
    this.port2.other = this.port1;
    threads.ports.push(this.port1);
  }
}

/** A thread of the owner's, as the owner sees it. */
class FakeWorker {
  isRef = true;
  isOnline = false;
  isTerminated = false;
  /** Node has let go of it then, and nothing holds it. */
  hasExited = false;
  /** Those that run: `{ seq, call, … }`. */
  jobs = [];
  isReady = false;
  /** The messages of jobs that came ahead of their turn, and of those that it begins. */
  waiting = [];
  taken = [];
  /** It waits for its owner's word before it begins one that is ahead. */
  isHeld = false;
  isSpoilt = false;
  isLeaving = false;
  #listeners = new Map();

  constructor(_file, { workerData }) {
    if (threads.refuse()) throw new Error('no thread');
    this.flags = workerData.flags;
    this.ahead = new AheadWords(workerData.ahead);
    this.most = workerData.options.concurrency;
    this.port = workerData.port;
    this.reasons = workerData.reasons;
    threads.workers.push(this);
  }

  on(event, listener) {
    this.#listeners.set(event, listener);
    return this;
  }

  emit(event, value) {
    this.#listeners.get(event)(value);
  }

  ref() {
    if (!this.hasExited) this.isRef = true;
  }

  unref() {
    this.isRef = false;
  }

  terminate() {
    this.isTerminated = true;
    return Promise.resolve(1);
  }
}

const threads = {
  workers: [],
  ports: [],
  /** Whether the system has no thread to give. */
  refuse: () => false,
  module: {
    MessageChannel: FakeChannel,
    Worker: FakeWorker,
    isMainThread: true,
    receiveMessageOnPort(port) {
      if (port.inbox.length === 0) return undefined;
      return { message: port.inbox.shift() };
    },
    SHARE_ENV: Symbol('SHARE_ENV'),
  },
};

module.exports = { threads };
