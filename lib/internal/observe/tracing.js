'use strict';

/**
 * The tracer of this copy of the library, null most of the time:
 * `start({ kind, name, entry })` returns a span
 *
 * - `carrier`: plain strings that the job's context shows as `trace`
 * - `within(fn)`: calls `fn` with the span as the current one
 * - `end({ outcome, code?, queueMs?, runMs?, cpuMs?, … })`: called once
 */
const tracing = { tracer: null };

module.exports = { tracing };
