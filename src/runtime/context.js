'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. The context of a job's
// code, and the announcement of its cancellation.
const { H, box, scratch, options, now } = native;
const {
  RealmMap,
  RealmSet,
  apply,
  defineProperty,
  freeze,
  mapDelete,
  mapGet,
  mapSet,
  setAdd,
  setDelete,
  setForEach,
  setSize,
} = require('./primordials.js');
const { End, Header } = require('../../lib/protocol/wire.gen.js');

const { rare } = runtime;
const { decode } = runtime.codec;
const { status: STATUS } = options;

const ABORT = 'abort';
// context.shared of a job with which nothing is shared.
const NO_SHARED = freeze({ __proto__: null });
const NO_DEADLINE = -1;

// Calls the listeners of a signal; null before the first listener.
let announce = null;
let Signal = null;

// Made for the first job that needs it, because a class costs a new realm as
// much as several functions.
function signalClass() {
  return class JobSignal {
    #seq;
    #mayCancel;
    #listeners = null;
    // The final state, kept because the job's own state ends with the job.
    #final = 0;
    #reason;

    // `mayCancel`: the caller gave a signal or a time limit, so a listener may
    // settle the job's promise.
    constructor(seq, mayCancel) {
      this.#seq = seq;
      this.#mayCancel = mayCancel;
    }

    #setListening(on) {
      if (this.#mayCancel) rare().listening(this.#seq, on);
    }

    #why() {
      if (this.#final === 0) this.#final = rare().cancelledBy(this.#seq);
      return this.#final;
    }

    get cancelled() {
      return this.#why() !== 0;
    }

    get aborted() {
      return this.#why() !== 0;
    }

    get reason() {
      const why = this.#why();
      if (why === 0) return undefined;
      if (why === End.TimedOut || why === End.RunTimedOut) {
        return 'deadline';
      }
      if (this.#reason === undefined) this.#reason = reasonOf(this.#seq);
      return this.#reason;
    }

    throwIfCancelled() {
      if (this.#why() === 0) return;
      throw runtime.codedError(STATUS.JobCancelled, options.cancelledText);
    }

    addEventListener(type, listener) {
      if (type !== ABORT || typeof listener !== 'function') return;
      if (this.#why() !== 0) return;
      if (this.#listeners === null) this.#listeners = new RealmSet();
      apply(setAdd, this.#listeners, [listener]);
      this.#setListening(true);
    }

    removeEventListener(type, listener) {
      if (type === ABORT && this.#listeners !== null) {
        apply(setDelete, this.#listeners, [listener]);
        if (apply(setSize, this.#listeners, []) === 0)
          this.#setListening(false);
      }
    }

    static {
      announce = (signal) => {
        const { reason } = signal;
        const listeners = signal.#listeners;
        signal.#listeners = null;
        if (listeners === null) return;
        signal.#setListening(false);
        const tell = (listener) => {
          try {
            listener(reason);
          } catch (error) {
            runtime.report(error);
          }
        };
        apply(setForEach, listeners, [tell]);
      };
    }
  };
}

// A copy of the caller's reason, if it could be sent.
function reasonOf(seq) {
  if (!rare().presentReason(seq)) return 'cancelled';
  return decode(H[Header.Kind], H[Header.Number], scratch, 0, box[0], box[1]);
}

let Deadline = null;

function deadlineClass() {
  return class JobDeadline {
    #at;

    constructor(at) {
      this.#at = at;
    }

    remainingMs() {
      const left = this.#at - now();
      return left > 0 ? left : 0;
    }

    get expired() {
      return this.#at - now() <= 0;
    }
  };
}

// Signals by the job's number, where several jobs share the realm.
const signals = options.shared ? new RealmMap() : null;

let currentSeq = 0;
let currentSignal = null;

// Members that few jobs have or use.
function rareParts(deadlineAt, trace, mayCancel) {
  return {
    deadlineAt,
    trace,
    mayCancel,
    signal: null,
    deadline: undefined,
  };
}

// All members but the input are made at their first use, because most jobs
// never use them. Few fields, because each costs every job.
class JobContext {
  input;
  #seq;
  #rare;

  constructor(input, seq, rare) {
    this.input = input;
    this.#seq = seq;
    this.#rare = rare;
  }

  get signal() {
    this.#rare ??= rareParts(NO_DEADLINE, undefined, false);
    const rare = this.#rare;
    if (rare.signal === null) {
      Signal ??= signalClass();
      rare.signal = new Signal(this.#seq, rare.mayCancel);
      if (signals !== null) keepSignal(this.#seq, rare.signal);
      else if (this.#seq === currentSeq) currentSignal = rare.signal;
    }
    return rare.signal;
  }

  get deadline() {
    const rare = this.#rare;
    if (rare === null || rare.deadlineAt === NO_DEADLINE) return undefined;
    if (rare.deadline === undefined) {
      Deadline ??= deadlineClass();
      rare.deadline = new Deadline(rare.deadlineAt);
    }
    return rare.deadline;
  }

  // The carrier of the owner's tracer: traceparent and similar.
  get trace() {
    return this.#rare === null ? undefined : this.#rare.trace;
  }

  get emit() {
    const seq = this.#seq;
    return (value) => runtime.emit(seq, value);
  }

  get host() {
    return runtime.hostOf(this.#seq);
  }

  get state() {
    return runtime.state;
  }

  get shared() {
    return runtime.sharedOf(this.#seq);
  }

  get worker() {
    return runtime.workerOf();
  }

  get move() {
    return runtime.move;
  }
}

// The context for functions that can list or copy it: its members are own
// properties. Fields, so that no setter of the realm is called.
let Whole = null;

function wholeClass() {
  Signal ??= signalClass();
  const Class = class JobContext {
    input;
    signal;
    deadline = undefined;
    emit;

    constructor(input, seq, signal) {
      this.input = input;
      this.signal = signal;
      this.emit = (value) => runtime.emit(seq, value);
    }

    // The specification counts those that can be listed, so this one cannot be.
    get worker() {
      return runtime.workerOf();
    }

    get move() {
      return runtime.move;
    }
  };
  add(Class.prototype, 'host', runtime.hostOf(0), false);
  add(Class.prototype, 'state', undefined, false);
  add(Class.prototype, 'shared', NO_SHARED, false);
  add(Class.prototype, 'trace', undefined, false);
  return Class;
}

function add(target, name, value, enumerable) {
  defineProperty(target, name, {
    __proto__: null,
    value,
    writable: true,
    enumerable,
    configurable: true,
  });
}

runtime.NO_DEADLINE = NO_DEADLINE;
runtime.noShared = NO_SHARED;

// The context of a job without limits or other rare members.
runtime.newContext = (input, seq) => {
  currentSeq = seq;
  currentSignal = null;
  return new JobContext(input, seq, null);
};

runtime.limitedContext = (input, seq, deadlineAt, trace, mayCancel) => {
  currentSeq = seq;
  currentSignal = null;
  return new JobContext(input, seq, rareParts(deadlineAt, trace, mayCancel));
};

runtime.wholeContext = (input, seq, deadlineAt, trace, mayCancel) => {
  Whole ??= wholeClass();
  const signal = new Signal(seq, mayCancel);
  if (signals !== null) mapSet(signals, seq, signal);
  currentSeq = seq;
  currentSignal = signal;
  const context = new Whole(input, seq, signal);
  if (deadlineAt !== NO_DEADLINE) {
    Deadline ??= deadlineClass();
    context.deadline = new Deadline(deadlineAt);
  }
  if (options.host !== undefined) {
    add(context, 'host', runtime.hostOf(seq), true);
  }
  if (runtime.state !== undefined) add(context, 'state', runtime.state, true);
  if (trace !== undefined) add(context, 'trace', trace, true);
  return context;
};

// Adds to a context that can be listed.
runtime.addShared = (context, seq) => {
  add(context, 'shared', runtime.sharedOf(seq), true);
};

function keepSignal(seq, signal) {
  // A job that is over or cancelled has no announcement to wait for.
  if (rare().cancelledBy(seq) === 0) mapSet(signals, seq, signal);
}

runtime.forgetSignal = (seq) => {
  apply(mapDelete, signals, [seq]);
};

runtime.onCancel = (seq) => {
  if (signals !== null) {
    const signal = mapGet(signals, seq);
    if (signal === undefined) return;
    rare().enterJob(seq);
    announce(signal);
    rare().enterJob(0);
    return;
  }
  if (seq === currentSeq && currentSignal !== null) announce(currentSignal);
};
