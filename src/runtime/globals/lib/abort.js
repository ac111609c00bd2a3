'use strict';

const { DOMException } = require('./dom-exception.js');
const { Event, EventTarget, handlerAttribute } = require('./event-target.js');
const {
  accessor,
  enumerable,
  inspectable,
  need,
  noArguments,
  tag,
} = require('./webidl.js');

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
const KEY = Symbol('construct');

const abortError = () =>
  new DOMException('This operation was aborted', 'AbortError');

/** Builds the two classes over the isolate's timers. */
function createAbort(host) {
  class AbortSignal extends EventTarget {
    #aborted = false;
    #reason = undefined;
    // Signals made by any(): a source knows its dependents weakly, unless
    // somebody listens to them; a dependent keeps its sources alive.
    #sources = new Set();
    #dependents = new Set();
    #listened = new Set();
    #composite = false;

    constructor(key) {
      if (key !== KEY) throw new TypeError('Illegal constructor');
      super();
    }

    static abort(reason = abortError()) {
      const signal = new AbortSignal(KEY);
      signal.#aborted = true;
      signal.#reason = reason;
      return signal;
    }

    static timeout(milliseconds) {
      need(1, arguments.length, 'AbortSignal.timeout');
      const delay = Math.trunc(Number(milliseconds));
      if (!(delay >= 0 && delay <= MAX_SAFE)) {
        throw new TypeError('AbortSignal.timeout: delay is out of range');
      }
      const signal = new AbortSignal(KEY);
      const message = 'The operation was aborted due to timeout';
      // With a reference, unlike Node's: a job that waits for it goes on.
      host.setTimer(delay, false, () => {
        signal.#abort(new DOMException(message, 'TimeoutError'));
      });
      return signal;
    }

    static any(signals) {
      need(1, arguments.length, 'AbortSignal.any');
      const list = [...signals];
      for (const source of list) {
        if (!AbortSignal.#is(source)) {
          throw new TypeError('AbortSignal.any: not an AbortSignal');
        }
      }
      const result = new AbortSignal(KEY);
      result.#composite = true;
      const done = list.find((source) => source.#aborted);
      if (done) {
        result.#aborted = true;
        result.#reason = done.#reason;
        return result;
      }
      const weak = new WeakRef(result);
      for (const source of list) {
        const origins = source.#composite ? source.#sources : [source];
        for (const origin of origins) {
          if (result.#sources.has(origin)) continue;
          result.#sources.add(origin);
          origin.#forgetDead();
          origin.#dependents.add(weak);
        }
      }
      return result;
    }

    static #is(value) {
      return typeof value === 'object' && value !== null && #aborted in value;
    }

    static create() {
      return new AbortSignal(KEY);
    }

    static signalAbort(signal, reason) {
      signal.#abort(reason);
    }

    get aborted() {
      return this.#aborted;
    }

    get reason() {
      return this.#reason;
    }

    throwIfAborted() {
      if (this.#aborted) throw this.#reason;
    }

    addEventListener(type, ...rest) {
      super.addEventListener(type, ...rest);
      if (`${type}` === 'abort') this.#keepAlive();
    }

    #keepAlive() {
      for (const source of this.#sources) source.#listened.add(this);
    }

    #forgetDead() {
      for (const weak of this.#dependents) {
        if (weak.deref() === undefined) this.#dependents.delete(weak);
      }
    }

    #abort(reason) {
      if (this.#aborted) return;
      this.#aborted = true;
      this.#reason = reason;
      const fired = [this];
      for (const weak of this.#dependents) {
        const dependent = weak.deref();
        if (dependent && !dependent.#aborted) {
          dependent.#aborted = true;
          dependent.#reason = reason;
          fired.push(dependent);
        }
      }
      this.#dependents.clear();
      this.#listened.clear();
      for (const signal of fired) signal.dispatchEvent(new Event('abort'));
    }
  }

  const { create, signalAbort } = AbortSignal;
  delete AbortSignal.create;
  delete AbortSignal.signalAbort;
  handlerAttribute(AbortSignal, 'abort');
  keepHandlerAlive(AbortSignal);
  enumerable(AbortSignal, ['aborted', 'reason', 'throwIfAborted']);
  tag(AbortSignal);
  noArguments(AbortSignal);
  inspectable(AbortSignal, ['aborted']);

  class AbortController {
    #signal = create();

    get signal() {
      return this.#signal;
    }

    abort(reason = abortError()) {
      signalAbort(this.#signal, reason);
    }
  }
  enumerable(AbortController, ['signal', 'abort']);
  tag(AbortController);
  inspectable(AbortController, ['signal']);

  return { AbortController, AbortSignal };
}

// `onabort` is a listener too, so the signals of any() must stay alive for it.
function keepHandlerAlive(AbortSignal) {
  const descriptor = Object.getOwnPropertyDescriptor(
    AbortSignal.prototype,
    'onabort',
  );
  const { get, set } = descriptor;
  const nothing = () => {};
  const own = {
    set(callback) {
      set.call(this, callback);
      if (typeof callback === 'function') {
        this.addEventListener('abort', nothing);
      }
    },
  };
  accessor(AbortSignal.prototype, 'onabort', get, own.set);
}

module.exports = { createAbort };
