'use strict';
// What passes between a running job and its owner besides input and result.
// src/runtime/channels.js is the other end.

const { AsyncResource } = require('node:async_hooks');

const { substring } = require('./codec/captured.js');
const { Fifo } = require('./fifo.js');
const {
  OwnPromise,
  apply,
  freeze,
  runInAsyncScope,
} = require('./primordials.js');

const Channel = freeze({
  Emit: 0,
  Host: 1,
  Stream: 2,
  StreamEnd: 3,
  Input: 4,
  InputEnd: 5,
  Port: 6,
  Uncaught: 7,
  Rejection: 8,
  Inspected: 9,
  PortClone: 10,
  Reason: 11,
});

/** Bits of a job's mode (src/runtime/bootstrap.js). */
const Mode = freeze({
  Stream: 1,
  Input: 2,
  Endless: 4,
  Traced: 8,
  Signalled: 16,
});

// Values a stream may hold on the owner's side (STREAM_CREDITS there); half
// of it is given back at a time.
const STREAM_CREDITS = 16;

// Longer reasons of a cancellation do not travel.
const MAX_REASON_BYTES = 16 * 1024;

/** @returns {number | undefined} undefined: as much as any payload */
const maxBytesOf = (channel) =>
  channel === Channel.Reason ? MAX_REASON_BYTES : undefined;

// Of an error's texts, in characters: they must fit into any answer.
const MAX_TEXT = 65536;
const short = (value) => substring(`${value}`, 0, MAX_TEXT);

/** What a worker needs to know of an error: no stack, no cause. */
function tell(error) {
  try {
    const code = error?.code;
    return {
      name: short(error?.name ?? 'Error'),
      message: short(error?.message ?? error),
      code: typeof code === 'string' ? short(code) : null,
    };
  } catch {
    return { name: 'Error', message: 'an error without a text', code: null };
  }
}

/**
 * The host functions of a pool: the only door out of an isolate, opened by
 * name. A call is `[id, name, args]`, its answer `[id, ok, value]`.
 */
class HostCalls {
  #functions;

  constructor(functions) {
    this.#functions = { __proto__: null, ...functions };
  }

  /**
   * Calls what the job, or the worker of that number, asks for and sends back
   * what comes of it.
   */
  async answer(pool, job, call, worker) {
    // By index: Array.prototype is the caller's to change.
    const id = call[0];
    const name = call[1];
    const args = call[2];
    let ok = true;
    let value;
    try {
      const fn = this.#functions[name];
      if (fn === undefined) throw new TypeError(`no host function ${name}`);
      const operation = job?.operation;
      const self = {
        signal: operation?.signal,
        deadline: operation?.deadline,
      };
      value = await (job === null
        ? apply(fn, self, args)
        : runInAsyncScope(job.context, apply, undefined, fn, self, args));
    } catch (error) {
      ok = false;
      value = tell(error);
    }
    try {
      pool.mail(job, Channel.Host, [id, ok, value], undefined, worker);
    } catch (error) {
      pool.mail(job, Channel.Host, [id, false, tell(error)], undefined, worker);
    }
  }
}

/**
 * The owner's end of a job that streams: its results as an async iterator,
 * its input from one. A side may only send what it has credits for.
 */
class JobChannels {
  #pool;
  #job = null;
  #items = new Fifo();
  #taken = 0;
  #waiting = null;
  #over = false;
  #source = null;
  #inputCredits = 0;
  #pumping = false;
  #context = null;

  /** @param {AsyncIterator | null} source of the job's input, if it streams */
  constructor(pool, source) {
    this.#pool = pool;
    this.#source = source;
    if (source !== null) {
      this.#context = new AsyncResource('SloppyWorkersInput');
    }
  }

  attach(job) {
    this.#job = job;
    job.channels = this;
  }

  receive(channel, value) {
    if (channel === Channel.Stream) {
      this.#items.push(value);
      this.#wake();
    } else if (channel === Channel.Input) {
      this.#inputCredits += value;
      if (this.#context !== null) {
        runInAsyncScope(this.#context, this.#pump, this);
      }
    } else if (channel === Channel.InputEnd) {
      this.#closeSource();
    }
  }

  /** The job is over. What it has sent can still be taken. */
  end() {
    this.#over = true;
    this.#closeSource();
    this.#wake();
  }

  #wake() {
    const wake = this.#waiting;
    this.#waiting = null;
    wake?.();
  }

  /** @returns {Promise<boolean>} there is a value to `take` */
  async ready() {
    while (this.#items.length === 0 && !this.#over) {
      await new OwnPromise((resolve) => {
        this.#waiting = resolve;
      });
    }
    return this.#items.length > 0;
  }

  take() {
    const value = this.#items.shift();
    this.#taken += 1;
    if (this.#taken === STREAM_CREDITS / 2) {
      if (!this.#over) {
        this.#pool.mail(this.#job, Channel.Stream, this.#taken);
      }
      this.#taken = 0;
    }
    return value;
  }

  /** Nobody wants more: lets the generator run its `finally`. */
  cancel() {
    this.#items.clear();
    if (!this.#over) this.#pool.mail(this.#job, Channel.StreamEnd, null);
  }

  async #pump() {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#inputCredits > 0 && this.#source !== null) {
        this.#inputCredits -= 1;
        const { done, value } = await this.#source.next();
        if (this.#source === null) return;
        if (done) {
          this.#source = null;
          this.#pool.mail(this.#job, Channel.InputEnd, null);
        } else {
          this.#pool.mail(this.#job, Channel.Input, value);
        }
      }
    } catch (error) {
      this.#closeSource();
      this.#pool.mail(this.#job, Channel.InputEnd, tell(error));
    } finally {
      this.#pumping = false;
    }
  }

  #closeSource() {
    const source = this.#source;
    this.#source = null;
    if (source === null) return;
    runInAsyncScope(this.#context, closeQuietly, undefined, source);
  }
}

// Its own failure to close changes nothing for the job.
async function closeQuietly(source) {
  try {
    await source.return?.();
  } catch {}
}

module.exports = { Channel, HostCalls, JobChannels, Mode, maxBytesOf };
