'use strict';
// The meaning of the end of a sandbox's process: src/sandbox/exit_codes.h has
// the codes. Code that has broken out may pretend any of them, and ends nothing
// but its own job by that.

const child = require('../process/child-end.js');

const ABORTED = 70;
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

const exitText = (code) =>
  TEXTS[code] ?? `the process has ended with the code ${code}`;

/** See causeOf() of processes. */
function causeOf(end, broken, stderr) {
  const isAbort = end?.code === ABORTED;
  const given = isAbort ? { code: null, signal: 'SIGABRT' } : end;
  return child.causeOf(given, broken, stderr, exitText);
}

module.exports = { causeOf, isOverLimit: child.isOverLimit };
