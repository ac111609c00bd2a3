'use strict';

// At most this many messages are with a worker before their turn.
const DEPTH = 32;
// A type is quick after this many answers in a row within this time.
const QUICK_STREAK = 16;
const QUICK_MS = 2;
// How long a worker may stay silent before it gives back what it did not begin.
const SILENCE_MS = 20;

/**
 * Sends messages to busy workers before their turn, so that a worker need not
 * wait for its owner between two of them. Nobody else can tell: an entry counts
 * as waiting, and is told as sent, only when its worker comes to it.
 *
 * Only types that answered quickly are sent ahead, and only behind such a type,
 * because what is with one worker cannot go to another. Should a quick type
 * turn slow, its worker is asked for the rest back.
 */
class Lookahead {
  count = 0;
  #workers;
  #queue;
  #enabled;
  #onRefused;
  #streaks = new Map();
  #watch;
  #seen = new Map();

  constructor(workers, queue, { enabled, onRefused }) {
    this.#workers = workers;
    this.#queue = queue;
    this.#enabled = enabled;
    this.#onRefused = onRefused;
  }

  /** An entry's turn came. */
  began(entry) {
    if (this.#enabled) entry.startedAt = performance.now();
  }

  /** An entry was answered: its type was quick or not. */
  answered({ startedAt, request }) {
    if (!this.#enabled) return;
    const quick = performance.now() - startedAt < QUICK_MS;
    const streak = quick ? (this.#streaks.get(request.type) ?? 0) + 1 : 0;
    this.#streaks.set(request.type, streak);
  }

  /** Gives busy workers an even share of the queue's head. */
  fill() {
    if (!this.#enabled) return;
    for (const worker of this.#workers.values()) {
      if (worker.state !== 'ready' || worker.current === undefined) continue;
      if (worker.ahead.length > 0 || this.#isQuick(worker.current)) {
        this.#fillOne(worker);
      }
    }
    if (this.count > 0 && this.#watch === undefined) this.#startWatch();
  }

  /** The entry whose turn it is at a worker that became free. */
  next(worker) {
    this.count--;
    return worker.ahead.shift();
  }

  /** The last `count` entries of a worker go back to the queue's head. */
  takeBack(worker, count) {
    if (count === 0) return;
    const entries = worker.ahead.splice(-count);
    this.count -= entries.length;
    this.#queue.unshift(...entries);
  }

  #isQuick({ request }) {
    return (this.#streaks.get(request.type) ?? 0) >= QUICK_STREAK;
  }

  #fillOne(worker) {
    const share = Math.floor(this.#queue.length / this.#workers.size);
    const depth = Math.min(share, DEPTH);
    while (worker.ahead.length < depth && this.#isQuick(this.#queue.peek())) {
      const entry = this.#queue.shift();
      try {
        worker.post(entry);
      } catch (err) {
        this.#onRefused(worker, entry, err);
        continue;
      }
      worker.ahead.push(entry);
      this.count++;
    }
  }

  #startWatch() {
    this.#watch = setInterval(() => this.#check(), SILENCE_MS);
    this.#watch.unref();
  }

  #check() {
    for (const worker of this.#workers.values()) {
      const silent = this.#seen.get(worker.id) === worker.current;
      if (worker.ahead.length > 0 && silent) worker.recall();
    }
    this.#seen.clear();
    if (this.count === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
      return;
    }
    for (const worker of this.#workers.values()) {
      this.#seen.set(worker.id, worker.current);
    }
  }
}

module.exports = { Lookahead };
