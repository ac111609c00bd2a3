'use strict';

const { DOMException } = require('./dom-exception.js');
const {
  Event,
  EventTarget,
  connectSignals,
  fire,
  handlerAttribute,
} = require('./event-target.js');
const {
  enumerable,
  enumerableStatic,
  inspectable,
  need,
  noArguments,
  sequence,
  tag,
} = require('./webidl.js');

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
const KEY = Symbol('construct');
const FEW = 16;

const abortError = () =>
  new DOMException('This operation was aborted', 'AbortError');

/** Builds the two classes over the isolate's timers. */
function createAbort(host) {
  class AbortSignal extends EventTarget {
    #aborted = false;
    #reason = undefined;
    // Signals made by any(): a source holds its dependents weakly, unless they
    // have listeners; a dependent keeps its sources alive.
    #sources;
    #dependents;
    #sweepAt = FEW;
    #listened;
    #composite = false;
    // Steps before the event, in this order.
    #algorithms;

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
      const delay = Math.trunc(+milliseconds);
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
      const list = sequence(signals, 'AbortSignal.any');
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
        const origins = source.#composite ? (source.#sources ?? []) : [source];
        for (const origin of origins) {
          result.#sources ??= new Set();
          if (result.#sources.has(origin)) continue;
          result.#sources.add(origin);
          origin.#forgetDead();
          origin.#dependents ??= new Set();
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

    #keepAlive() {
      for (const source of this.#sources ?? []) {
        source.#listened ??= new Set();
        source.#listened.add(this);
      }
    }

    // Looks only when there are twice as many as last time were alive, so that
    // each costs the same, however many there are.
    #forgetDead() {
      const dependents = this.#dependents;
      if (dependents === undefined || dependents.size < this.#sweepAt) return;
      for (const weak of dependents) {
        if (weak.deref() === undefined) dependents.delete(weak);
      }
      this.#sweepAt = Math.max(FEW, 2 * dependents.size);
    }

    #abort(reason) {
      if (this.#aborted) return;
      this.#aborted = true;
      this.#reason = reason;
      const fired = [this];
      for (const weak of this.#dependents ?? []) {
        const dependent = weak.deref();
        if (dependent && !dependent.#aborted) {
          dependent.#aborted = true;
          dependent.#reason = reason;
          fired.push(dependent);
        }
      }
      this.#dependents = undefined;
      this.#listened = undefined;
      for (const signal of fired) signal.#run();
    }

    #run() {
      const algorithms = this.#algorithms;
      this.#algorithms = undefined;
      for (const algorithm of algorithms ?? []) algorithm();
      fire(this, new Event('abort'));
    }

    static internals = {
      isSignal: (value) => AbortSignal.#is(value),

      /** @returns {() => void} takes it back */
      addAlgorithm(signal, algorithm) {
        signal.#algorithms ??= new Set();
        signal.#algorithms.add(algorithm);
        signal.#keepAlive();
        return () => signal.#algorithms?.delete(algorithm);
      },

      listening(target, type) {
        if (type === 'abort' && #aborted in target) target.#keepAlive();
      },
    };
  }

  const { create, signalAbort, internals } = AbortSignal;
  delete AbortSignal.create;
  delete AbortSignal.signalAbort;
  delete AbortSignal.internals;
  connectSignals(internals, internals.listening);
  handlerAttribute(AbortSignal, 'abort');
  enumerable(AbortSignal, ['aborted', 'reason', 'throwIfAborted']);
  enumerableStatic(AbortSignal, ['abort', 'timeout', 'any']);
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

  return { AbortController, AbortSignal, isSignal: internals.isSignal };
}

module.exports = { createAbort };
