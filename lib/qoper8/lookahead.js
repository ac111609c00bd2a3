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
 * turn slow, its worker is asked for the rest back; one that is busy without a
 * pause can only tell when it comes to an end.
 */
class Lookahead {
  count = 0;
  #workers;
  #queue;
  #enabled;
  #onRefused;
  #streaks = new Map();
  #watch;
  #seen = new WeakSet();
  #silent = new WeakSet();

  constructor(workers, queue, { enabled, onRefused }) {
    this.#workers = workers;
    this.#queue = queue;
    this.#enabled = enabled;
    this.#onRefused = onRefused;
  }

  /** A worker without entries ahead got one. */
  began(worker) {
    if (this.#enabled) worker.startedAt = performance.now();
  }

  /** A worker's current entry was answered: its type was quick or not. */
  answered(worker, { request }) {
    if (!this.#enabled) return;
    const now = performance.now();
    const quick = now - worker.startedAt < QUICK_MS;
    // The next one ahead begins where this one ended.
    worker.startedAt = now;
    const streak = this.#streaks.get(request.type) ?? 0;
    if (!quick) this.#streaks.set(request.type, 0);
    else if (streak < QUICK_STREAK) this.#streaks.set(request.type, streak + 1);
  }

  /** Gives busy workers an even share of the queue's head. */
  fill() {
    if (!this.#enabled) return;
    for (const worker of this.#workers.values()) {
      if (worker.state !== 'ready' || worker.current === undefined) continue;
      // A silent worker gets no more before its next answer.
      if (this.#silent.has(worker.current)) continue;
      if (this.#isQuick(worker.current)) this.#fillOne(worker);
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

  // In one go, and only when half of the last go is used up: what a message
  // costs its owner is mostly the sending.
  #fillOne(worker) {
    const share = Math.floor(this.#queue.length / this.#workers.size);
    const room = Math.min(share, DEPTH) - worker.ahead.length;
    if (room <= 0 || worker.ahead.length > DEPTH / 2) return;
    const entries = [];
    while (entries.length < room && this.#isQuick(this.#queue.peek())) {
      entries.push(this.#queue.shift());
    }
    for (const entry of this.#sendable(worker, entries)) {
      worker.ahead.push(entry);
      this.count++;
    }
  }

  /** Sends entries; those that cannot travel are refused and left out. */
  #sendable(worker, entries) {
    try {
      worker.post(entries);
      return entries;
    } catch (err) {
      if (entries.length > 1) {
        return entries.flatMap((entry) => this.#sendable(worker, [entry]));
      }
      this.#onRefused(worker, entries[0], err);
      return [];
    }
  }

  #startWatch() {
    this.#watch = setInterval(() => this.#check(), SILENCE_MS);
    this.#watch.unref();
  }

  // Called once per SILENCE_MS: an entry seen twice is one that takes long.
  #check() {
    for (const { current, ahead } of this.#workers.values()) {
      if (current === undefined || ahead.length === 0) continue;
      if (this.#seen.has(current)) this.#silent.add(current);
      this.#seen.add(current);
    }
    for (const worker of this.#workers.values()) {
      if (this.#silent.has(worker.current)) worker.recall();
    }
    if (this.count > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }
}

module.exports = { Lookahead };
