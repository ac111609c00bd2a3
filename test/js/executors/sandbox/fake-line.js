'use strict';
// A SandboxLine whose process is the test: it says words, and sees those of the
// owner. Loaded before the files that it replaces a part of.

const { EventEmitter } = require('node:events');

const LIB = '../../../../lib';
const timers = [];
const released = [];
let starting;

jest.mock('../../../../lib/timers/timer-heap.js', () => ({
  ...jest.requireActual('../../../../lib/timers/timer-heap.js'),
  schedule: (at, fire, { ref }) => mockSchedule(at, fire, ref),
}));
jest.mock('../../../../lib/executors/process/start-child.js', () => ({
  startChild: (_how, hear) => mockStart(hear),
}));
jest.mock('../../../../lib/executors/sandbox/host-process.js', () => ({
  hostProcess: () => [],
}));
jest.mock('../../../../lib/executors/process/adopted-children.js', () => ({
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
function mockStart(hear) {
  starting.hear = hear;
  return starting;
}
const mockRelease = (pid) => released.push(pid);

const { SandboxLine } = require(`${LIB}/executors/sandbox/sandbox-line.js`);
const { createCodec } = require(`${LIB}/executors/sandbox/sandbox-codec.js`);
const { Kind } = require(`${LIB}/executors/sandbox/kinds.js`);
const { PoolFiles } = require(`${LIB}/executors/sandbox/owner-files.js`);
const { SandboxState } = require(`${LIB}/executors/sandbox/sandbox-state.js`);
const { FrameReader, headerOf } = require(`${LIB}/wire/frames.js`);
const { packed, word } = require('./said.js');

const NAMES = Object.fromEntries(
  Object.entries(Kind).map(([name, kind]) => [kind, name]),
);
const ALL_LAYERS = 63;

class FakeStream extends EventEmitter {
  destroyed = false;
  holds = true;
  written = [];
  writableLength = 0;

  write(bytes) {
    this.written.push(Buffer.from(bytes));
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
 * @param {object} [settings] of the pool; those of `sandbox` are parts
 * @param {number} [moduleMs]
 * @returns {object} the line with its `child`, `socket` and `timers`, what was
 *   reported, and `say(kind, number, body)`
 */
function newLine(settings = {}, moduleMs = undefined) {
  const child = new FakeChild();
  const socket = new FakeStream();
  starting = { child, socket };
  const from = timers.length;
  const sandbox = {
    codec: createCodec(),
    files: new PoolFiles([]),
    state: new SandboxState(),
    initData: packed,
    require: [],
    jit: false,
    ...settings.sandbox,
  };
  const whole = {
    maxResultBytes: 2 ** 20,
    memoryLimitMb: 64,
    maxModuleBytes: 2 ** 20,
    ...settings,
    sandbox,
  };
  const reports = [];
  const events = {
    online: () => reports.push('online'),
    report: (report) => reports.push(report),
    exited: () => reports.push('exited'),
  };
  const worker = { number: 1, place: 1 };
  const line = new SandboxLine(events, 1, { worker, moduleMs }, whole);
  const { hear } = starting;
  const say = (kind, number = 0, body = Buffer.alloc(0)) =>
    hear(Buffer.concat([headerOf(kind, number, body.length), body]));
  return {
    line,
    child,
    socket,
    sandbox,
    reports,
    say,
    hear,
    timers: timers.slice(from),
    newTimers: () => timers.slice(from),
    greet: (bits = ALL_LAYERS) =>
      say(Kind.Hello, 0, word(bits, 1, 2, 3, 4, 5, 6)),
    told: () => framesOf(socket.written.splice(0)),
    heard: () => reports.splice(0),
  };
}

/** @returns {[kind: string, number: number, body: Buffer][]} */
function framesOf(chunks) {
  const frames = [];
  const reader = new FrameReader(
    (kind, number, body) => frames.push([NAMES[kind], number, body]),
    () => Infinity,
  );
  for (const chunk of chunks) reader.push(chunk);
  return frames;
}

const kindsOf = (frames) => frames.map(([kind, number]) => [kind, number]);

/** Like those that the line waits with until what has come is read. */
async function turns() {
  for (let i = 0; i < 3; i += 1) await new Promise(setImmediate);
}

module.exports = { kindsOf, newLine, released, turns };
