'use strict';
// The process of a sandbox without its pool: any layers, and one word at a time.

const { spawn } = require('node:child_process');

const { createCodec } = require('../../lib/protocol/codec.js');
const { hostProcess } = require('../../lib/executors/sandbox/host-process.js');
const { Kind } = require('../../lib/executors/sandbox/kinds.js');
const { readHello } = require('../../lib/executors/sandbox/layers.js');
const {
  entryOf,
  jobHeadOf,
  startOf,
} = require('../../lib/executors/sandbox/sent-frames.js');
const {
  FrameReader,
  NOTHING,
  writeFrame,
} = require('../../lib/wire/frames.js');
const {
  packPayload,
  unpackPayload,
} = require('../../lib/wire/payload-bytes.js');

const codec = createCodec({
  defineShape: () => -1,
  shapeText: () => '',
  compileFunction: () => null,
});

const settings = {
  memoryLimitMb: 64,
  maxResultBytes: 2 ** 24,
  maxModuleBytes: 2 ** 20,
  allowEval: true,
  allowWasm: true,
  concurrentJobsPerWorker: 1,
  carry: 0,
};

class RawChild {
  #child;
  #frames = [];
  #wake = null;
  #lastSeq = 0;
  /** @type {Promise<{ code: number, signal: string }>} */
  ended;

  /** @param {object} more arguments, such as `{ layers: 32 }` */
  constructor({ jit = false, ...more } = {}) {
    const sandbox = { jit };
    const [file, args, options] = hostProcess({ ...settings, sandbox });
    const extra = Object.entries(more).flat().map(String);
    this.#child = spawn(file, [...args, ...extra], options);
    const reader = new FrameReader(
      (kind, number, body) => {
        this.#frames.push({ kind, number, body });
        this.#wake?.();
      },
      () => Infinity,
    );
    const socket = this.#child.stdio[3];
    socket.on('data', (chunk) => reader.push(chunk));
    socket.on('error', () => {});
    this.ended = new Promise((resolve) => {
      this.#child.on('exit', (code, signal) => {
        resolve({ code, signal });
        this.#wake?.();
      });
    });
  }

  get pid() {
    return this.#child.pid;
  }

  send(kind, number = 0, head = NOTHING, rest = NOTHING) {
    writeFrame(
      (bytes) => this.#child.stdio[3].write(bytes),
      kind,
      number,
      head,
      rest,
    );
  }

  /** @returns {Promise<object>} the next frame; undefined at the end */
  async next() {
    while (this.#frames.length === 0) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        return undefined;
      }
      await new Promise((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#frames.shift();
  }

  /** @returns {Promise<object>} what it says first */
  async start() {
    const hello = await this.next();
    if (hello === undefined) throw new Error('it has said nothing');
    this.send(Kind.Start, 0, startOf(settings, { number: 1, place: 1 }));
    this.send(Kind.Begin);
    const ready = await this.next();
    if (ready?.kind !== Kind.Ready) throw new Error('it is not ready');
    return readHello(hello.body);
  }

  /** @returns {Promise<unknown>} what the function returns */
  async run(fn, input = null) {
    const id = 1 + this.#lastSeq;
    this.#lastSeq = id;
    const entry = { kind: 0, name: 'test', text: `(${fn})` };
    this.send(Kind.Entry, id, entryOf(entry));
    const head = jobHeadOf({
      id,
      mode: 0,
      remainingMs: Infinity,
      runMs: Infinity,
    });
    this.send(Kind.Job, id, head, packPayload(codec.encode(input, Infinity)));
    const done = await this.next();
    if (done?.kind !== Kind.Done) throw new Error('it has ended');
    const { kind, number, slots, text, more } = unpackPayload(
      done.body.subarray(12),
    );
    const value = codec.decode(kind, number, slots, 0, text, more);
    if (done.body.readUInt32LE(0) !== 0) {
      throw new Error(value?.message ?? JSON.stringify(value));
    }
    return value;
  }

  kill() {
    this.#child.kill('SIGKILL');
    return this.ended;
  }
}

module.exports = { RawChild };
