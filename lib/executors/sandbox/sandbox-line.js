'use strict';

const { schedule } = require('../../timers/timer-heap.js');
const { hrtime, now } = require('../../base/own-time.js');
const { Code, DIAGNOSTICS } = require('../../protocol/diagnostics.gen.js');
const { Channel, Detail } = require('../../protocol/wire.gen.js');
const { Report, Start } = require('../owned/reports.js');
const { release } = require('../process/adopted-children.js');
const { FrameReader, NOTHING, writeFrame } = require('../../wire/frames.js');
const { afterBoth, hearBy } = require('../process/frame-socket.js');
const { MOST_BOOTING } = require('../process/most-booting.js');
const { Conversation } = require('./conversation.js');
const ends = require('./host-end.js');
const { hostProcess } = require('./host-process.js');
const { Kind } = require('./kinds.js');
const { missingOf, readHello } = require('./layers.js');
const { CodeTalk } = require('./own-code.js');
const { ProcessFiles } = require('./owner-files.js');
const {
  afterEnding,
  afterLastWords,
  afterReads,
} = require('../process/last-words.js');
const { startChild } = require('../process/start-child.js');
const { beganReport, reportOf } = require('./said-reports.js');
const { createCodec } = require('./sandbox-codec.js');
const {
  entryOf,
  graphOf,
  jobHeadOf,
  modulesOf,
  pathsOf,
  startOf,
  word,
} = require('./sent-frames.js');

// The time of a process until it says which layers hold.
const HELLO_MS = 10_000;
const STDERR_BYTES = 4096;
// Bytes that a process may leave unread, beside its job.
const MAX_UNREAD = 16 * 2 ** 20;
const LOOSE = { __proto__: null, ref: false };
const UNAVAILABLE = DIAGNOSTICS[Code.FeatureUnavailable].id;

/**
 * One process of a sandbox, and what its owner has of it. It gets nothing of
 * anybody's before it has said which layers hold, and is ended for the first
 * word that it may not say.
 */
class SandboxLine {
  static createCodec = createCodec;
  static sharesMemory = false;
  static mostBooting = MOST_BOOTING;
  /** The number of the one thread that runs its jobs. */
  threadId = 0;
  /** Why its job is to end: sent with the cancellation. */
  why = 0;
  #events;
  #child;
  #socket;
  #settings;
  #options;
  #talk;
  #files;
  #hasRun = false;
  #isHearing = false;
  #code;
  #afterLoad;
  #state = Start.Booting;
  #hello;
  #end = null;
  #broken;
  #reader;
  // Its end tells nothing of layers: its owner ends it, or that was told.
  #isTold = false;
  #stderr = '';
  #helloTimer;
  #lastTimer;

  /**
   * @param {object} events see PoolWorker
   * @param {number} _number of the worker
   * @param {object} options of the realm
   * @param {object} settings of the pool
   * @throws {unknown} why there is no process
   */
  constructor(events, _number, options, settings) {
    this.#events = events;
    this.#settings = settings;
    this.#options = options;
    this.#talk = new Conversation(settings.sandbox.codec, settings);
    this.#files = new ProcessFiles(settings.sandbox.files);
    this.#reader = this.#makeReader(this.#talk);
    const hear = hearBy(this.#reader, (error) => this.#break(error));
    const { child, socket } = startChild(hostProcess(settings), hear);
    this.#child = child;
    this.#socket = socket;
    this.#listen();
    this.#helloTimer = schedule(now() + HELLO_MS, () => this.#late(), LOOSE);
  }

  #makeReader(talk) {
    return new FrameReader(
      (kind, number, body) => this.#take(talk.read(kind, number, body)),
      (kind) => talk.limitOf(kind),
    );
  }

