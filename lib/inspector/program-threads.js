'use strict';
// The threads of the program itself, through Node's own inspector: the main
// thread, and worker_threads, which the main thread's inspector reports.

const { randomUUID } = require('node:crypto');
const { Session } = require('node:inspector');
const { threadId } = require('node:worker_threads');

const MAIN = 'main-thread';
const SERVER_ERROR = -32_000;
// Those of a root, which answers them for all of its targets.
const OF_ROOT = /^(?:NodeWorker|NodeRuntime|Target)\./;
const LEAVING = ['Debugger.disable', 'Runtime.disable', 'Profiler.disable'];
// V8 writes a message's method first.
const PAUSED = '{"method":"Debugger.paused"';
const RESUMED = '{"method":"Debugger.resumed"';

const nameOf = (sessionId) => `thread-${sessionId}`;

/** A thread that a debugger is attached to. */
class Thread {
  #hear;
  #tell;
  #isPaused = false;

  /**
   * @param {(text: string) => void} hear what V8 says there
   * @param {(isPaused: boolean) => void} tell
   */
  constructor(hear, tell) {
    this.#hear = hear;
    this.#tell = tell;
  }

  hear(text) {
    if (text.startsWith(PAUSED)) this.#set(true);
    else if (text.startsWith(RESUMED)) this.#set(false);
    this.#hear(text);
  }

  /** The debugger that holds it will let it go. */
  leave() {
    this.#set(false);
  }

  #set(isPaused) {
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    this.#tell(isPaused);
  }
}

/** One debugger's session with the main thread, and so with the others. */
class ProgramThreads {
  #session = new Session();
  #report;
  #threads = new Map();
  #isClosed = false;

  /**
   * @param {object} report
   * @param {(target: object) => void} report.made see RootSession.announce
   * @param {(name: string) => void} report.gone
   * @param {(isPaused: boolean) => void} report.paused a thread is, or goes on
   * @param {() => void} report.closed after close()
   * @throws {Error} of Node, where it does not let them connect
   */
  constructor(report) {
    this.#report = report;
    this.#session.connectToMainThread();
    this.#session.on('inspectorNotification', (message) => this.#hear(message));
  }

  /**
   * Reports the main thread, and worker_threads that run or will run.
   *
   * @param {boolean} waits those that start wait for the debugger
   */
  begin(waits) {
    this.#report.made({
      name: MAIN,
      number: '0',
      title: 'main thread',
      uuid: randomUUID(),
      isWaiting: false,
      connect: (hear) => this.#connect(MAIN, hear, this.#mainCalls()),
    });
    this.#post('NodeWorker.enable', { waitForDebuggerOnStart: waits });
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const thread of this.#threads.values()) thread.leave();
    this.#threads.clear();
    this.#session.disconnect();
    this.#report.closed();
  }

  #connect(name, hear, { send, leave }) {
    this.#threads.set(name, new Thread(hear, this.#report.paused));
    const close = () => {
      if (this.#forget(name)) leave();
    };
    return { send, close };
  }

  #forget(name) {
    this.#threads.get(name)?.leave();
    return this.#threads.delete(name);
  }

  #post(method, params = {}, done = () => {}) {
    try {
      this.#session.post(method, params, done);
    } catch {
      // It was disconnected.
    }
  }

  #mainCalls() {
    return {
      send: (text) => this.#sendToMain(JSON.parse(text)),
      leave: () => {
        for (const method of LEAVING) this.#post(method);
      },
    };
  }

  #sendToMain({ id, method, params }) {
    const answer = (how) =>
      this.#threads.get(MAIN)?.hear(JSON.stringify({ id, ...how }));
    if (OF_ROOT.test(method)) {
      answer({ result: {} });
      return;
    }
    this.#post(method, params, (error, result) => {
      if (error === null) answer({ result });
      else answer({ error: { code: SERVER_ERROR, message: error.message } });
    });
  }

  #hear({ method, params }) {
    const { sessionId } = params;
    switch (method) {
      case 'NodeWorker.attachedToWorker':
        this.#threadMade(params);
        break;
      case 'NodeWorker.detachedFromWorker':
        this.#forget(nameOf(sessionId));
        this.#report.gone(nameOf(sessionId));
        break;
      case 'NodeWorker.receivedMessageFromWorker':
        this.#threads.get(nameOf(sessionId))?.hear(params.message);
        break;
      default:
        this.#threads.get(MAIN)?.hear(JSON.stringify({ method, params }));
    }
  }

  #threadMade({ sessionId, workerInfo, waitingForDebugger }) {
    const leave = () => this.#post('NodeWorker.detach', { sessionId });
    if (workerInfo.workerId === String(threadId)) {
      // The endpoint's own.
      leave();
      return;
    }
    const send = (message) =>
      this.#post('NodeWorker.sendMessageToWorker', { sessionId, message });
    const name = nameOf(sessionId);
    this.#report.made({
      name,
      number: name,
      title: workerInfo.title,
      uuid: randomUUID(),
      isWaiting: waitingForDebugger,
      connect: (hear) => this.#connect(name, hear, { send, leave }),
    });
  }
}

module.exports = { ProgramThreads };
