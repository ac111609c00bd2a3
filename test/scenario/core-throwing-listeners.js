'use strict';
// What listeners of the caller throw is never the loss of somebody else's
// result: of an event's listener an uncaught exception, of `onMessage` a warning.

const { WorkerPool, assert, pass } = require('./support/check.js');

let thrown = 0;
let warnings = 0;
process.on('warning', ({ code }) => {
  if (code === 'SLOPPY_W_LISTENER_THREW') warnings += 1;
});
process.on('uncaughtException', (error) => {
  assert.strictEqual(error.message, 'on purpose');
  thrown += 1;
});
const bad = () => {
  throw new Error('on purpose');
};

(async () => {
  const pool = WorkerPool.create('listeners', { workers: 2, maxQueued: 64 });
  for (const name of ['idle', 'drain', 'workerStarted', 'workerExit'])
    pool.on?.(name, bad);
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
  await new Promise(setImmediate);
  assert.strictEqual(warnings, 800);
  assert.ok(thrown > 0, `${thrown} exceptions`);
  await pool.stop();
  await new Promise(setImmediate);
  pass();
})();
