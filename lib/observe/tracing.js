'use strict';

const { nameOf } = require('../entries/entries.js');

/**
 * The tracer of this copy of the library, null most of the time:
 * `start({ kind, name, entry })` returns a span
 *
 * - `carrier`: plain strings that the job's context shows as `trace`, or null
 * - `within(fn)`: calls `fn` with the span as the current one
 * - `end({ outcome, code?, queueMs?, runMs?, cpuMs?, … })`: called once
 */
const tracing = { tracer: null };

/**
 * Submits a job within a span of its own. REQUIRES: there is a tracer.
 *
 * @param {Watch} watch
 * @param {object | null} entry what the job calls, see PoolEntries
 * @param {(span: object) => unknown} submit
 */
function traced({ kind, name }, entry, submit) {
  const called = entry === null ? '' : nameOf(entry);
  const span = tracing.tracer.start({ kind, name, entry: called });
  try {
    return span.within(() => submit(span));
  } catch (refusal) {
    span.end({ outcome: 'refused', code: codeOf(refusal) });
    throw refusal;
  }
}

/** Refusals may be what a getter of the input has thrown: anything. */
function codeOf(refusal) {
  try {
    return refusal?.code;
  } catch {
    return undefined;
  }
}

/** What a job with a span sends: the value, behind its carrier if it has one. */
const withCarrier = (span, value) =>
  span.carrier === null ? value : [span.carrier, value];

module.exports = { traced, tracing, withCarrier };
