'use strict';

const path = require('node:path');
const {
  MessageChannel,
  Worker,
  receiveMessageOnPort,
} = require('node:worker_threads');

const { initDataOf } = require('../owned/init-data.js');
const { Packed } = require('../owned/packed.js');
const { unpacked } = require('../owned/packing-codec.js');
const { AheadWords } = require('../owned/ahead-words.js');
const { OUT_OF_MEMORY, guardFile, resourceLimits } = require('./heap-limit.js');
const { Sealing, createCodec } = require('./sealing.js');

const MAIN = path.join(__dirname, 'thread-main.js');

/** One of Node's worker threads, and what its owner and its realm share. */
class ThreadLine {
  static createCodec = createCodec;
  static sharesMemory = true;
  static mostBooting = Infinity;
  /** Kept, because Node forgets it when the thread ends. */
  threadId;
  /** The id of its process, if it is not this one. */
  pid = undefined;
  /** The words about the jobs that were sent ahead of their turn. */
  ahead;
  /** Bytes of a job: an owner that copies more keeps its program waiting. */
  mostAhead = 2 ** 26;
  #events;
  #worker;
  // The pool's own port: parentPort belongs to the jobs.
  #port;
  // A port of its own, read when the job's code requests its reason.
  #reasons;
  // [reason for ending the job, 1 if the heap's limit was reached, one of
  // Start].
  #flags = new Int32Array(new SharedArrayBuffer(12));
  #code = 1;
  #sealing = new Sealing();
  #cause;

  /**
   * @param {object} events see PoolWorker
   * @param {number} _number of the worker
   * @param {object} options of the realm
   * @param {object} settings of the pool
   * @throws {unknown} why there is no thread
   */
  constructor(events, _number, options, settings) {
    this.#events = events;
    const { concurrentJobsPerWorker } = settings;
    this.ahead = new AheadWords(AheadWords.room(concurrentJobsPerWorker));
    const reasons = new MessageChannel();
    const reports = new MessageChannel();
    this.#reasons = reasons.port1;
    this.#port = reports.port1;
    reasons.port1.unref();
    const data = {
      options,
      initData: settings.init && initDataOf(settings),
      flags: this.#flags,
      ahead: this.ahead.memory,
      reasons: reasons.port2,
      port: reports.port2,
      guard: guardFile(),
    };
    this.#worker = this.#open(data, [reasons.port2, reports.port2], settings);
    this.threadId = this.#worker.threadId;
    this.#listen();
  }

  // Objects without a prototype, because Node reads inherited options too.
  #open(workerData, transferList, { memoryLimitMb, nodeOptions }) {
    try {
      return new Worker(MAIN, {
        __proto__: null,
        ...nodeOptions,
        workerData,
        transferList,
        resourceLimits: {
          __proto__: null,
          ...resourceLimits(memoryLimitMb),
          ...nodeOptions.resourceLimits,
        },
      });
    } catch (error) {
      this.#closePorts();
      throw error;
    }
  }

  #listen() {
    const worker = this.#worker;
    const { online, posted, lost, exited } = this.#events;
    worker.on('online', online);
    // The value comes from the jobs' parentPort.
    worker.on('message', posted);
    // Nobody could receive it.
    worker.on('messageerror', () => {});
    worker.on('error', (error) => {
      this.#cause = error;
    });
    worker.on('exit', (code) => {
      this.#code = code;
      exited();
    });
    this.#port.on('message', (message) => this.#report(message));
    this.#port.on('messageerror', lost);
    // Last, because a listener for messages is a `ref`.
    this.hold(false);
  }

  #report(message) {
    let opened;
    try {
      opened = this.#sealing.open(message);
    } catch {
      this.#events.lost();
      return;
    }
    this.#events.report(opened);
  }

  send(message, buffers) {
    this.#port.postMessage(this.#sealing.seal(message), buffers);
  }

  // A reason has a port of its own, whose order is another.
  sendReason(message) {
    const { value } = message;
    const plain = value instanceof Packed ? unpacked(value) : value;
    this.#reasons.postMessage({ ...message, value: plain });
  }

  /** Why its job is to end, one of End; 0 if it is not. */
  set why(why) {
    Atomics.store(this.#flags, 0, why);
  }

  /** How far its start is, one of Start. */
  get state() {
    return Atomics.load(this.#flags, 2);
  }

  hold(yes) {
    if (yes) {
      this.#worker.ref();
      this.#port.ref();
    } else {
      this.#worker.unref();
      this.#port.unref();
    }
  }

  terminate() {
    this.#worker.terminate();
  }

  /** Reads what it has said, although this thread may have been busy. */
  drain() {
    for (;;) {
      const received = receiveMessageOnPort(this.#port);
      if (received === undefined) break;
      this.#report(received.message);
    }
  }

  /** Nothing comes from it any more but what it has said already. */
  close() {
    this.drain();
    this.#closePorts();
  }

  #closePorts() {
    this.#reasons.close();
    this.#port.close();
  }

  /** @returns {object} for `endOf` */
  end() {
    const isHit = Atomics.load(this.#flags, 1) === 1;
    const thrown = isHit ? undefined : this.#cause;
    const exitCode = this.#code;
    const { name, message, stack } =
      thrown ?? new Error(`process.exit(${exitCode}) was called in a worker`);
    const props = thrown === undefined ? { exitCode } : {};
    return {
      state: this.state,
      isOverLimit: isHit || thrown?.code === OUT_OF_MEMORY,
      value: { type: 'Error', name, message, stack, props },
    };
  }
}

module.exports = { ThreadLine };
