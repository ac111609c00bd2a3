'use strict';

const { Fifo } = require('../../base/fifo.js');
const { MAX_TIMER_MS, timerMs } = require('../../base/timer-ms.js');
const { moduleUrl } = require('../../entries/module-url.js');
const { Offers } = require('./claims.js');
const { packArguments } = require('./start-arguments.js');

// Milliseconds for a worker that shut itself down to end.
const LAST_WORDS_MS = 100;

// A process-wide counter replaces the thread number, which is not exposed.
let lastThreadId = 0;

/**
 * The owner's side of one worker: `starting`, then `ready` until it is asked to
 * stop, then `stopping`, and `gone` once out of the pool. It holds the one
 * entry that runs in its worker; the pool chooses it.
 *
 * The pool's callbacks: `onStarted`, `onStartFailed(failure)`,
 * `onAnswer(data)`, `onReply(value)`, `onStats(stats)`, `onStopped()`,
 * `onEnded(exitCode)`, `onExit(cause)` of one that was still wanted, each with
 * the handle first.
 */
class WorkerHandle {
  state = 'starting';
  current = undefined;
  /** Entries that are with the worker already, behind the current one. */
  ahead = new Fifo();
  /** The start of the current entry, in ms of `performance.now()`. */
  startedAt = performance.now();
  overdue = false;
  /** The worker reported that it shut itself down. */
  closing = false;
  lastActivityAt = performance.now();
  #worker;
  #held = true;
  #timer;
  #stats = [];
  #free = [];
  #offers = new Offers();
  #ended;

  constructor(id, pool, { spare, logging, handlers, startup }) {
    this.id = id;
    this.events = {
      available: `worker${id}Available`,
      response: `worker${id}Response`,
      terminated: `worker${id}Terminated`,
    };
    this.#worker = spare.worker;
    spare.receive = (data) => this.#receive(pool, data);
    this.#ended = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.on('exit', (code, cause) => {
      pool.onEnded(this, code);
      if (this.state !== 'gone') pool.onExit(this, cause);
    });
    try {
      this.#worker.postMessage({
        op: 'start',
        id,
        threadId: ++lastThreadId,
        claims: this.#offers.buffer,
        logging: Boolean(logging),
        handlers: handlerSources(handlers),
        startup: startupSource(startup),
      });
    } catch (err) {
      this.retire();
      throw err;
    }
  }

  get free() {
    return this.state === 'ready' && this.current === undefined;
  }

  /** Sends requests, to be handled in this order; all of them or none. */
  post(entries) {
    if (entries.length === 0) return;
    const messages = new Array(entries.length);
    for (let i = 0; i < entries.length; i++) {
      messages[i] = entries[i].request;
      entries[i].offer = this.#offers.offer();
    }
    this.#worker.postMessage({ first: entries[0].offer, messages });
  }

  begin(entry, now) {
    this.hold(true);
    this.current = entry;
    this.startedAt = this.lastActivityAt = now;
  }

  /** Takes the entry back from the worker and resolves waiting drains. */
  release() {
    const entry = this.current;
    this.current = undefined;
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    return entry;
  }

  /** @returns {boolean} false if the worker has begun the entry */
  takeBack(entry) {
    return this.#offers.takeBack(entry.offer);
  }

  startTimer(ms, onTimeout) {
    this.#timer = setTimeout(onTimeout, timerMs(ms));
  }

  becameReady() {
    this.state = 'ready';
    this.lastActivityAt = performance.now();
  }

  becameFree() {
    if (this.#free.length === 0) return;
    for (const resolve of this.#free.splice(0)) resolve();
  }

  /** Whether this worker keeps the process alive. */
  hold(yes) {
    if (this.#held === yes) return;
    this.#held = yes;
    if (yes) this.#worker.ref();
    else this.#worker.unref();
  }

  /** @returns {Promise<object | undefined>} undefined from a lost worker */
  stats() {
    if (this.state === 'gone') return Promise.resolve(undefined);
    this.hold(true);
    this.lastActivityAt = performance.now();
    return new Promise((resolve) => {
      this.#stats.push(resolve);
      this.#worker.postMessage({ op: 'stats' });
    });
  }

  takeStats() {
    return this.#stats.shift();
  }

  /** Whether no message runs and no statistics are awaited. */
  get idle() {
    return this.free && this.#stats.length === 0 && this.#free.length === 0;
  }

  /**
   * Asks the worker to shut down, and ends it if it does not in time.
   *
   * @param {number} graceMs
   * @param {boolean} [asked] false: ends it without a message, because it has
   *   been idle for too long
   */
  dismiss(graceMs, asked = true) {
    if (this.state === 'gone' || this.state === 'stopping') return;
    this.state = 'stopping';
    this.hold(true);
    this.#killAfter(graceMs);
    this.#worker.postMessage({ op: 'stop', asked });
  }

  /** Lets the worker finish, then dismisses it; resolves when it ended. */
  async drain(graceMs) {
    this.hold(true);
    const timer = this.#killAfter(graceMs);
    while (this.state === 'starting' || this.current !== undefined) {
      await new Promise((resolve) => this.#free.push(resolve));
    }
    clearTimeout(timer);
    this.dismiss(graceMs);
    await this.#ended;
  }

  /** Removes the worker from the pool; its later messages are ignored. */
  retire() {
    // A worker that shut itself down may still be writing its output.
    const lastWordsMs = this.closing ? LAST_WORDS_MS : 0;
    this.state = 'gone';
    clearTimeout(this.#timer);
    for (const resolve of this.#stats.splice(0)) resolve(undefined);
    if (lastWordsMs > 0) this.#killAfter(lastWordsMs);
    else this.#worker.terminate();
  }

  #killAfter(ms) {
    // A time that is longer than a timer can be means no limit.
    if (!(ms <= MAX_TIMER_MS)) return undefined;
    const timer = setTimeout(() => this.#worker.terminate(), ms);
    this.#worker.once('exit', () => clearTimeout(timer));
    return timer;
  }

  #receive(pool, data) {
    if (this.state === 'gone') {
      // Last words, posted by a listener of `shutdown_signal_sent`.
      if (this.closing && 'value' in data) pool.onReply(this, data.value);
      return;
    }
    if (data.answer !== undefined || data.error !== undefined) {
      pool.onAnswer(this, data);
    } else if ('value' in data) pool.onReply(this, data.value);
    else if (data.started) pool.onStarted(this, data.started);
    else if (data.stats) pool.onStats(this, data.stats);
    else if (data.stopped) {
      this.closing = true;
      pool.onStopped(this);
    } else if (data.startFailed) pool.onStartFailed(this, data.startFailed);
  }
}

function handlerSources(handlers) {
  const entries =
    typeof handlers?.entries === 'function'
      ? [...handlers.entries()]
      : Object.entries(handlers ?? {});
  return entries.map(([type, source]) => [type, sourceOf(source)]);
}

function sourceOf(source) {
  if (source?.text) return { text: String(source.text) };
  if (!source?.module) return {};
  const module = String(source.module);
  return { module, url: moduleUrl(module) };
}

function startupSource(startup) {
  if (!startup?.module) return null;
  const module = String(startup.module);
  const args = packArguments(startup.arguments);
  return { module, url: moduleUrl(module), args };
}

module.exports = { WorkerHandle };
