'use strict';

const { version } = require('../package.json');
const { DIAGNOSTICS } = require('./internal/diagnostics.gen.js');
const { tracing } = require('./internal/observe/tracing.js');
const { plainOptions } = require('./internal/validate.js');

const FAILED = new Set(['failed', 'timedOut', 'refused']);
const PREFIX = 'sloppy_workers.';

/** Attributes without those that nothing is known of. */
const known = (attributes) =>
  Object.fromEntries(
    Object.entries(attributes).filter(([, value]) => value !== undefined),
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
    const parent = api.context.active();
    this.#api = api;
    this.#span = tracer.startSpan(
      entry === '' ? name : `${name} ${entry}`,
      {
        attributes: {
          [`${PREFIX}kind`]: kind,
          [`${PREFIX}name`]: name,
          [`${PREFIX}entry`]: entry,
        },
      },
      parent,
    );
    this.#context = api.trace.setSpan(parent, this.#span);
    const carrier = {};
    api.propagation.inject(this.#context, carrier);
    // A queue's handler runs in this context: it needs no carrier.
    if (kind !== 'queue' && Object.keys(carrier).length > 0) {
      this.carrier = carrier;
    }
  }

  within(fn) {
    return this.#api.context.with(this.#context, fn);
  }

  end({ outcome, code, queueMs, runMs, cpuMs, payloadBytes, resultBytes }) {
    const span = this.#span;
    span.setAttributes(
      known({
        [`${PREFIX}outcome`]: outcome,
        [`${PREFIX}queue_ms`]: queueMs,
        [`${PREFIX}run_ms`]: runMs,
        [`${PREFIX}cpu_ms`]: cpuMs,
        [`${PREFIX}payload_bytes`]: payloadBytes,
        [`${PREFIX}result_bytes`]: resultBytes,
        'error.type': code,
      }),
    );
    if (FAILED.has(outcome)) this.#fail(code);
    span.end();
  }

  // The error itself is not recorded: its cause is what the job threw.
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
  const { tracerProvider } = plainOptions('instrument', options);
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
