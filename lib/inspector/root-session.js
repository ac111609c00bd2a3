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
 * The target that a debugger attaches to. It has no code, and reports workers
 * by the domain that VS Code uses (NodeWorker, messages as texts in messages)
 * or that of Chrome (Target, with a `sessionId` in each message).
 */
class RootSession {
  #workers;
  #send;
  #fail;
  /** Workers that start later wait for this one. */
  waits = false;
  #style = null;
  #children = new Map();

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
    if (method === 'NodeWorker.enable' || method === 'Target.setAutoAttach') {
      for (const worker of this.#workers.list()) this.made(worker);
    }
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

  #attachAll(style, waits) {
    this.#style = style;
    this.waits = waits === true;
    this.#workers.waitIfTold();
    return {};
  }

  #say(message) {
    this.#send(JSON.stringify(message));
  }

  #leave(sessionId) {
    this.#children.get(sessionId)?.close();
    this.#children.delete(sessionId);
  }

  /** There is another worker. */
  made({ id, title, uuid }) {
    const sessionId = nameOf(id);
    if (this.#style === null || this.#children.has(sessionId)) return;
    const isFlat = this.#style === 'flat';
    const hear = (text) => {
      if (isFlat) this.#send(`{"sessionId":"${sessionId}",${text.slice(1)}`);
      else {
        this.#say({
          method: 'NodeWorker.receivedMessageFromWorker',
          params: { sessionId, message: text },
        });
      }
    };
    const child = this.#workers.connect(id, hear, this.#fail);
    if (child === undefined) return;
    this.#children.set(sessionId, child);
    const info = { type: 'worker', title, url: '' };
    this.#say(
      isFlat
        ? {
            method: 'Target.attachedToTarget',
            params: {
              sessionId,
              targetInfo: {
                ...info,
                targetId: uuid,
                attached: true,
                canAccessOpener: false,
              },
              waitingForDebugger: this.#workers.doWait(),
            },
          }
        : {
            method: 'NodeWorker.attachedToWorker',
            params: {
              sessionId,
              workerInfo: { ...info, workerId: String(id) },
              waitingForDebugger: this.#workers.doWait(),
            },
          },
    );
  }

  /** A worker has ended. */
  gone(id) {
    const sessionId = nameOf(id);
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

  close() {
    this.waits = false;
    for (const sessionId of this.#children.keys()) this.#leave(sessionId);
    this.#workers.waitIfTold();
  }
}

module.exports = { RootSession };
