'use strict';

// Messages that are with a worker before their turn, at most. They are sent in
// parts, because the first ones can begin while the next are written.
const DEPTH = 256;
const PART = 64;
// Types whose speed is remembered. More are the sender's own values, such as ids
// or objects, and the oldest are forgotten.
const MAX_TYPES = 1024;
// A type is quick after this many answers in a row within this time.
const QUICK_STREAK = 4;
const QUICK_MS = 2;
// Milliseconds of silence after which a worker's pending messages are taken
// back.
const SILENCE_MS = 20;

/**
 * Sends messages to busy workers before their turn, so that a worker need not
 * wait for its owner between two of them. This is invisible outside: an entry
 * counts as waiting, and is reported as sent, only when its worker begins it.
 *
 * Only types that answered quickly are sent ahead, and only behind such a type.
 * If a quick type turns slow, the rest is taken back for others, even while the
 * worker computes (claims.js).
 */
class Lookahead {
  count = 0;
  #workers;
  #queue;
  #enabled;
  #onRefused;
  #onTakenBack;
  #paces = new Map();
  #watch;
  #seen = new WeakSet();
  #silent = new WeakSet();

  constructor(workers, queue, { enabled, onRefused, onTakenBack }) {
    this.#workers = workers;
    this.#queue = queue;
    this.#enabled = enabled;
    this.#onRefused = onRefused;
    this.#onTakenBack = onTakenBack;
  }

  /** The record of a type's speed, shared by all of its messages. */
  paceOf(type) {
    let pace = this.#paces.get(type);
    if (pace === undefined) {
      pace = { streak: 0 };
      if (this.#paces.size === MAX_TYPES) {
        const [oldest] = this.#paces.keys();
        this.#paces.delete(oldest);
      }
      this.#paces.set(type, pace);
    }
    return pace;
  }

  /** A worker's current entry was answered: its type was quick or not. */
  answered(worker, { pace }, now) {
    if (now - worker.startedAt >= QUICK_MS) pace.streak = 0;
    else if (pace.streak < QUICK_STREAK) pace.streak++;
  }

  /** Whether a worker would get no more messages. */
  hasEnough(worker) {
    return worker.ahead.length > DEPTH / 2;
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

  /**
   * Returns half of the fullest worker's pending messages to the queue, for a
   * worker that is idle.
   *
   * @returns {boolean} whether there was any
   */
  takeShare() {
    if (this.count === 0) return false;
    let fullest;
    for (const worker of this.#workers.values()) {
      if (!(worker.ahead.length <= fullest?.ahead.length)) fullest = worker;
    }
    const most = Math.ceil(fullest.ahead.length / 2);
    const taken = this.#takenFrom(fullest, most);
    this.#queue.unshift(...taken);
    return taken.length > 0;
  }

  /** Returns all messages that no worker has begun to the queue's head. */
  takeBackAll() {
    const taken = [];
    for (const worker of this.#workers.values()) {
      taken.push(...this.#takenFrom(worker));
    }
    taken.sort((a, b) => a.no - b.no);
    this.#queue.unshift(...taken);
  }

  /** Returns a lost worker's pending messages to the queue's head. */
  lost(worker) {
    const { ahead } = worker;
    this.count -= ahead.length;
    const lost = [];
    while (ahead.length > 0) lost.push(ahead.shift());
    this.#queue.unshift(...lost);
  }

  // The last ones, up to one that the worker came to first.
  #takenFrom(worker, most = Infinity) {
    const { ahead } = worker;
    const taken = [];
    while (
      ahead.length > 0 &&
      taken.length < most &&
      worker.takeBack(ahead.last())
    ) {
      taken.push(ahead.pop());
    }
    this.count -= taken.length;
    return taken.reverse();
  }

  #isQuick({ pace }) {
    return pace.streak >= QUICK_STREAK;
  }

  // Sent in one batch, and only when half of the last batch is used up, because
  // sending dominates the owner's cost of a message.
  #fillOne(worker) {
    if (this.hasEnough(worker)) return;
    const share = Math.floor(this.#queue.length / this.#workers.size);
    let room = Math.min(share, DEPTH) - worker.ahead.length;
    while (room > 0) {
      const sent = this.#sendPart(worker, Math.min(room, PART));
      if (sent === 0) return;
      room -= sent;
    }
  }

  #sendPart(worker, most) {
    const entries = [];
    while (entries.length < most && this.#isQuick(this.#queue.peek())) {
      entries.push(this.#queue.shift());
    }
    for (const entry of this.#sendable(worker, entries)) {
      worker.ahead.push(entry);
      this.count++;
    }
    return entries.length;
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

  // Called once per SILENCE_MS: an entry that is seen twice is slow.
  #check() {
    for (const { current, ahead } of this.#workers.values()) {
      if (current === undefined || ahead.length === 0) continue;
      if (this.#seen.has(current)) this.#silent.add(current);
      this.#seen.add(current);
    }
    for (const worker of this.#workers.values()) {
      if (!this.#silent.has(worker.current)) continue;
      this.#queue.unshift(...this.#takenFrom(worker));
      this.#onTakenBack();
    }
    if (this.count > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }
}

module.exports = { Lookahead };
