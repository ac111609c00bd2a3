'use strict';
// Calls of pools that end badly while their job runs, for tests of what observers
// are told: each of them once listed these.

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');

/** No observer may be told this. */
const SECRET = 'hunter2';

/** `[outcome, code, call]` */
const BAD_ENDS = [
  [
    'failed',
    Code.JobFailed,
    (pool) =>
      pool.run(
        () => {
          // Sent as text, so the name is not there.
          throw new Error('hunter2');
        },
        { input: SECRET },
      ),
  ],
  [
    'timedOut',
    Code.JobTimeout,
    (pool) =>
      pool.run(
        () => {
          for (;;);
        },
        { timeoutMs: 20 },
      ),
  ],
];

module.exports = { BAD_ENDS, SECRET };
