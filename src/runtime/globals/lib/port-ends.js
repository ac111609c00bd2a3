'use strict';

// The ends of channels, served in the order of Node's loop: in each turn the
// ports that have messages, the oldest port first, and after the immediates
// those that close, the last first.

/* global host */
const { storesOfNow, withStores } = require('./async-stores.js');

// Messages of one port in a turn, if no more of them wait when it begins.
const AT_ONCE = 1000;
// An end that goes leaves this in the other's inbox.
const CLOSE = { __proto__: null };

// Generations of ports, each made by a message to the one before, after which
// the order begins anew, because places must not grow for ever.
const DEEPEST = 16;

let made = 0;
// The end whose messages are delivered, and the number of that pass.
let served;
let passes = 0;
// Ends that have something in their inbox, until that is looked at.
let triggered = [];
let closing = [];

// It outlives the port that speaks for it, because a port may be transferred.
class End {
  other = null;
  closing = false;
  #port = null;
  #number = 0;
  #place;
  #inbox = [];
  #started = false;
  #isClosed = false;
  // Listeners see those of where the port was made, not of who posts.
  #stores;
  #closedIn;
  #deliver;
  #tellClosed;

  constructor(deliver, tellClosed) {
    this.#deliver = deliver;
    this.#tellClosed = tellClosed;
  }

  get number() {
    return this.#number;
  }

  get isClosed() {
    return this.#isClosed;
  }

  get place() {
    return this.#place;
  }

  enter(port) {
    this.#port = port;
    this.#stores = storesOfNow();
    made += 1;
    this.#number = made;
    this.#place = placeOf(made);
    if (this.#inbox.length > 0) this.#trigger();
  }

  /** The port is done for, and says so; another takes its place. */
  leave() {
    const end = new End(this.#deliver, this.#tellClosed);
    end.#port = this.#port;
    end.#stores = this.#stores;
    end.close();
    this.#port = null;
    this.#started = false;
    untrigger(this);
  }

  receive(message) {
    if (this.#isClosed) return;
    this.#inbox.push({ message, frame: storesOfNow() });
    if (this.#started || message === CLOSE) this.#trigger();
  }

  take() {
    if (this.#inbox[0]?.message === CLOSE) return undefined;
    return this.#inbox.shift()?.message;
  }

  start() {
    if (this.#started) return;
    this.#started = true;
    if (this.#inbox.length > 0) this.#trigger();
  }

  stop() {
    this.#started = false;
  }

  #trigger() {
    if (this.closing || this.#port === null) return;
    if (!triggered.includes(this)) triggered.push(this);
    requestTurn();
  }

  close() {
    if (this.closing) return;
    this.closing = true;
    this.#closedIn = storesOfNow();
    untrigger(this);
    closing.push(this);
    requestTurn();
  }

  /** Messages are delivered while its port closes, too, until it is closed. */
  poll() {
    const inbox = this.#inbox;
    let rest = Math.max(inbox.length, AT_ONCE);
    while (this.#port !== null && inbox.length > 0) {
      if (!this.#started && inbox[0].message !== CLOSE) return;
      if (rest < 0) {
        this.#trigger();
        return;
      }
      rest -= 1;
      const { message, frame } = inbox.shift();
      if (message === CLOSE) {
        this.close();
        return;
      }
      if (this.#tell(frame, (port) => this.#deliver(port, message))) {
        this.#trigger();
        return;
      }
    }
  }

  endClose() {
    this.#isClosed = true;
    this.other?.receive(CLOSE);
    this.#tell(this.#closedIn, this.#tellClosed);
    this.#port = null;
  }

  // Whether it has thrown. The frame says whose job's work it is.
  #tell(frame, work) {
    return host.runInTurn(frame, () => {
      withStores(this.#stores, () => work(this.#port));
    });
  }
}

function untrigger(end) {
  triggered = triggered.filter((each) => each !== end);
}

// libuv's list of handles: one that is made while it is walked comes behind the
// one that is served, and before all others.
function placeOf(number) {
  const place = served?.place;
  if (place === undefined || place.length >= DEEPEST) return [number];
  return [...place, -passes, number];
}

function isBefore(one, other) {
  const shared = Math.min(one.length, other.length);
  for (let index = 0; index < shared; index += 1) {
    if (one[index] !== other[index]) return one[index] < other[index];
  }
  return one.length < other.length;
}

// The first end behind `place` that has something, and was there when the walk
// began.
function nextBehind(place, last) {
  let found;
  for (const end of triggered) {
    if (end.number > last || !isBefore(place, end.place)) continue;
    if (found === undefined || isBefore(end.place, found.place)) found = end;
  }
  return found;
}

const turns = {
  poll() {
    const last = made;
    passes += 1;
    served = nextBehind([], last);
    while (served !== undefined) {
      untrigger(served);
      served.poll();
      served = nextBehind(served.place, last);
    }
  },
  close() {
    const due = closing;
    closing = [];
    for (let index = due.length - 1; index >= 0; index -= 1) {
      due[index].endClose();
    }
  },
};

const requestTurn = () => host.requestTurn(turns);

/**
 * The two ends of a channel.
 *
 * @param {(port: object, message: object) => void} deliver
 * @param {(port: object) => void} tellClosed
 */
function makeEnds(deliver, tellClosed) {
  const ends = [new End(deliver, tellClosed), new End(deliver, tellClosed)];
  ends[0].other = ends[1];
  ends[1].other = ends[0];
  return ends;
}

module.exports = { makeEnds };
