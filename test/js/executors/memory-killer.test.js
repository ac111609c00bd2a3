'use strict';
// The system's memory killer: a real limit of a group of processes (cgroup), of
// which the one that runs a job is the only member.

const { memoryGroup } = require('../support/memory-group.js');
const { childrenOf, started } = require('../../sandbox/children.js');
const { WorkerPool } = require('../../../lib/index.js');

const MB = 2 ** 20;
const LIMIT = 48 * MB;
const CRASHED = 'SLOPPY_E_WORKER_CRASHED';

const trial = memoryGroup(LIMIT);
trial.remove?.();
const isHere = trial.reason === undefined;
// The name of a skipped test tells why.
const title = isHere
  ? 'the memory killer ends one job'
  : `the memory killer (skipped: ${trial.reason})`;

// Written to, because memory that is only reserved is not counted.
const eat = async ({ host, input }) => {
  await host.enter(process.pid);
  const all = [];
  for (let i = 0; i < input; i += 1) {
    all.push(new Uint8Array(2 ** 20).fill(i + 1));
  }
  return all.length;
};

// In a namespace of its own the parent only tells how it has ended.
const innermost = (pid) => childrenOf(pid).at(-1) ?? pid;

const KINDS = {
  process: [{ runtime: 'process' }, (pid) => pid],
  sandbox: [
    // More than the group's limit is allowed by the sandbox's own.
    { sandbox: { spares: 0 }, runTimeoutMs: 60_000, memoryLimitMb: 128 },
    () => innermost(started().at(-1).pid),
  ],
};

(isHere ? describe : describe.skip)(title, () => {
  test.each(Object.keys(KINDS))('%s', async (kind) => {
    const [options, pidOf] = KINDS[kind];
    const group = memoryGroup(LIMIT);
    let enter = (pid) => group.take(pidOf(pid));
    const pool = WorkerPool.create('eats', {
      workers: 1,
      host: { enter: (pid) => enter(pid) },
      ...options,
    });
    try {
      const error = await pool.run(eat, { input: 100 }).catch((each) => each);
      expect(group.kills()).toBe(1);
      expect(error.code).toBe(CRASHED);
      expect(error.cause).toMatchObject({ signal: 'SIGKILL', exitCode: null });
      expect(error.cause.message).toMatch(/no memory left/);
      // Outside of the group nothing ends it.
      enter = () => {};
      await expect(pool.run(eat, { input: 100 })).resolves.toBe(100);
    } finally {
      await pool.stop();
      group.remove();
    }
  });
});
