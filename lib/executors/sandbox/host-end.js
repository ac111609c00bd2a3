'use strict';
// The meaning of the end of a sandbox's process: src/sandbox/exit_codes.h has
// the codes. Code that has broken out may pretend any of them, and ends nothing
// but its own job by that.

const ABORTED = 70;
const OVER_LIMIT = 71;
// Node's own, for an argument that it does not know.
const BAD_OPTION = 9;

const TEXTS = {
  __proto__: null,
  [BAD_OPTION]:
    'node has not become the process of a sandbox: the addon was not preloaded',
  73: 'the process has taken its owner for gone',
  74: 'the process could not be divided from others',
  78: 'the process does not understand its owner',
};

/** @param {{ code: number | null } | null} end */
const isOverLimit = (end) => end?.code === OVER_LIMIT;

function textOf({ code, signal }, broken) {
  if (broken !== undefined) return `the process has sent ${broken.message}`;
  if (signal === 'SIGKILL') {
    return (
      'the process was ended by SIGKILL, which the pool has not sent: often the ' +
      'system does, when it has no memory left'
    );
  }
  if (signal !== null) return `the process was ended by ${signal}`;
  return TEXTS[code] ?? `the process has ended with the code ${code}`;
}

/**
 * @param {{ code: number | null, signal: string | null } | null} end null: it
 *   has not ended, although it was told to
 * @param {Error} [broken] why it was ended
 * @param {string} stderr the last of its output there
 * @returns {object} the cause of its job's error, as src/runtime/errors.js
 *   describes errors
 */
function causeOf(end, broken, stderr) {
  const given = end ?? { code: null, signal: null };
  const isAbort = given.code === ABORTED;
  const signal = isAbort ? 'SIGABRT' : given.signal;
  const exitCode = isAbort ? null : given.code;
  const message =
    end === null
      ? 'the process does not end'
      : textOf({ code: exitCode, signal }, broken);
  const props = { signal, exitCode };
  if (stderr !== '') props.stderr = stderr;
  const stack = `Error: ${message}`;
  return { type: 'Error', name: 'Error', message, stack, props };
}

module.exports = { causeOf, isOverLimit };
