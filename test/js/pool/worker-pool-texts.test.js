'use strict';

const { WorkerPool } = require('../../../lib/index.js');

const MEGABYTE = 2 ** 20;

describe('long texts that come with jobs', () => {
  let pool;
  beforeEach(() => {
    pool = WorkerPool.create('texts', { memoryLimitMb: 32 });
  });
  afterEach(() => pool.stop({ drain: false }));

  it('are no burden to later jobs once they are dead', async () => {
    // Long enough for the watchdog to look at the memory meanwhile.
    const measure = ({ input }) => {
      const end = Date.now() + 3;
      while (Date.now() < end);
      return input.length;
    };
    for (let i = 0; i < 150; i += 1) {
      const input = String.fromCharCode(97 + (i % 26)).repeat(MEGABYTE);
      expect(await pool.run(measure, { input })).toBe(MEGABYTE);
    }
  });

  // A collection between two jobs may find the limit passed: then the isolate
  // is renewed and no job fails, because none is running.
  it('count against the memory limit while they are kept', async () => {
    const keep = ({ input }) => {
      globalThis.kept ??= [];
      return globalThis.kept.push(input);
    };
    const counts = [];
    for (let i = 0; i < 150; i += 1) {
      const count = await pool
        .run(keep, { input: 'x'.repeat(MEGABYTE) })
        .catch((error) => error.code);
      counts.push(count);
    }
    const codes = counts.filter((count) => typeof count === 'string');
    const kept = counts.filter((count) => typeof count === 'number');
    expect(new Set(codes)).toEqual(
      new Set(
        codes.length > 0 ? ['SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED'] : [],
      ),
    );
    expect(Math.max(...kept)).toBeLessThanOrEqual(32);
    expect(kept.filter((count) => count === 1).length).toBeGreaterThan(1);
  });
});
