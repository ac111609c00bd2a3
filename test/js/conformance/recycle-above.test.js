'use strict';
// `recycleAboveMb`: a worker whose heap has grown is renewed after its job.

const { createPool, stopAll } = require('./support.js');

afterEach(stopAll);

const kept = () => globalThis.kept?.length ?? null;

/** An isolate that gets its next job at once is renewed after that. */
async function renewed(pool) {
  while ((await pool.run(kept)) !== null) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

test('after the job that left more, and not before', async () => {
  const pool = createPool({ recycleAboveMb: 40 });
  await pool.run(() => {
    globalThis.kept = [1];
  });
  expect(await pool.run(kept)).toBe(1);
  await pool.run(() => {
    globalThis.kept = Array.from({ length: 6_000_000 }, (_, i) => i + 0.5);
  });
  await renewed(pool);
  // The new one is used on.
  await pool.run(() => {
    globalThis.kept = [1, 2];
  });
  expect(await pool.run(kept)).toBe(2);
});

test('buffers count too', async () => {
  const pool = createPool({ recycleAboveMb: 40 });
  await pool.run(() => {
    globalThis.kept = new Uint8Array(60_000_000);
  });
  await renewed(pool);
});
