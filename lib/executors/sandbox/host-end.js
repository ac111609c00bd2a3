'use strict';
// The meaning of the end of a sandbox's process: src/sandbox/exit_codes.h has
// the codes. Code that has broken out may pretend any of them, and ends nothing
// but its own job by that.

const child = require('../process/child-end.js');

const { isInterrupted, isOverLimit } = child;

const ABORTED = 70;
// Node's own, for an argument that it does not know.
const BAD_OPTION = 9;

// The system had no room for another process just then.
const NOT_DIVIDED = 74;
// Signals that a process has from its own code, which the next one has as well.
const FAULTS = [
  ...['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP'],
];

const TEXTS = {
  __proto__: null,
  [BAD_OPTION]:
    'node has not become the process of a sandbox: the addon was not preloaded',
  73: 'the process has taken its owner for gone',
  [NOT_DIVIDED]: 'the process could not be divided from others',
  78: 'the process does not understand its owner',
};

const exitText = (code) =>
  TEXTS[code] ?? `the process has ended with the code ${code}`;

/**
 * @param {object} end of a process that has not greeted
 * @param {boolean} othersHave greeted
 * @returns {boolean} whether that says nothing of layers: the next one may start
 */
const isPassing = ({ code, signal }, othersHave) =>
  signal === null
    ? code === NOT_DIVIDED || isOverLimit({ code })
    : othersHave || !FAULTS.includes(signal);

/** See causeOf() of processes. */
function causeOf(end, broken, stderr) {
  const isAbort = end?.code === ABORTED;
  const given = isAbort ? { code: null, signal: 'SIGABRT' } : end;
  return child.causeOf(given, broken, stderr, exitText);
}

module.exports = { causeOf, isInterrupted, isOverLimit, isPassing };
