'use strict';

const path = require('node:path');

const { makeWords } = require('./common-words.js');
const { callListener } = require('../../base/call-listener.js');
const { initDataOf } = require('../owned/init-data.js');
const { Start } = require('../owned/reports.js');
const { binaryFile } = require('../../addon/load.js');
const { release } = require('./adopted-children.js');
const { childOptions } = require('./child-options.js');
const {
  causeOf,
  endedBefore,
  isInterrupted,
  isOverLimit,
} = require('./child-end.js');
const { FrameReader, writeFrame } = require('../../wire/frames.js');
const { Packed, ToldShapes } = require('../owned/packed.js');
const { Kind, isKept, serialize } = require('./frames.js');
const { afterBoth, hearBy } = require('./frame-socket.js');
const { MOST_BOOTING } = require('./most-booting.js');
const { afterEnding, afterLastWords, afterReads } = require('./last-words.js');
const { createCodec } = require('./process-codec.js');
const { ReportReader } = require('./report-reader.js');
const { AsciiText, jobHead, messageParts } = require('./small-frames.js');
const { startChild } = require('./start-child.js');

const { hasOwn } = Object;
const MAIN = path.join(__dirname, 'process-main.js');
// A value is written in at most this many times what it is counted as, and a
// report has some more.
const SPREAD = 4;
const REPORT_BYTES = 2 ** 20;
const STDERR_BYTES = 4096;
// The descriptor of the process that tells of its owner's end.
const WATCH_FD = 4;

/** One of Node's processes, and what its owner has of it. */
class ProcessLine {
  static createCodec = createCodec;
  static sharesMemory = false;
  static mostBooting = MOST_BOOTING;
  /** The number of the one thread that runs its jobs. */
  threadId = 0;
  /** Why its job is to end: sent with the cancellation. */
  why = 0;
  /** The words about the jobs that were sent ahead of their turn, if any. */
  ahead;
  /** Bytes of a job: a socket has room for less while neither end reads. */
  mostAhead = 2 ** 20;
  #events;
  #number;
  #child;
  #socket;
  #state = Start.Booting;
  #isOnline = false;
  #end = null;
  #broken;
  #reader;
  #stderr = '';
  #lastTimer;
  #reports;
  #told = new ToldShapes();

