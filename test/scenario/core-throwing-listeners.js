'use strict';
// A value that a listener of the caller throws is never the loss of somebody
// else's result, and ends no process: it is a warning, once for each function.

const { WorkerPool, assert, pass } = require('./support/check.js');

let warnings = 0;
process.on('warning', ({ code }) => {
  if (code === 'SLOPPY_W_LISTENER_THREW') warnings += 1;
});
const bad = () => {
  throw new Error('on purpose');
};

(async () => {
  const pool = WorkerPool.create('listeners', { workers: 2, maxQueued: 64 });
  for (const name of ['idle', 'drain', 'workerStarted', 'workerExit'])
    pool.on(name, () => bad());
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        pool.run(
          ({ input, emit }) => {
            emit(input);
            return input;
          },
          { input: i, onMessage: () => bad() },
        ),
      ),
    );
    assert.strictEqual(answers.length, 40);
  }
  await pool.stop();
  await new Promise(setImmediate);
  // The event `drain` may not have come.
  assert.ok(warnings >= 803 && warnings <= 804, `${warnings} warnings`);
  pass();
})();
