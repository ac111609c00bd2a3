'use strict';
// The limit of a run counts from its begin, which the worker knows: its thread may
// be busy when the job comes.

const { existsSync, mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const { WorkerPool } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');

// A limit that a tiny run keeps on a busy machine as well, and what passes it.
const FAIR = 1000;
const LONGER = FAIR + 500;

const pools = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.stop())));

function create(runtime, concurrentJobsPerWorker) {
  const options = { runtime, workers: 1, concurrentJobsPerWorker };
  const pool = WorkerPool.create('runs', options);
  pools.push(pool);
  return pool;
}

// Its thread writes the file later, and is busy from then on.
const leaveBusy = async ({ input: [ms, file] }) => {
  const { writeFileSync } = await import('node:fs');
  setTimeout(() => {
    writeFileSync(file, '');
    const end = Date.now() + ms;
    while (Date.now() < end);
  }, 10);
};

async function makeBusy(pool) {
  const folder = mkdtempSync(join(tmpdir(), 'run-begins-'));
  const file = join(folder, 'busy');
  await pool.run(leaveBusy, { input: [LONGER, file] });
  while (!existsSync(file)) await new Promise((r) => setTimeout(r, 1));
  rmSync(folder, { recursive: true });
}

describe.each([
  ['thread', 1],
  ['process', 1],
  ['process', 2],
])('runtime: %s, %d at once', (runtime, concurrent) => {
  test('what the worker does before does not count', async () => {
    const pool = create(runtime, concurrent);
    await makeBusy(pool);
    expect(await pool.run(() => 'ran', { runTimeoutMs: FAIR })).toBe('ran');
  });

  test('the run itself does', async () => {
    const pool = create(runtime, concurrent);
    const endless = () => {
      for (;;);
    };
    const run = pool.run(endless, { runTimeoutMs: 100 });
    await expect(run).rejects.toMatchObject({ code: Code.JobTimeout });
    expect(await pool.run(() => 'ran', { runTimeoutMs: 600_000 })).toBe('ran');
  });

  test('one of several that await is ended for itself', async () => {
    const pool = create(runtime, concurrent);
    const pause = ({ input }) =>
      new Promise((r) => setTimeout(r, input, input));
    const late = pool.run(pause, { input: 600_000, runTimeoutMs: 100 });
    await expect(late).rejects.toMatchObject({ code: Code.JobTimeout });
    expect(await pool.run(pause, { input: 1, runTimeoutMs: 600_000 })).toBe(1);
  });
});