  #listen() {
    const child = this.#child;
    this.#socket.on('close', () => this.#closed());
    child.stderr.setEncoding('utf8');
    child.stderr.on('error', () => {});
    child.stderr.on('data', (text) => this.#hear(text));
    child.on('exit', (code, signal) => this.#exited(code, signal));
    afterBoth(child, this.#socket, () => this.#gone());
    this.hold(false);
  }

  #hear(text) {
    this.#stderr = (this.#stderr + text).slice(0, STDERR_BYTES);
    if (this.#stderr.length === STDERR_BYTES) this.#child.stderr.destroy();
  }

  #take(said) {
    const { kind } = said;
    if (kind === Kind.Hello) this.#greeted(said.body);
    else if (kind === Kind.File) this.#answer(said);
    else if (kind === Kind.Loaded) this.#loaded(said);
    else if (kind === Kind.CodeMade) this.#code.hear(said);
    else if (kind === Kind.Ready) this.#ready();
    else if (kind === Kind.Took) this.#report(Report.TookShared, {});
    else this.#tell(said);
  }

  // Text of strangers is for listeners, never for this process's streams.
  #tell(said) {
    if (said.channel === Channel.Output && !this.#isHearing) return;
    this.#events.report(reportOf(said));
  }

  #report(kind, more) {
    this.#events.report({ ...more, kind, at: hrtime() });
  }

  // --- the start ------------------------------------------------------------

