'use strict';

const { setTimeout: delay } = require('node:timers/promises');
const { pathToFileURL } = require('node:url');

const { Code } = require('../../protocol/diagnostics.gen.js');
const { checkFound } = require('../module-reference.js');
const { describeError } = require('../terminal.js');
const { callBatch } = require('./call-batch.js');
const { timerMs } = require('../../base/timer-ms.js');

const SLICE_MS = 50;
const FIRST_BATCH = 32;
const LARGEST_BATCH = 10_000;
const MAX_RESULT_CHARS = 8 * 2 ** 20;
const MAX_BACKOFF_MS = 5000;
const FATAL = [Code.BridgeUnavailable, Code.PoolUnavailable, Code.QueueStopped];

/** Sizes batches so that one takes about a slice of time. */
class Pace {
  #fixed;
  #size = FIRST_BATCH;

  constructor(fixed) {
    this.#fixed = fixed;
  }

  get size() {
    return this.#fixed ?? this.#size;
  }

  learn(records, ms) {
    if (records === 0) return;
    const fitting = Math.round((records / Math.max(ms, 0.01)) * SLICE_MS);
    // Growth is fourfold at most, because a first batch may be all blank lines.
    const next = Math.min(fitting, this.#size * 4, LARGEST_BATCH);
    this.#size = Math.max(1, next);
  }
}

const KINDS = { ndjson: 'json', json: 'element', csv: 'csv', lines: 'text' };

const MULTILINE = {
  element: (record) => record.includes('\n'),
  // A quoted field needs a parser anyway.
  csv: (record) => record.includes('"'),
};

/** The results of a batch, in the order of its records. */
class Outcome {
  texts = [];
  written = 0;
  dropped = 0;
  blank = 0;
  failures = [];
  /**
   * Number of records that are done; fewer than the batch has if it was
   * stopped.
   */
  done = 0;
  /** The failure that stops the whole run. */
  stoppedBy = null;

  constructor(batch) {
    this.batch = batch;
  }

  add({ done, text, written, dropped, blank }) {
    if (text !== '') this.texts.push(text);
    this.written += written;
    this.dropped += dropped;
    this.blank += blank;
    this.done += done;
  }
}

/** Runs batches in a pool; a failing record does not affect the others. */
class BatchRunner {
  pace;
  #pool;
  #fresh;
  #options;
  #fixed;

  /**
   * @param {WorkerPool} pool
   * @param {object} options `reference`, `format`, `delimiter`, `fields()`,
   *   `keepText`, `timeout`, `retries`, `stopAtFailure`, `batch`,
   *   `freshPool()`, a pool in which records share no state, and the signals
   *   `signal` (no more records) and `abort` (give up on running ones)
   */
  constructor(pool, options) {
    this.#pool = pool;
    this.#options = options;
    this.pace = new Pace(options.batch);
    const { retries, stopAtFailure } = options;
    this.#fixed = {
      url: options.reference.url,
      name: options.reference.name,
      kind: KINDS[options.format],
      delimiter: options.delimiter,
      papa: pathToFileURL(require.resolve('papaparse')).href,
      digits: pathToFileURL(require.resolve('../lost-digits.js')).href,
      keepText: options.keepText,
      // A record that is tried again must not be overtaken.
      stopAtFailure: stopAtFailure || retries > 0,
      sliceMs: SLICE_MS,
      maxChars: MAX_RESULT_CHARS,
      announce: options.timeout !== undefined,
    };
  }

