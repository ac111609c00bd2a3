'use strict';

const { Code } = require('../protocol/diagnostics.gen.js');
const { Fifo } = require('../base/fifo.js');
const { createMessageWorker } = require('../message-worker/message-worker.js');
const {
  WORKER_OPTIONS,
  workerSettings,
} = require('./engines/worker-options.js');
const { refuseMistaken } = require('../options/mistaken-options.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');

/**
 * A pool of workers that answer tasks by messages: `{ id, data }` goes to the
 * worker, `{ callbackId, result }` or `{ callbackId, error }` comes back. One
 * task per worker at a time, tasks in the order they came.
 */
class MessageWorkerPool {
  // The public name is another class's here.
  static {
    Object.defineProperty(MessageWorkerPool, 'name', { value: 'WorkerPool' });
  }

  /** Tasks that run now. */
  pendingTasks = 0;
  /** The live workers. */
  workerPool = new Set();
  #settings;
  #keepAlive;
  #tasks = new Map();
  #queue = new Fifo();
  #idle = [];
  #nextId = 0;
  #stopped = false;
  #terminated = false;

  /**
   * @param {number} [workerNumber] all are started at once
   * @param {string | URL} workerPath
   * @param {unknown} [workerData]
   * @param {{ runtime?: 'isolate' | 'thread', keepAlive?: boolean,
   *   memoryLimitMb?: number }} [options] `keepAlive`: idle workers hold the
   *   process
   */
  constructor(workerNumber = 1, workerPath, workerData = {}, options = {}) {
    refuseMistaken('WorkerPool', options ?? {}, WORKER_OPTIONS);
    this.workerNumber = workerNumber;
    this.workerPath = workerPath;
    this.#settings = {
      ...workerSettings(options),
      module: workerPath,
      workerData,
    };
    this.#keepAlive = Boolean(options.keepAlive);
    for (let i = 0; i < workerNumber; i++) this.#startWorker();
  }

  get stopped() {
    return this.#stopped;
  }

  /**
   * @param {unknown} data
   * @returns {Promise<unknown>} the worker's result; rejects with the worker's
   *   own `error` value, unwrapped
   * @throws {SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD} data that cannot travel
   * @throws {SLOPPY_E_WORK_QUEUE_STOPPED} after `terminate()`
   */
  submit(data) {
    const id = this.#nextId++;
    if (this.#terminated) {
      const text = 'worker pool is terminated';
      return Promise.reject(workerError(Code.QueueStopped, text));
    }
    const task = { id, data };
    task.promise = new Promise((resolve, reject) => {
      task.resolve = resolve;
      task.reject = reject;
    });
    this.#queue.push(task);
    this.#dispatch();
    return task.promise;
  }

  /** Gives out no more tasks; those that run end, the queue is kept. */
  stop() {
    this.#stopped = true;
  }

  /** Gives out tasks again. */
  resume() {
    if (!this.#stopped || this.#terminated) return;
    this.#stopped = false;
    this.#dispatch();
  }

  /** @returns {Promise<void>} resolves when no task runs */
  wait() {
    if (this.pendingTasks === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle.push(resolve);
    });
  }

  /**
   * Ends the workers, running tasks included. Unanswered tasks reject, but not
   * as unhandled rejections, because the caller that ends a pool need not
   * listen.
   *
   * @returns {Promise<number>} the workers left: 0
   */
  async terminate() {
    this.#terminated = true;
    this.#stopped = true;
    while (this.#queue.length > 0) {
      abort(this.#queue.shift(), workerError(Code.ShutdownCancelled));
    }
    for (const worker of [...this.workerPool]) await worker.terminate();
    return this.workerPool.size;
  }

  async [Symbol.asyncDispose]() {
    await this.terminate();
  }

  #startWorker() {
    const worker = createMessageWorker(this.#settings);
    let online = false;
    this.workerPool.add(worker);
    worker.once('online', () => {
      online = true;
    });
    worker.on('message', (data) => this.#onMessage(worker, data));
    worker.on('error', (err) => {
      const text = `Worker error: ${err?.message || err}`;
      this.#fail(worker, codedError(text, Code.Crashed, err));
    });
    worker.on('exit', (code, cause) =>
      this.#onExit(worker, code, cause, online),
    );
    if (!this.#keepAlive) worker.unref();
  }

  #dispatch() {
    while (!this.#stopped && this.#queue.length > 0) {
      const worker = this.#freeWorker();
      if (worker === undefined) return;
      this.#run(worker, this.#queue.shift());
    }
  }

  #freeWorker() {
    for (const worker of this.workerPool) {
      if (!worker.exiting && !this.#tasks.has(worker)) return worker;
    }
    // A worker that never came up is replaced only when it is needed.
    if (this.workerPool.size < this.workerNumber) {
      this.#startWorker();
      return this.#freeWorker();
    }
    return undefined;
  }

  #run(worker, task) {
    try {
      worker.postMessage({ id: task.id, data: task.data });
    } catch (err) {
      task.reject(err);
      return;
    }
    this.#tasks.set(worker, task);
    this.pendingTasks++;
    worker.ref();
  }

  #onMessage(worker, data) {
    const task = this.#tasks.get(worker);
    if (task === undefined || data?.callbackId !== task.id) return;
    const { error, result } = data;
    this.#release(worker);
    if (error) task.reject(error);
    else task.resolve(result);
    this.#afterTask(worker);
  }

  // The worker is dying: its task fails, and it gets no other.
  #fail(worker, err) {
    const task = this.#tasks.get(worker);
    if (this.#terminated) abort(task, err);
    else task?.reject(err);
    this.workerPool.delete(worker);
    this.#release(worker);
  }

  #onExit(worker, code, cause, online) {
    const text = `Worker stopped with exit code ${code}`;
    const reason = this.#terminated ? Code.ShutdownCancelled : Code.Crashed;
    this.#fail(worker, codedError(text, reason, cause));
    if (online && !this.#terminated) this.#startWorker();
    this.#afterTask(worker);
  }

  #release(worker) {
    if (this.#tasks.delete(worker)) this.pendingTasks--;
  }

  #afterTask(worker) {
    this.#dispatch();
    if (!this.#tasks.has(worker) && !this.#keepAlive) worker.unref();
    if (this.pendingTasks > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

function abort(task, err) {
  if (task === undefined) return;
  task.promise.catch(() => {});
  task.reject(err);
}

function codedError(text, code, cause) {
  const err = new Error(text, cause === undefined ? undefined : { cause });
  Object.defineProperty(err, 'code', { value: code });
  return err;
}

module.exports = { MessageWorkerPool, WorkerPool: MessageWorkerPool };
