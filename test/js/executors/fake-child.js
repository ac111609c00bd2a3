'use strict';
// Parts of lines whose process is the test: it says words, and sees those of the
// owner. Loaded before the files that it replaces.

const { EventEmitter } = require('node:events');

const timers = [];
const released = [];
let starting;

jest.mock('../../../lib/timers/timer-heap.js', () => ({
  ...jest.requireActual('../../../lib/timers/timer-heap.js'),
  schedule: (at, fire, { ref }) => mockSchedule(at, fire, ref),
}));
jest.mock('../../../lib/executors/process/start-child.js', () => ({
  startChild: (how, hear) => mockStart(how, hear),
}));
jest.mock('../../../lib/executors/process/adopted-children.js', () => ({
  release: (pid) => mockRelease(pid),
}));

function mockSchedule(at, fire, ref) {
  const timer = { at, fire, ref, isPending: true };
  timer.cancel = () => {
    timer.isPending = false;
  };
  timers.push(timer);
  return timer;
}
function mockStart(how, hear) {
  starting.how = how;
  starting.hear = hear;
  return starting;
}
const mockRelease = (pid) => released.push(pid);

const { FrameReader, headerOf } = require('../../../lib/wire/frames.js');

class FakeStream extends EventEmitter {
  destroyed = false;
  holds = true;
  written = [];
  writableLength = 0;

  encodings = [];

  write(bytes, encoding) {
    this.encodings.push(encoding);
    this.written.push(Buffer.from(bytes, encoding));
  }

  destroy() {
    this.destroyed = true;
  }

  setEncoding(encoding) {
    this.encoding = encoding;
  }

  ref() {
    this.holds = true;
  }

  unref() {
    this.holds = false;
  }
}

class FakeChild extends FakeStream {
  pid = 4711;
  stderr = new FakeStream();
  killedBy = [];

  kill(signal) {
    this.killedBy.push(signal);
  }
}

/**
 * @param {(events: object) => object} makeLine
 * @param {FakeStream | null} [stdout]
 * @returns {object} the line with its `child`, `socket` and `newTimers()`, the
 *   arguments of its start, `say(kind, number, body)`, and `heard()`: what the line
 *   has told its owner
 */
function withChild(makeLine, stdout = null) {
  const child = new FakeChild();
  child.stdout = stdout;
  const socket = new FakeStream();
  starting = { child, socket };
  const from = timers.length;
  const reports = [];
  const line = makeLine({
    online: () => reports.push('online'),
    report: (report) => reports.push(report),
    exited: () => reports.push('exited'),
  });
  const { hear, how } = starting;
  return {
    line,
    child,
    socket,
    how,
    hear,
    newTimers: () => timers.slice(from),
    heard: () => reports.splice(0),
    say: (kind, number = 0, body = Buffer.alloc(0)) =>
      hear(Buffer.concat([headerOf(kind, number, body.length), body])),
  };
}

/**
 * @param {FakeStream} socket
 * @param {object} kinds by their names
 * @returns {[kind: string, number: number, body: Buffer][]} what was written since
 */
function framesTo(socket, kinds) {
  const nameOf = (kind) =>
    Object.keys(kinds).find((name) => kinds[name] === kind);
  const frames = [];
  const reader = new FrameReader(
    (kind, number, body) => frames.push([nameOf(kind), number, body]),
    () => Infinity,
  );
  for (const chunk of socket.written.splice(0)) reader.push(chunk);
  return frames;
}

/** @returns {object} a job as a line is sent it, without an input */
const jobWith = (more) => ({
  seq: 7,
  id: 9,
  mode: 0,
  remainingMs: Infinity,
  runMs: Infinity,
  forget: [],
  entry: undefined,
  shared: undefined,
  ...more,
});

/** Like those that a line waits with until what has come is read. */
async function turns() {
  for (let i = 0; i < 3; i += 1) await new Promise(setImmediate);
}

module.exports = {
  FakeStream,
  framesTo,
  jobWith,
  released,
  turns,
  withChild,
};