  /**
   * Loads the module before anything is read.
   *
   * @throws {CliError | SloppyWorkerError}
   */
  async probe(label) {
    checkFound(await this.#send([], 0), label);
  }

  /** @returns {Promise<Outcome>} rejects only if nothing can run at all */
  async run(batch) {
    const outcome = new Outcome(batch);
    const { signal } = this.#options;
    let width = batch.count;
    let attempts = 0;
    while (outcome.done < batch.count && !signal.aborted) {
      const at = outcome.done;
      const sent = Math.min(width, batch.count - at);
      const answer = await this.#attempt(batch, at, sent);
      if (answer === null) break;
      if (answer.crash && sent > 1) {
        // One of these records is at fault, so the rest goes one by one.
        width = 1;
        continue;
      }
      if (answer.done > 0) {
        outcome.add(answer);
        attempts = 0;
      }
      const { failed } = answer;
      const isStuck = failed.length > 0 && failed[0].at === answer.done;
      if (!isStuck) {
        for (const failure of failed) this.#fail(outcome, at, failure, 1);
        continue;
      }
      attempts += 1;
      if (await this.#mayRetry(failed[0], attempts)) continue;
      this.#fail(outcome, at, failed[0], attempts);
      if (outcome.stoppedBy !== null) break;
      outcome.done += 1;
      attempts = 0;
    }
    return outcome;
  }

  async #mayRetry(failure, attempts) {
    const { retries, signal } = this.#options;
    if (failure.isInput || attempts > retries) return false;
    const backoffMs = Math.min(100 * 2 ** (attempts - 1), MAX_BACKOFF_MS);
    await delay(backoffMs, undefined, { signal }).catch(() => {});
    return true;
  }

  #fail(outcome, from, { at, name, message, stack, code }, attempts) {
    const record = from + at;
    const { batch } = outcome;
    const failure = {
      index: batch.index + record,
      text: batch.textOf(record),
      error: { code, name, message, stack },
      attempts,
    };
    if (this.#options.stopAtFailure) outcome.stoppedBy = failure;
    else outcome.failures.push(failure);
  }

  /**
   * @returns an answer of callBatch, one that attributes the failure to the
   *   record, or null
   */
  async #attempt(batch, at, count, pool = this.#pool) {
    const blame = (error) => ({
      done: 0,
      failed: [{ at: 0, isInput: false, ...error }],
    });
    if (batch.records === null)
      return blame({ ...batch.refusal, isInput: true });
    const isWhole = count === batch.count;
    const records = isWhole
      ? batch.records
      : batch.records.slice(at, at + count);
    try {
      const answer = await this.#send(records, batch.index + at, pool);
      this.pace.learn(answer.done, answer.ms);
      return answer;
    } catch (error) {
      if (this.#options.abort.aborted) return null;
      if (FATAL.includes(error.code) || !error.code) throw error;
      if (count > 1) return { crash: true };
      if (error.code === Code.ResourceLimit && pool !== this.#fresh) {
        // State that earlier records left in the isolate may be the cause.
        this.#fresh ??= this.#options.freshPool();
        return this.#attempt(batch, at, 1, this.#fresh);
      }
      const { code, message } = describeError(error);
      return blame({ code, name: 'SloppyWorkerError', message, stack: null });
    }
  }

  async #send(records, index, pool = this.#pool) {
    const { timeout, abort } = this.#options;
    const fields = this.#options.fields();
    // One text travels faster than many, but it can be cut only if no record
    // contains a newline.
    const { kind } = this.#fixed;
    const isText =
      records.length > 0 &&
      (kind === 'json' || kind === 'text' || !records.some(MULTILINE[kind]));
    const input = {
      ...this.#fixed,
      index,
      fields,
      records: isText ? null : records,
      text: isText ? records.join('\n') : null,
    };
    if (timeout === undefined) {
      return pool.run(callBatch, { input, signal: abort });
    }
    return this.#sendWithLimit(input, records.length, timeout, pool);
  }

  // The time counts from the isolate's message that it begins, because a record
  // must not pay for the wait and for loading the module.
  async #sendWithLimit(input, count, timeout, pool) {
    const controller = new AbortController();
    const { abort } = this.#options;
    const stop = () => controller.abort();
    abort.addEventListener('abort', stop);
    let timer;
    const limit = count > 1 ? timeout + SLICE_MS : timeout;
    const onMessage = () => {
      timer ??= setTimeout(() => {
        const reason = new DOMException('too slow', 'TimeoutError');
        controller.abort(reason);
      }, timerMs(limit));
    };
    try {
      const { signal } = controller;
      return await pool.run(callBatch, { input, signal, onMessage });
    } finally {
      clearTimeout(timer);
      abort.removeEventListener('abort', stop);
    }
  }
}

module.exports = { BatchRunner };