  #greeted(body) {
    this.#hello = readHello(body);
    this.#helloTimer.cancel();
    const { sandbox } = this.#settings;
    const missing = missingOf(this.#hello, sandbox.require);
    if (missing !== undefined) {
      this.#unavailable(
        `the layer "${missing}" does not hold (${this.#hello.errors[missing]})`,
        { layer: missing, errno: this.#hello.errors[missing] },
      );
      this.terminate();
      return;
    }
    sandbox.state.greeted(this.#hello);
    this.#events.online();
    this.#code = new CodeTalk(sandbox.jit, (...frame) => this.#write(...frame));
    this.#code.give();
    this.#write(Kind.Start, 0, startOf(this.#settings, this.#options.worker));
    this.#code.ask(this.#talk);
    this.#load(pathsOf(this.#settings), () => this.#begin());
  }

  // Loads modules while nobody's code has run in the process, and shows it
  // nothing else from then on.
  #load(modules, then) {
    if (modules.length === 0) {
      then();
      return;
    }
    const { files } = this.#settings.sandbox;
    this.#files.isOpen = true;
    this.#afterLoad = (isWhole) => {
      if (isWhole) files.foresaw(modules);
      then();
    };
    this.#talk.loads();
    const isNew = files.isForeseen(modules) ? 0 : 1;
    this.#write(Kind.Graph, isNew, graphOf(modules));
  }

  #loaded({ isWhole }) {
    this.#files.isOpen = false;
    this.#afterLoad(isWhole);
  }

  #begin() {
    const { init, sandbox } = this.#settings;
    this.#talk.starts();
    if (init !== undefined) {
      this.#write(Kind.InitData, 0, sandbox.initData(init.data));
    }
    const timeoutMs = this.#startMs();
    if (timeoutMs > 0) {
      this.#state = Start.Runs;
      this.#report(Report.Starts, { state: Start.Runs, timeoutMs });
    }
    this.#write(Kind.Begin, 0, NOTHING);
  }

  #startMs() {
    const { init } = this.#settings;
    return (init?.timeoutMs ?? 0) + (this.#options.moduleMs ?? 0);
  }

  #ready() {
    this.#state = Start.Ready;
    this.#report(Report.Ready, {});
  }

  // Called before anything was sent that is anybody's.
  #unavailable(message, props) {
    const stack = `Error: ${message}`;
    const value = { type: 'Error', name: 'Error', message, stack, props };
    this.#settings.sandbox.state.failed(value);
    this.#report(Report.Failed, {
      status: UNAVAILABLE,
      detail: Detail.SandboxUnavailable,
      value,
    });
  }

  // --- what it asks ----------------------------------------------------------

  async #answer({ question, maxBytes, path }) {
    const { result, body } = await this.#files.answer(question, path, maxBytes);
    this.#talk.answered();
    this.#write(Kind.Answer, result, body);
  }

  // --- what it is told ----------------------------------------------------------

  #send = (bytes) => this.#socket.write(bytes);

  #write(kind, number, head, rest) {
    writeFrame(this.#send, kind, number, head, rest);
  }

  send(message) {
    if (message.seq !== undefined) this.#sendJob(message);
    else if (message.cancel !== undefined) {
      this.#write(Kind.Cancel, message.cancel, word(message.why));
    } else if (message.mail !== undefined) this.#sendMail(message);
    else if (message.listens !== undefined) {
      this.#write(Kind.Listens, message.listens ? 1 : 0, NOTHING);
    } else if (message.hears !== undefined) this.#sendHears(message.hears);
    else if (message.leave) this.#write(Kind.Leave, 0, NOTHING);
  }

  // Modules of a function are loaded here before a job has run. Those of later
  // ones are there if a process of the pool has loaded them so.
  #sendJob(message) {
    const { entry, forget, id, input, seq } = message;
    for (const old of forget) this.#write(Kind.Forget, old, NOTHING);
    const modules = this.#hasRun || entry === undefined ? [] : modulesOf(entry);
    this.#hasRun = true;
    this.#load(modules, () => {
      if (entry !== undefined) this.#write(Kind.Entry, id, entryOf(entry));
      if (message.shared !== undefined) this.#share(message.shared);
      this.#talk.begins(seq);
      this.#write(Kind.Job, seq, jobHeadOf(message), input);
      // Its own word for that would not count.
      if (message.runMs !== Infinity) this.#events.report(beganReport(seq));
    });
  }

  #share({ gone, parts }) {
    for (const number of gone) this.#write(Kind.Unshare, number, NOTHING);
    for (const { number, packed } of parts) {
      this.#write(Kind.Share, number, packed);
    }
  }

  #sendHears(yes) {
    if (yes) this.#talk.hears();
    this.#isHearing = yes;
    this.#write(Kind.Hears, yes ? 1 : 0, NOTHING);
  }

  #sendMail({ mail, channel, value }) {
    if (this.#socket.writableLength > MAX_UNREAD) {
      this.#break(new Error('nothing for long, and reads nothing'));
      return;
    }
    const { packed, credits } = value;
    this.#talk.heard(channel, credits);
    this.#write(Kind.Mail, mail, word(channel), packed);
  }

  sendReason({ seq, value }) {
    this.#write(Kind.Reason, seq, value.packed);
  }

  get pid() {
    return this.#child.pid;
  }

  /** Processes tell their state, later: see `stateLater`. */
  get state() {
    return undefined;
  }

  /** @returns {Promise<number>} one of Start, when what it has told is read */
  stateLater() {
    return new Promise((resolve) => afterReads(() => resolve(this.#state)));
  }

  hold(yes) {
    for (const each of [this.#child, this.#socket, this.#child.stderr]) {
      if (yes) each.ref();
      else each.unref();
    }
  }

  // --- the end --------------------------------------------------------------------

  terminate() {
    this.#isTold = true;
    this.#child.kill('SIGKILL');
  }

  // This thread may have been busy, and has not read its greeting.
  #late() {
    afterReads(() => {
      if (this.#hello === undefined && this.#end === null) this.#isLate();
    });
  }

  #isLate() {
    const seconds = HELLO_MS / 1000;
    this.#unavailable(
      `the process has not told within ${seconds} s which layers hold`,
      {},
    );
    this.terminate();
  }

  #break(error) {
    if (this.#broken !== undefined) return;
    this.#broken = error;
    this.#reader.stop();
    this.terminate();
  }

  #exited(code, signal) {
    this.#end = { code, signal };
    release(this.#child.pid);
    this.#lastTimer?.cancel();
    // Its pipes may be open in a process of its own.
    this.#lastTimer = afterLastWords(() => afterReads(() => this.#gone()));
  }

  // It may have closed its end by itself, and go on.
  #closed() {
    if (this.#end !== null) return;
    this.#lastTimer = afterEnding((error) => this.#break(error));
  }

  #gone() {
    const isTold = this.#isTold || this.#hello !== undefined;
    this.#isTold = true;
    if (!isTold) this.#unborn();
    this.#events.exited();
  }

  // It has ended by itself, and has not said which layers hold.
  #unborn() {
    const cause = ends.causeOf(this.#end, this.#broken, this.#stderr);
    const { state } = this.#settings.sandbox;
    if (ends.isPassing(this.#end, state.isKnown)) state.crashed(cause);
    else this.#unavailable(cause.message, cause.props);
  }

  /** Nothing comes from it any more. */
  close() {
    this.#code?.close();
    this.#helloTimer.cancel();
    this.#lastTimer?.cancel();
    this.#socket.destroy();
    this.#child.stderr.destroy();
  }

  /** @returns {object} for `endOf` */
  end() {
    return {
      state: this.#state,
      isOverLimit: ends.isOverLimit(this.#end),
      isInterrupted: this.#hello === undefined && ends.isInterrupted(this.#end),
      value: ends.causeOf(this.#end, this.#broken, this.#stderr),
    };
  }
}

module.exports = { SandboxLine };
