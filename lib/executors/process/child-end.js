'use strict';
// The meaning of a process's end.

// The exit code of the addon's guard, when the heap has reached its limit
// (binding/process_guard.cc), and of a sandbox's host.
const OVER_LIMIT = 71;

/** @param {{ code: number | null } | null} end */
const isOverLimit = (end) => end?.code === OVER_LIMIT;

/** @param {{ signal: string | null } | null} end */
const isInterrupted = (end) => end?.signal === 'SIGINT';

function textOf({ code, signal }, broken, exitText) {
  if (broken !== undefined) return `the process has sent ${broken.message}`;
  if (signal === 'SIGKILL') {
    return (
      'the process was ended by SIGKILL, which the pool has not sent: often the ' +
      'system does, when it has no memory left'
    );
  }
  if (signal !== null) return `the process was ended by ${signal}`;
  return exitText(code);
}

const calledExit = (code) => `process.exit(${code}) was called in a worker`;

/** @returns {string} the end of a process that has not said that Node runs */
const endedBefore = (code) =>
  `the process ended with the code ${code} before it took jobs: node may refuse ` +
  'the flags of execArgv or NODE_OPTIONS, or files that they name fail';

/**
 * @param {{ code: number | null, signal: string | null } | null} end null: it
 *   has not ended, although it was told to
 * @param {Error} [broken] why it was ended
 * @param {string} stderr the last of its output there, as far as it is known
 * @param {(code: number) => string} [exitText] what an exit code means
 * @returns {object} the cause of its job's error, as src/runtime/errors.js
 *   describes errors
 */
function causeOf(end, broken, stderr, exitText = calledExit) {
  if (end === null) {
    const message = 'the process does not end';
    return { type: 'Error', name: 'Error', message, props: {} };
  }
  const { code: exitCode, signal } = end;
  const message = textOf(end, broken, exitText);
  const props = { signal, exitCode };
  if (stderr !== '') props.stderr = stderr;
  const stack = `Error: ${message}`;
  return { type: 'Error', name: 'Error', message, stack, props };
}

module.exports = {
  OVER_LIMIT,
  causeOf,
  endedBefore,
  isInterrupted,
  isOverLimit,
};
