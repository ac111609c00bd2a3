'use strict';
// The channels between a running job and its owner, besides input and result.
// src/runtime/channels.js is the other end.

const { AsyncResource } = require('node:async_hooks');

const { substring } = require('../protocol/codec/captured.js');
const { Fifo } = require('../base/fifo.js');
const { startImmediate } = require('../base/own-time.js');
const {
  OwnPromise,
  apply,
  runInAsyncScope,
} = require('../base/primordials.js');
const { Channel, Limit } = require('../protocol/wire.gen.js');

// Maximum of a stream's values on the owner's side; credits are returned in
// halves.
const { StreamCredits: STREAM_CREDITS } = Limit;

// A longer cancellation reason is not sent.
const MAX_REASON_BYTES = 16 * 1024;

/** @returns {number | undefined} undefined: the limit of any payload */
const maxBytesOf = (channel) =>
  channel === Channel.Reason ? MAX_REASON_BYTES : undefined;

// Maximum characters of an error's texts.
const { ErrorText: MAX_TEXT } = Limit;
const short = (value) => substring(`${value}`, 0, MAX_TEXT);

/**
 * Maximum size of the library's own messages. The longest one, the three texts
 * of an error, must fit for any `maxPayloadBytes`.
 */
const MAX_CONTROL_BYTES = 1024 * 1024;

/** Describes an error for a worker, without stack and cause. */
function describeError(error) {
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
   * Calls the host function for the job, or the worker of that number, and
   * sends the result back.
   */
  async answer(pool, job, call, worker) {
    // Reads by index, because the caller may change Array.prototype.
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
      value = describeError(error);
    }
    if (ok) {
      try {
        pool.mail(job, Channel.Host, [id, true, value], undefined, worker);
        return;
      } catch (error) {
        value = describeError(error);
      }
    }
    pool.control(job, Channel.Host, [id, false, value], worker);
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
  #source;
  #inputCredits = 0;
  #pumping = false;
  #context = null;
  // Whether the consumer has a value and has not requested the next one.
  #isIdle = false;
  #looksSoon = false;
  #isLoose = false;

  /** @param {InputSource | null} source of the job's input, if it streams */
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

  /**
   * The job is settled, or was refused. Values it has sent can still be read.
   * May be called again.
   */
  end() {
    this.#over = true;
    this.#hold();
    this.#closeSource();
    this.#wake();
  }

  /**
   * The job is settled, and may go on for its grace: what it could wait for
   * ends. It ignores the end of what it does not have, or of what has ended.
   *
   * @param {Error} error why
   */
  interrupted(error) {
    this.#pool.control(this.#job, Channel.StreamEnd, null);
    this.#pool.control(this.#job, Channel.InputEnd, describeError(error));
  }

  #wake() {
    const wake = this.#waiting;
    this.#waiting = null;
    wake?.();
  }

  /** @returns {Promise<boolean>} whether there is a value to `take` */
  async ready() {
    this.#hold();
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
      this.#control(Channel.Stream, this.#taken);
      this.#taken = 0;
    }
    this.#markIdle();
    return value;
  }

  /** The consumer wants no more values, and waits for the end. */
  cancel() {
    this.#hold();
    this.drop();
  }

  /**
   * The consumer wants no more values: lets the generator run its `finally`.
   */
  drop() {
    this.#items.clear();
    this.#control(Channel.StreamEnd, null);
  }

  #control(channel, value) {
    if (!this.#over) this.#pool.control(this.#job, channel, value);
  }

  // A consumer that requests no further value must not keep the process alive.
  // Checked once per turn of the loop, because most request the next value in
  // the same turn.
  #markIdle() {
    this.#isIdle = true;
    if (this.#looksSoon) return;
    this.#looksSoon = true;
    startImmediate(() => {
      this.#looksSoon = false;
      if (!this.#isIdle || this.#isLoose || this.#over) return;
      this.#isLoose = true;
      this.#pool.loosen();
    });
  }

  #hold() {
    this.#isIdle = false;
    if (!this.#isLoose) return;
    this.#isLoose = false;
    this.#pool.tighten();
  }

  async #pump() {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#inputCredits > 0 && this.#source !== null) {
        this.#inputCredits -= 1;
        const { done, value } = await this.#source.next();
        if (this.#source === null) return;
        if (done) this.#endInput();
        else this.#pool.mail(this.#job, Channel.Input, value);
      }
    } catch (error) {
      // The result of a source that was closed while it was read is dropped.
      if (this.#source === null) return;
      this.#closeSource();
      this.#control(Channel.InputEnd, describeError(error));
    } finally {
      this.#pumping = false;
    }
  }

  #endInput() {
    const source = this.#source;
    this.#source = null;
    this.#control(Channel.InputEnd, null);
    source.ended();
  }

  #closeSource() {
    const source = this.#source;
    this.#source = null;
    if (source === null) return;
    runInAsyncScope(this.#context, source.close, source);
  }
}

module.exports = { HostCalls, JobChannels, MAX_CONTROL_BYTES, maxBytesOf };