  /**
   * @param {object} events see PoolWorker
   * @param {number} number of the worker
   * @param {object} options of the realm
   * @param {object} settings of the pool
   * @throws {unknown} why there is no process
   */
  constructor(events, number, options, settings) {
    this.#events = events;
    this.#number = number;
    const common = makeWords(settings.concurrentJobsPerWorker);
    this.ahead = common?.words;
    this.#reader = this.#makeReader(settings);
    try {
      const how = childOptions(MAIN, settings, common?.file);
      const hear = hearBy(this.#reader, (error) => this.#break(error));
      const { child, socket } = startChild(how, hear, WATCH_FD);
      this.#child = child;
      this.#socket = socket;
    } finally {
      common?.close();
    }
    this.#listen(settings);
    const initData = settings.init && initDataOf(settings);
    this.#write(Kind.Start, {
      options,
      initData,
      guard: binaryFile() ?? '',
      owner: process.pid,
      aheadBytes: this.ahead?.memory.byteLength ?? 0,
    });
  }

  #makeReader({ maxResultBytes }) {
    const most = maxResultBytes * SPREAD + REPORT_BYTES;
    this.#reports = new ReportReader(most);
    return new FrameReader(
      (kind, number, body) => this.#take(kind, number, body),
      () => most,
      true,
      isKept,
    );
  }

  #listen({ nodeOptions }) {
    const child = this.#child;
    this.#socket.on('close', () => this.#closed());
    afterBoth(child, this.#socket, () => this.#events.exited());
    child.on('exit', (code, signal) => this.#exited(code, signal));
    if (child.stdout !== null) this.#hear(nodeOptions.stdio);
    this.hold(false);
  }

  // Text of the process's output, for the option `stdio`.
  #hear(listener) {
    const streams = [this.#child.stdout, this.#child.stderr];
    streams.forEach((stream, at) => {
      const fd = at + 1;
      const from = { __proto__: null, fd, worker: this.#number };
      stream.setEncoding('utf8');
      stream.on('error', () => {});
      stream.on('data', (text) => {
        if (fd === 2) this.#stderr = (this.#stderr + text).slice(-STDERR_BYTES);
        callListener(listener, text, { ...from });
      });
    });
  }

  #take(kind, number, body) {
    if (kind === Kind.State) {
      this.#state = number;
      return;
    }
    if (kind === Kind.Online) {
      this.#isOnline = true;
      this.#events.online();
      return;
    }
    const report = this.#reports.take(kind, number, body);
    if (report !== undefined) this.#events.report(report);
  }

  // The end of the process, because nothing more can be understood of it.
  #break(error) {
    if (this.#broken !== undefined) return;
    this.#broken = error;
    this.#reader.stop();
    this.terminate();
  }

  #send = (bytes) => {
    const socket = this.#socket;
    if (!(bytes instanceof AsciiText)) {
      socket.write(bytes);
      return;
    }
    socket.write(AsciiText.mark);
    // Node frees its bytes when they are written, and no collection has to.
    socket.write(bytes.text, 'latin1');
  };

  #write(kind, message) {
    this.#tellShapes(message.value);
    writeFrame(this.#send, kind, ...messageParts(message));
  }

  #tellShapes(value) {
    if (!(value instanceof Packed)) return;
    const texts = this.#told.next(value);
    if (texts.length === 0) return;
    writeFrame(this.#send, Kind.Shapes, 0, serialize(texts));
  }

  send(message) {
    const { seq } = message;
    this.#tellShapes(message.input);
    if (message.input instanceof Packed) message.input = message.input.bytes;
    const { input } = message;
    const head = hasOwn(message, 'seq') ? jobHead(message) : undefined;
    if (head === undefined) {
      if (input instanceof AsciiText) message.input = input.toBytes();
      this.#write(Kind.Message, message);
    } else writeFrame(this.#send, Kind.Job, seq, head, input);
  }

  sendReason(message) {
    this.#write(Kind.Reason, message);
  }

  /** Processes tell their state, later: see `stateLater`. */
  get state() {
    return undefined;
  }

  /** @returns {Promise<number>} one of Start, when what it has told is read */
  stateLater() {
    return new Promise((resolve) => afterReads(() => resolve(this.#state)));
  }

  get pid() {
    return this.#child.pid;
  }

  hold(yes) {
    const { stdout, stderr } = this.#child;
    for (const each of [this.#child, this.#socket, stdout, stderr]) {
      if (yes) each?.ref();
      else each?.unref();
    }
  }

  terminate() {
    this.#child.kill('SIGKILL');
  }

  // Its streams may be open in a process of its own.
  #exited(code, signal) {
    this.#end = { code, signal };
    release(this.#child.pid);
    this.#lastTimer?.cancel();
    this.#lastTimer = afterLastWords(() => afterReads(this.#events.exited));
  }

  // It may have closed its end by itself, and go on.
  #closed() {
    if (this.#end !== null) return;
    this.#lastTimer = afterEnding((error) => this.#break(error));
  }

  /** Nothing comes from it any more. */
  close() {
    this.#lastTimer?.cancel();
    this.#socket.destroy();
  }

  /** @returns {object} for `endOf` */
  end() {
    const exitText = this.#isOnline ? undefined : endedBefore;
    return {
      state: this.#state,
      isOverLimit: isOverLimit(this.#end),
      isInterrupted: !this.#isOnline && isInterrupted(this.#end),
      value: causeOf(this.#end, this.#broken, this.#stderr, exitText),
    };
  }
}

module.exports = { ProcessLine };
