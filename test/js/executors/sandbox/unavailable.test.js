'use strict';
// Nothing runs where there can be no sandbox, and each way to ask says so.

const { describeHere } = require('./support.js');

// Node loads it, without a function.
const NO_ADDON = require.resolve('../../../../package.json');
const UNAVAILABLE = 'SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE';

describeHere('no sandbox', () => {
  const before = process.env.SLOPPY_WORKERS_BINARY;
  afterAll(() => {
    if (before === undefined) delete process.env.SLOPPY_WORKERS_BINARY;
    else process.env.SLOPPY_WORKERS_BINARY = before;
  });

  test.each([
    ['without the addon', '/absent', /no binary/],
    // The system's loader passes it over, and node refuses to start so.
    ['when it cannot be preloaded', NO_ADDON, /was not preloaded/],
  ])('%s', async (_name, binary, text) => {
    process.env.SLOPPY_WORKERS_BINARY = binary;
    jest.resetModules();
    const { WorkerPool } = require('../../../../lib/index.js');
    const pool = WorkerPool.create('none', {
      runTimeoutMs: 20_000,
      sandbox: true,
    });
    const error = await pool.run(() => 1).catch((thrown) => thrown);
    expect(error.code).toBe(UNAVAILABLE);
    expect(error.cause.message).toMatch(text);
    await expect(pool.sandbox()).rejects.toMatchObject({ code: UNAVAILABLE });
    await pool.stop();
  });
});
