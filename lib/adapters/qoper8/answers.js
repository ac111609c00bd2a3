'use strict';

const { Code } = require('../../protocol/diagnostics.gen.js');
const { errorText } = require('./error-text.js');

// The answers a sender gets instead of a handler's own. Their texts and keys
// are the contract; `code` and `cause` come along unseen by JSON and equality.

const hidden = (answer, code, cause) => {
  Object.defineProperty(answer, 'code', { value: code });
  if (cause !== undefined) {
    Object.defineProperty(answer, 'cause', { value: cause });
  }
  return answer;
};

/** The worker's own error answer, completed with the owner's data. */
function handlerError(failure, request) {
  const { error, caughtError, shutdown, workerId } = failure;
  const answer = { error };
  if (caughtError !== undefined) answer.caughtError = caughtError;
  if (shutdown) answer.shutdown = true;
  answer.originalMessage = request;
  if (workerId !== undefined) answer.workerId = workerId;
  return hidden(answer, Code.JobFailed);
}

function startError({ error, caughtError, cause }, request, workerId) {
  const text = `QOper8 Worker ${workerId} has not been initialised`;
  const answer = { error: error ? `${text}: ${error}` : text };
  const caught = caughtError ?? (cause && withoutCause(cause));
  if (caught !== undefined) answer.caughtError = caught;
  answer.originalMessage = request;
  answer.workerId = workerId;
  return hidden(answer, Code.StartupFailed, cause);
}

// The cause is left out of the text, because it may name a value.
function withoutCause({ stack, message }) {
  return errorText({ stack, message });
}

function timeoutError(request) {
  const error = 'Worker Thread handler timeout exceeded';
  return hidden({ error, originalRequest: request }, Code.JobTimeout);
}

function exitError(request, cause) {
  const error = 'Worker Thread has shut down unexpectedly';
  const code = cause?.code === Code.ResourceLimit ? cause.code : Code.Crashed;
  return hidden({ error, originalRequest: request }, code, cause);
}

function stoppedError() {
  return hidden({ error: 'QOper8 has been stopped' }, Code.QueueStopped);
}

function payloadError(request, cause) {
  const error = 'The message cannot be sent to a worker';
  return hidden({ error, originalRequest: request }, cause.code, cause);
}

function unsavedError(request, cause) {
  const error = 'The message cannot be backed up';
  return hidden({ error, originalRequest: request }, codeOf(cause), cause);
}

/** Errors of the caller's hooks need not have a code of ours. */
const codeOf = (cause) =>
  typeof cause?.code === 'string' ? cause.code : Code.JobFailed;

function overflowError(request) {
  const error = 'QOper8 queue is full';
  return { error, code: Code.QueueFull, originalRequest: request };
}

module.exports = {
  exitError,
  handlerError,
  overflowError,
  payloadError,
  startError,
  stoppedError,
  timeoutError,
  unsavedError,
};
