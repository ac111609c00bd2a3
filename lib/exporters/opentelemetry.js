'use strict';

const { version } = require('../../package.json');
const { DIAGNOSTICS } = require('../protocol/diagnostics.gen.js');
const { tracing } = require('../observe/tracing.js');
const { warnOf } = require('../base/warn-of.js');
const { takeOptions } = require('../options/take-options.js');

const FAILED = new Set(['failed', 'timedOut', 'refused']);
const PREFIX = 'sloppy_workers.';

/** Attributes without unknown ones. */
const known = (attributes) =>
  Object.fromEntries(
    Object.entries(attributes).filter(([, value]) => value !== undefined),
  );

let hasWarned = false;

/**
 * Calls code that the caller installed: samplers, processors, propagators and
 * context managers. An error of theirs becomes a warning, once, because it must
 * cost neither the job nor its promise.
 *
 * @returns {unknown} undefined if it has thrown
 */
function quietly(call) {
  try {
    return call();
  } catch (error) {
    if (hasWarned) return undefined;
    hasWarned = true;
    warnOf(
      'SLOPPY_W_TRACER_THREW',
      'a tracer or its context has thrown',
      error,
    );
    return undefined;
  }
}

/** @returns {() => unknown} returns or throws as `fn` did */
function attempt(fn) {
  try {
    const value = fn();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** The propagator's entries that are text. */
const texts = (carrier) =>
  Object.fromEntries(
    Object.entries(carrier).filter(([, value]) => typeof value === 'string'),
  );

/**
 * One span for each job, a child of the span that was current when it was
 * submitted. Only names, numbers and codes are recorded.
 */
class JobSpan {
  #api;
  #span;
  #context;
  carrier = null;

  constructor(api, tracer, { kind, name, entry }) {
    this.#api = api;
    const parent = quietly(() => api.context.active()) ?? api.ROOT_CONTEXT;
    const attributes = {
      [`${PREFIX}kind`]: kind,
      [`${PREFIX}name`]: name,
      [`${PREFIX}entry`]: entry,
    };
    const label = entry === '' ? name : `${name} ${entry}`;
    this.#span = quietly(() => tracer.startSpan(label, { attributes }, parent));
    this.#context = parent;
    if (this.#span === undefined) return;
    this.#context = api.trace.setSpan(parent, this.#span);
    // A queue's handler runs in this context, so it needs no carrier.
    if (kind !== 'queue') quietly(() => this.#inject());
  }

  #inject() {
    const set = {};
    this.#api.propagation.inject(this.#context, set);
    const carrier = texts(set);
    if (Object.keys(carrier).length > 0) this.carrier = carrier;
  }

  /** Calls `fn` once, even if the context manager calls it twice or never. */
  within(fn) {
    let outcome = null;
    quietly(() =>
      this.#api.context.with(this.#context, () => {
        outcome ??= attempt(fn);
      }),
    );
    outcome ??= attempt(fn);
    return outcome();
  }

  end({ outcome, code, queueMs, runMs, cpuMs, payloadBytes, resultBytes }) {
    const span = this.#span;
    if (span === undefined) return;
    const attributes = known({
      [`${PREFIX}outcome`]: outcome,
      [`${PREFIX}queue_ms`]: queueMs,
      [`${PREFIX}run_ms`]: runMs,
      [`${PREFIX}cpu_ms`]: cpuMs,
      [`${PREFIX}payload_bytes`]: payloadBytes,
      [`${PREFIX}result_bytes`]: resultBytes,
      'error.type': code,
    });
    quietly(() => span.setAttributes(attributes));
    if (FAILED.has(outcome)) quietly(() => this.#fail(code));
    quietly(() => span.end());
  }

  // The error itself is not recorded, because its cause may hold values.
  #fail(code = 'TypeError') {
    const span = this.#span;
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: code });
    span.recordException({
      name: 'SloppyWorkerError',
      code,
      message: DIAGNOSTICS[code]?.message ?? code,
    });
  }
}

/**
 * Makes a span for every job of every pool, worker and queue of this process,
 * and sends the trace's context into the isolates as `context.trace`.
 *
 * @param {object} [options]
 * @param {object} [options.tracerProvider] default: the global one
 * @returns {{ disable(): void }}
 * @throws {TypeError}
 * @throws {Error} @opentelemetry/api is not installed
 */
function instrument(options = undefined) {
  const { tracerProvider } = takeOptions('instrument', options, [
    'tracerProvider',
  ]);
  const api = require('@opentelemetry/api');
  const provider = tracerProvider ?? api.trace;
  if (typeof provider.getTracer !== 'function') {
    throw new TypeError('instrument tracerProvider must have getTracer().');
  }
  const tracer = provider.getTracer('sloppy-workers', version);
  const hook = { start: (about) => new JobSpan(api, tracer, about) };
  tracing.tracer = hook;
  return {
    disable() {
      if (tracing.tracer === hook) tracing.tracer = null;
    },
  };
}

module.exports = { instrument };
