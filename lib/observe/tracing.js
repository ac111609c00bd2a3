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
 * Submits a job within a span of its own. REQUIRES: a tracer is set.
 *
 * @param {Watch} watch
 * @param {object | null} entry of the job, see PoolEntries
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

/**
 * A refusal may be any value, because a getter of the input may have thrown it.
 */
function codeOf(refusal) {
  try {
    return refusal?.code;
  } catch {
    return undefined;
  }
}

/**
 * The input of a job with a span: the value, behind the carrier if there is
 * one.
 */
const withCarrier = (span, value) =>
  span.carrier === null ? value : [span.carrier, value];

module.exports = { traced, tracing, withCarrier };
