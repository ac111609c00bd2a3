'use strict';

const { Code } = require('../../protocol/diagnostics.gen.js');

/** Another attempt would end alike: it is the job itself that does not fit. */
const HOPELESS = new Set([
  Code.ResourceLimit,
  Code.UnsupportedPayload,
  Code.SerializationFailed,
]);

/** The pool is being stopped, which says nothing about the job. */
const GIVEN_BACK = new Set([Code.ShutdownCancelled, Code.QueueStopped]);

/** Worth another attempt? The default of the option `retry`. */
const isWorthRetry = (error) => !HOPELESS.has(error?.code);

/**
 * What the job itself threw, as an Error, where it was the job that failed;
 * else the error as it is. An engine stores this one's text and stack.
 *
 * @param {unknown} error a rejection of `pool.invoke`
 * @returns {Error}
 */
function errorOfJob(error) {
  if (error?.code === Code.StartupFailed) return withReason(error);
  const thrown = error?.code === Code.JobFailed ? error.cause : error;
  if (thrown instanceof Error) return thrown;
  // Another realm's errors are none of ours.
  if (Object.prototype.toString.call(thrown) === '[object Error]') {
    return thrown;
  }
  return new Error(String(thrown), { cause: error });
}

/** An engine keeps one text: it has to say which module did not load. */
function withReason(error) {
  const reason = error.cause?.message;
  if (reason === undefined) return error;
  const told = new Error(`${error.message}: ${reason}`, { cause: error });
  return Object.assign(told, { code: error.code });
}

/** @returns {Error} that an engine knows by its name */
const named = (name, message, cause) =>
  Object.assign(new Error(message, { cause }), { name });

module.exports = { Code, GIVEN_BACK, errorOfJob, isWorthRetry, named };
