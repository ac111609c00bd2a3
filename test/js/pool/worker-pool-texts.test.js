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

  it('count against the memory limit while they are kept', async () => {
    const keep = ({ input }) => {
      globalThis.kept ??= [];
      return globalThis.kept.push(input);
    };
    const fill = async () => {
      for (let i = 0; i < 150; i += 1) {
        await pool.run(keep, { input: 'x'.repeat(MEGABYTE) });
      }
    };
    await expect(fill()).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED',
    });
    expect(await pool.run(keep, { input: 'next' })).toBe(1);
  });
});
