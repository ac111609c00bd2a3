'use strict';

// A time limit can run out while the addon takes over what the job answered,
// which no termination interrupts. It must not end the job after it instead.

const { WorkerPool } = require('../../../../lib/index.js');

const ROUNDS = 40;
const BUFFERS = 30_000;

test('a time limit that comes too late ends no other job', async () => {
  const pool = WorkerPool.create('late', { memoryLimitMb: 256 });
  const answers = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const large = pool.run(
      ({ input }) => Array.from({ length: input }, () => new Uint8Array(1)),
      { input: BUFFERS, timeoutMs: 10 + 2 * round },
    );
    const next = pool.run(() => 'next');
    await large.catch((error) => error);
    answers.push(await next.catch((error) => error.code));
  }
  expect(answers).toEqual(Array(ROUNDS).fill('next'));
  await pool.stop();
});
