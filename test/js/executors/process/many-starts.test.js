'use strict';
// Many processes that start at once, and ends of some of them meanwhile.

const childProcess = require('node:child_process');

// Before the library is loaded, which takes `spawn` then.
const children = [];
const { spawn } = childProcess;
childProcess.spawn = (...given) => {
  const child = spawn(...given);
  children.push(child);
  return child;
};

const {
  MOST_BOOTING,
} = require('../../../../lib/executors/process/most-booting.js');
const { createPool, gone, stopAll } = require('./support.js');

const CALM_MS = 300_000;
const CRASHED = 'SLOPPY_E_WORKER_CRASHED';

afterEach(stopAll);

const ends = (runs) =>
  Promise.all(runs.map((run) => run.catch(({ code }) => code)));

test(
  'of 100 few boot at once, and all are there',
  async () => {
    const count = 100;
    const before = children.length;
    const pool = createPool({ workers: count, minWorkers: count });
    let online = 0;
    let most = 0;
    const look = () => {
      most = Math.max(most, children.length - before - online);
    };
    const all = new Promise((resolve) => {
      pool.on('workerStarted', () => {
        look();
        online += 1;
        if (online === count) resolve();
      });
    });
    look();
    await all;
    expect(children.length - before).toBe(count);
    expect(most).toBe(MOST_BOOTING);
    expect(await pool.run(() => 1)).toBe(1);
    await pool.stop();
    await Promise.all(children.map(({ pid }) => gone(pid)));
  },
  CALM_MS,
);

// The next process starts while all the jobs that are left wait.
async function endsWithKilled(kills) {
  const pool = createPool({ workers: 1 });
  const runs = [1, 2, 3, 4].map((input) =>
    pool.run(({ input: given }) => given, { input }),
  );
  const all = ends(runs);
  for (let i = 0; i < kills; i += 1) {
    children.at(-1).kill('SIGKILL');
    await runs[i].catch(() => {});
    // The next one starts in a microtask.
    await new Promise(setImmediate);
  }
  return all;
}

test('each that is killed while it starts costs one job', async () => {
  expect(await endsWithKilled(2)).toEqual([CRASHED, CRASHED, 3, 4]);
});

test('the third in a row costs all that wait', async () => {
  const refused = 'SLOPPY_E_WORKER_POOL_UNAVAILABLE';
  expect(await endsWithKilled(3)).toEqual([CRASHED, CRASHED, CRASHED, refused]);
});

test('two in a row, a start, and two again cost one each', async () => {
  const pool = createPool({ workers: 1 });
  const job = ({ input }) => {
    if (input === 3) process.kill(process.pid, 'SIGKILL');
    return input;
  };
  const runs = [1, 2, 3, 4, 5, 6].map((input) => pool.run(job, { input }));
  const all = ends(runs);
  for (const [at, run] of runs.slice(0, 5).entries()) {
    // The third one has started, and ends itself.
    if (at !== 2) children.at(-1).kill('SIGKILL');
    await run.catch(() => {});
    await new Promise(setImmediate);
  }
  expect(await all).toEqual([...new Array(5).fill(CRASHED), 6]);
});

test.each([
  ['resize', (pool) => pool.resize(1)],
  ['recycle', (pool) => pool.recycle()],
  ['pause and resume', (pool) => [pool.pause(), pool.resume()]],
  ['stop', (pool) => pool.stop()],
])('%s while they start', async (_name, act) => {
  const before = children.length;
  const pool = createPool({ workers: 3 });
  const runs = [1, 2, 3].map((input) =>
    pool.run(({ input: given }) => given, { input }),
  );
  expect(children.length).toBe(before + 3);
  await act(pool);
  expect(await ends(runs)).toEqual([1, 2, 3]);
  await pool.stop();
  await Promise.all(children.slice(before).map(({ pid }) => gone(pid)));
});
