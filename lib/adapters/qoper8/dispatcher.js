'use strict';

const { Fifo } = require('../../base/fifo.js');
const answers = require('./answers.js');
const { Backup } = require('./backup.js');
const { refuseUnsaved, settle } = require('./entry.js');
const { IdleWatch } = require('./idle-watch.js');
const { Lookahead } = require('./lookahead.js');
const { marked, snapshot, unmarked } = require('./marks.js');
const { SpareWorkers } = require('./spare-workers.js');
const { WorkerHandle } = require('./worker-handle.js');

// Milliseconds for a worker whose handler timed out to shut itself down.
const CONDEMNED_GRACE_MS = 250;

/**
 * The queue and its workers. Events of messages and workers have a fixed order,
 * on which callers depend; see docs/neighbours/qoper8.md.
 */
class Dispatcher {
  workers = new Map();
  accepted = 0;
  #qoper8;
  #events;
  #options;
  #backup;
  #queue = new Fifo();
  #nextWorkerId = 0;
  #stopped = false;
  #idleWatch;
  #lookahead;
  #spares;
  #onEmpty;

  constructor(qoper8, events, options, onEmpty) {
    this.#onEmpty = onEmpty;
    this.#qoper8 = qoper8;
    this.#events = events;
    this.#options = options;
    this.#backup = new Backup(options.backup, events, (text) =>
      qoper8.log(text),
    );
    this.#idleWatch = new IdleWatch(this.workers, options, (text) =>
      qoper8.log(text),
    );
    // A worker is sent one message at a time if each has a time limit.
    this.#lookahead = new Lookahead(this.workers, this.#queue, {
      enabled: options.handlerTimeoutMs === 0,
      onRefused: (worker, entry, err) => this.#refuse(worker, entry, err),
      onTakenBack: () => this.dispatch(),
    });
    this.#spares = new SpareWorkers(options.worker, {
      poolSize: options.poolSize,
      limitMs: options.inactivityLimitMs,
    });
  }

  get waiting() {
    return this.#queue.length + this.#lookahead.count;
  }

  add(message, callback, reject, context) {
    if (message === null || typeof message !== 'object') {
      throw new TypeError('a message must be an object.');
    }
    if (this.#stopped) {
      callback?.(answers.stoppedError());
      return;
    }
    const request = snapshot(message);
    const { rejectOverflow, maxQueued } = this.#options;
    if (rejectOverflow && this.waiting >= maxQueued) {
      callback?.(answers.overflowError(request));
      return;
    }
    const no = ++this.accepted;
    // Saved before the message can be seen or sent; refused if that fails.
    const { isRequired } = this.#backup;
    if (isRequired) {
      const refusal = this.#backup.add(no, request);
      if (refusal !== undefined) {
        refuseUnsaved(request, callback, reject, refusal.error);
        return;
      }
    }
    const pace = this.#lookahead.paceOf(request.type);
    this.#queue.push({
      no,
      request,
      callback,
      reject,
      context,
      pace,
      offer: 0,
    });
    if (!isRequired) this.#backup.add(no, request);
    if (this.#events.has('addedToQueue')) {
      const qoper8 = { messageNo: no };
      this.#events.tell('addedToQueue', { ...request, qoper8 });
    }
    // No worker is free if others wait already; the next answer dispatches.
    const { poolSize } = this.#options;
    if (
      this.#queue.length > 1 &&
      this.workers.size >= poolSize &&
      !this.#qoper8.logging
    ) {
      return;
    }
    this.#dispatch();
  }

  /** Ends the workers one after the other; waiting messages stay queued. */
  async stop() {
    this.#stopped = true;
    const deadline = Date.now() + this.#options.stopTimeoutMs;
    this.#lookahead.takeBackAll();
    this.#spares.end();
    for (const worker of [...this.workers.values()]) {
      const name = `Worker Thread ${worker.id}`;
      const { free } = worker;
      this.#qoper8.log(
        free
          ? `${name} is being stopped`
          : `Waiting for ${name} to become available`,
      );
      await worker.drain(Math.max(deadline - Date.now(), 1));
      this.#qoper8.log(`${name} has been stopped (${free ? 1 : 2})`);
    }
    return this.#stopped;
  }

  start() {
    this.#stopped = false;
  }

  /** Gives free workers the head of the queue, and starts workers for it. */
  dispatch() {
    if (!this.#stopped) this.#dispatch();
  }

  #dispatch() {
    if (this.#qoper8.logging) this.#logQueue();
    for (const worker of this.workers.values()) {
      while (worker.free) {
        if (this.#queue.length === 0 && !this.#lookahead.takeShare()) break;
        this.#qoper8.log(
          `worker ${worker.id} was available. Sending message to it`,
        );
        this.#sendTo(worker, this.#queue.shift());
      }
    }
    if (this.#queue.length === 0) {
      this.#onEmpty();
      return;
    }
    this.#qoper8.log('no available workers');
    if (this.workers.size < this.#options.poolSize) this.#startWorkers();
    this.#lookahead.fill();
  }

  #logQueue() {
    this.#qoper8.log(`try processing queue: length ${this.waiting}`);
    if (this.waiting === 0) this.#qoper8.log('Queue empty');
  }

  #startWorkers() {
    let wanted = this.#queue.length;
    for (const worker of this.workers.values()) {
      if (worker.state === 'starting') wanted--;
    }
    for (; wanted > 0; wanted--) {
      if (this.workers.size >= this.#options.poolSize) return;
      this.#startWorker();
    }
  }

  #sendTo(worker, entry) {
    try {
      worker.post([entry]);
    } catch (err) {
      this.#refuse(worker, entry, err);
      return;
    }
    this.#begin(worker, entry, performance.now());
  }

  #begin(worker, entry, now) {
    worker.begin(entry, now);
    const { handlerTimeoutMs } = this.#options;
    if (handlerTimeoutMs > 0) {
      worker.startTimer(handlerTimeoutMs, () => this.#onTimeout(worker));
    }
    if (this.#events.has('sentToWorker')) {
      const message = { ...entry.request, qoper8: {} };
      this.#events.tell('sentToWorker', { message, workerId: worker.id });
    }
  }

  #refuse(worker, entry, err) {
    this.#qoper8.log(`Message ${entry.no} cannot be sent to a worker`);
    this.#backup.delete(entry.no);
    if (entry.reject) entry.reject(err);
    else settle(worker, entry, answers.payloadError(entry.request, err));
  }

  #startWorker() {
    const id = this.#nextWorkerId++;
    this.#qoper8.log('starting new worker');
    let worker;
    try {
      worker = new WorkerHandle(id, this, {
        spare: this.#spares.take(),
        logging: this.#qoper8.logging,
        handlers: this.#qoper8.handlersByMessageType,
        startup: this.#options.onStartup,
      });
    } catch (err) {
      // Deferred like every other answer, not called inside the caller's
      // `send`.
      queueMicrotask(() => this.#failHead(id, { cause: err }));
      return;
    }
    this.workers.set(id, worker);
    this.#idleWatch.start();
    this.#events.tell('workerStarted', id);
  }

  onStarted(worker, reply) {
    this.onReply(worker, reply);
    if (worker.state === 'starting') worker.becameReady();
    this.#events.tell(worker.events.available);
    this.#events.tell(worker.events.response, {
      ...reply,
      qoper8: { init: true, finished: true },
    });
    this.#settleDown(worker);
  }

  onStartFailed(worker, failure) {
    if (failure.error) {
      this.onReply(worker, { ...failure, workerId: worker.id });
    }
    this.#retire(worker);
    this.#failHead(worker.id, failure);
  }

  // Fails the message for which a worker was started; the next one gets a
  // worker of its own, so that a repaired startup is noticed.
  #failHead(id, failure) {
    if (this.#stopped || this.#queue.length === 0) return;
    const entry = this.#queue.shift();
    const answer = answers.startError(failure, entry.request, id);
    settle({ id }, entry, marked(answer));
    this.#backup.delete(entry.no);
    this.#dispatch();
  }

  onReply(worker, value) {
    if (this.#events.any && this.#events.has('replyReceived')) {
      const reply = unmarked(value);
      this.#events.tell('replyReceived', { reply, workerId: worker.id });
    }
    if (this.#qoper8.logging) {
      this.#qoper8.log(`response received from Worker: ${worker.id}`);
      this.#qoper8.log(JSON.stringify(unmarked(value), null, 2));
    }
  }

  onAnswer(worker, { answer, error }) {
    const entry = worker.current;
    if (entry === undefined) return;
    const value = error ? answers.handlerError(error, entry.request) : answer;
    this.onReply(worker, value);
    marked(value);
    settle(worker, entry, value);
    if (this.#events.any) {
      this.#events.tell(worker.events.available);
      this.#events.tell(worker.events.response, value);
    }
    this.#backup.delete(entry.no);
    worker.release();
    const now = performance.now();
    this.#lookahead.answered(worker, entry, now);
    if (error?.shutdown) {
      this.#retire(worker);
      this.dispatch();
    } else if (!this.#goOn(worker, now)) this.#settleDown(worker);
  }

  onStats(worker, stats) {
    this.onReply(worker, stats);
    marked(stats);
    this.#events.tell(worker.events.available);
    this.#events.tell(worker.events.response, stats);
    worker.takeStats()(stats);
    this.#settleDown(worker);
  }

  onStopped(worker) {
    this.onReply(worker, {});
    const entry = worker.release();
    if (entry !== undefined) {
      settle(worker, entry, { qoper8: { shutdown: true } });
      this.#backup.delete(entry.no);
    }
    this.#qoper8.log(`QOper8 is shutting down Worker Thread ${worker.id}`);
    this.#retire(worker);
    this.dispatch();
  }

  onEnded(worker, exitCode) {
    this.#qoper8.log(
      `Worker Thread ${worker.id} has stopped with exitCode ${exitCode}`,
    );
  }

  onExit(worker, cause) {
    if (worker.state === 'starting') {
      this.onStartFailed(worker, { cause });
      return;
    }
    const entry = worker.release();
    if (entry !== undefined) {
      this.#backup.delete(entry.no);
      this.#events.tell('threadExit', entry.request);
    }
    this.#retire(worker);
    if (entry !== undefined) {
      settle(worker, entry, answers.exitError(entry.request, cause));
    }
    this.dispatch();
  }

  #onTimeout(worker) {
    const entry = worker.release();
    this.#backup.delete(entry.no);
    settle(worker, entry, answers.timeoutError(entry.request));
    worker.dismiss(CONDEMNED_GRACE_MS);
    worker.becameFree();
  }

  /**
   * Begins the next entry that was sent ahead to a worker.
   *
   * @returns {boolean} whether nothing else is to do, as after most answers
   */
  #goOn(worker, now) {
    if (!worker.free || worker.ahead.length === 0) return false;
    this.#begin(worker, this.#lookahead.next(worker), now);
    if (this.#qoper8.logging) return false;
    return this.#queue.length === 0 || this.#lookahead.hasEnough(worker);
  }

  #settleDown(worker) {
    this.#goOn(worker, performance.now());
    worker.becameFree();
    if (worker.overdue && worker.free) {
      worker.dismiss(this.#options.stopTimeoutMs, false);
    }
    this.dispatch();
    // An idle worker does not hold the process.
    worker.hold(!worker.idle || this.#options.keepAlive);
  }

  #retire(worker) {
    this.workers.delete(worker.id);
    this.#lookahead.lost(worker);
    worker.retire();
    this.#events.tell(worker.events.terminated);
    this.#events.tell('workerStopped', worker.id);
    worker.becameFree();
    if (this.workers.size === 0) this.#idleWatch.stop();
  }
}

module.exports = { Dispatcher };
