'use strict';
// The exit code of a job that ends its process, and the priority of workers.

const { readFileSync, readdirSync } = require('node:fs');

const { createPool, rejection, runtime, stopAll } = require('./support.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');

afterEach(stopAll);

test.each([0, 3])('process.exit(%i): cause.exitCode', async (code) => {
  const pool = createPool();
  const run = pool.run(({ input }) => process.exit(input), { input: code });
  const error = await rejection(run);
  expect(error.code).toBe(Code.Crashed);
  expect(error.cause).toBeInstanceOf(Error);
  expect(error.cause.exitCode).toBe(code);
  expect(error.cause.message).toBe(
    `process.exit(${code}) was called in a worker`,
  );
});

// The nineteenth field; the second one, a name, may have blanks.
const niceOf = (stat) =>
  Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);

const threadsOf = (pid) =>
  readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}/stat`);

function nices(pid) {
  return threadsOf(pid).map((file) => {
    try {
      return niceOf(readFileSync(file, 'utf8'));
    } catch {
      // The thread has ended.
      return undefined;
    }
  });
}

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux(
  'nice: the worker is less urgent than its owner, by so much',
  async () => {
    const own = niceOf(readFileSync('/proc/self/stat', 'utf8'));
    const wanted = Math.min(own + 4, 19);
    const pool = createPool({ nice: 4 });
    const { pid } = await pool.run(({ worker }) => worker);
    expect(nices(pid)).toContain(wanted);
    // The owner's own thread is as it was.
    expect(niceOf(readFileSync('/proc/self/stat', 'utf8'))).toBe(own);
    if (runtime === 'isolate') return;
    const read = async () => (await import('node:os')).getPriority();
    expect(await pool.run(read)).toBe(wanted);
  },
);

test.each([-1, 20, 1.5, '1', null])('nice of %p is refused', (nice) => {
  const text = 'WorkerPool.nice must be an integer from 0 to 19.';
  expect(() => createPool({ nice })).toThrow(new TypeError(text));
});
