'use strict';

// Methods that debuggers call on a target without a V8 before they go on to
// workers.
const HARMLESS = new Set([
  'Debugger.disable',
  'Debugger.enable',
  'Debugger.setAsyncCallStackDepth',
  'Debugger.setBlackboxPatterns',
  'Debugger.setBreakpointsActive',
  'Debugger.setPauseOnExceptions',
  'Debugger.setSkipAllPauses',
  'Network.enable',
  'NodeRuntime.enable',
  'NodeRuntime.notifyWhenWaitingForDisconnect',
  'NodeWorker.disable',
  'Profiler.enable',
  'Runtime.disable',
  'Runtime.enable',
  'Runtime.runIfWaitingForDebugger',
  'Target.setDiscoverTargets',
  'Target.setRemoteLocations',
]);
const METHOD_NOT_FOUND = -32601;

// Session ids inside of a root are of the worker's.
const nameOf = (worker) => `worker-${worker}`;

/**
 * The target that a debugger attaches to. It has no code, and reports workers,
 * and threads of the program, by the domain that VS Code uses (NodeWorker,
 * messages as texts in messages) or that of Chrome (Target, with a `sessionId`
 * in each message).
 */
class RootSession {
  #workers;
  #send;
  #fail;
  /** Workers that start later wait for this one. */
  waits = false;
  #style = null;
  #children = new Map();
  #threads;

  /**
   * @param {object} workers see endpoint-thread.js
   * @param {(text: string) => void} send
   * @param {() => void} fail a worker has said more than is read
   */
  constructor(workers, send, fail) {
    this.#workers = workers;
    this.#send = send;
    this.#fail = fail;
  }

  receive(text) {
    const message = JSON.parse(text);
    const { id, method, params = {}, sessionId } = message;
    if (sessionId !== undefined) {
      delete message.sessionId;
      this.#children.get(sessionId)?.send(JSON.stringify(message));
      return;
    }
    const result = this.#answer(method, params);
    if (result === undefined) {
      const error = {
        code: METHOD_NOT_FOUND,
        message: `'${method}' not found`,
      };
      this.#say({ id, error });
      return;
    }
    this.#say({ id, result });
  }

  #answer(method, params) {
    switch (method) {
      case 'NodeWorker.enable':
        return this.#attachAll('texts', params.waitForDebuggerOnStart);
      case 'Target.setAutoAttach':
        return params.autoAttach === true
          ? this.#attachAll('flat', params.waitForDebuggerOnStart)
          : {};
      case 'NodeWorker.sendMessageToWorker':
        this.#children.get(params.sessionId)?.send(params.message);
        return {};
      case 'NodeWorker.detach':
        this.#leave(params.sessionId);
        return {};
      case 'Runtime.evaluate':
        // VS Code asks the first context for its process.
        return { result: { type: 'object', value: this.#workers.facts } };
      default:
        return HARMLESS.has(method) ? {} : undefined;
    }
  }

  // All of it comes before the answer, as of Node's own endpoint, because the
  // debugger may then start what has to wait: a thread that started before Node
  // was asked did not.
  #attachAll(style, waits) {
    this.#style = style;
    this.waits = waits === true;
    this.#workers.waitIfTold();
    for (const worker of this.#workers.list()) this.made(worker);
    this.#showProgram();
    return {};
  }

  #say(message) {
    this.#send(JSON.stringify(message));
  }

  #leave(sessionId) {
    this.#children.get(sessionId)?.close();
    this.#children.delete(sessionId);
  }

  /** Another worker was made. */
  made({ id, title, uuid }) {
    this.#announce({
      name: nameOf(id),
      number: String(id),
      title,
      uuid,
      isWaiting: this.#workers.doWait(),
      connect: (hear) => this.#workers.connect(id, hear, this.#fail),
    });
  }

  /** A worker has ended. */
  gone(id) {
    this.#retract(nameOf(id));
  }

  #announce({ name, number, title, uuid, isWaiting, connect }) {
    if (this.#style === null || this.#children.has(name)) return;
    const isFlat = this.#style === 'flat';
    const hear = (text) => {
      if (isFlat) this.#send(`{"sessionId":"${name}",${text.slice(1)}`);
      else {
        this.#say({
          method: 'NodeWorker.receivedMessageFromWorker',
          params: { sessionId: name, message: text },
        });
      }
    };
    const child = connect(hear);
    if (child === undefined) return;
    this.#children.set(name, child);
    const info = { type: 'worker', title, url: '' };
    const params = { sessionId: name, waitingForDebugger: isWaiting };
    if (isFlat) {
      const targetInfo = {
        ...info,
        targetId: uuid,
        attached: true,
        canAccessOpener: false,
      };
      this.#say({
        method: 'Target.attachedToTarget',
        params: { ...params, targetInfo },
      });
    } else {
      const workerInfo = { ...info, workerId: number };
      this.#say({
        method: 'NodeWorker.attachedToWorker',
        params: { ...params, workerInfo },
      });
    }
  }

  #retract(sessionId) {
    if (!this.#children.has(sessionId)) return;
    this.#leave(sessionId);
    this.#say({
      method:
        this.#style === 'flat'
          ? 'Target.detachedFromTarget'
          : 'NodeWorker.detachedFromWorker',
      params: { sessionId },
    });
  }

  // One session of Node's inspector sees all of them, so this is done once.
  #showProgram() {
    if (this.#threads !== undefined) return;
    this.#threads = this.#workers.programFor({
      made: (thread) => this.#announce(thread),
      gone: (name) => this.#retract(name),
    });
    this.#threads?.begin(this.waits);
  }

  /** The process ends. */
  leaveProgram() {
    this.#threads?.close();
  }

  close() {
    this.waits = false;
    for (const sessionId of this.#children.keys()) this.#leave(sessionId);
    this.#threads?.close();
    this.#workers.waitIfTold();
  }
}

module.exports = { RootSession };
