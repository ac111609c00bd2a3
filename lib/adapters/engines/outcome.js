'use strict';

const { Code } = require('../../protocol/diagnostics.gen.js');

/** Another attempt would fail too, because the job itself is invalid. */
const HOPELESS = new Set([
  Code.ResourceLimit,
  Code.UnsupportedPayload,
  Code.SerializationFailed,
]);

/** The pool is being stopped, which is no failure of the job. */
const GIVEN_BACK = new Set([Code.ShutdownCancelled, Code.QueueStopped]);

/** Default of the option `retry`: whether another attempt may succeed. */
const isWorthRetry = (error) => !HOPELESS.has(error?.code);

/**
 * The value that the job threw, as an Error, if the job failed; any other error
 * unchanged. An engine stores its text and stack.
 *
 * @param {unknown} error a rejection of `pool.invoke`
 * @returns {Error}
 */
function errorOfJob(error) {
  if (error?.code === Code.StartupFailed) return withReason(error);
  const thrown = error?.code === Code.JobFailed ? error.cause : error;
  if (thrown instanceof Error) return thrown;
  // `instanceof` fails for another realm's errors.
  if (Object.prototype.toString.call(thrown) === '[object Error]') {
    return thrown;
  }
  return new Error(String(thrown), { cause: error });
}

/** Puts the reason into the text, because an engine stores only that. */
function withReason(error) {
  const reason = error.cause?.message;
  if (reason === undefined) return error;
  const told = new Error(`${error.message}: ${reason}`, { cause: error });
  return Object.assign(told, { code: error.code });
}

/** @returns {Error} an engine recognizes it by its name */
const named = (name, message, cause) =>
  Object.assign(new Error(message, { cause }), { name });

module.exports = { Code, GIVEN_BACK, errorOfJob, isWorthRetry, named };
