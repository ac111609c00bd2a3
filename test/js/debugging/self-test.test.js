'use strict';
// V8's inspector is tried before it is first used, and refused if it is not
// what the addon knows.

const { tmpdir } = require('node:os');

const { WorkerPool, openInspector } = require('../../../lib/index.js');
const { debugCalls, liveCounts } = require('../../../lib/addon/load.js');
const { grownSince } = require('./support.js');
const { coverIsolates } = require('../../../lib/executors/isolate/coverage.js');

const FLAW = 'self-test: pauses';

test('nothing is left of the trial of the running Node', async () => {
  const before = liveCounts();
  const inspector = await openInspector({ port: 0 });
  await inspector.close();
  expect(grownSince(before)).toEqual([]);
});

describe('with another V8', () => {
  const debug = debugCalls();
  const { cover, prepare } = debug;
  beforeEach(() => {
    debug.prepare = () => FLAW;
    debug.cover = () => FLAW;
  });
  afterEach(() => Object.assign(debug, { cover, prepare }));

  test('openInspector says what does not fit, and all else works', async () => {
    await expect(openInspector({ port: 0 })).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE',
      message: expect.stringContaining(FLAW),
    });
    const pool = WorkerPool.create('undebugged', { workers: 1 });
    expect(await pool.run(({ input }) => input, { input: 1 })).toBe(1);
    await pool.stop();
    // Nothing was opened, so that it can be.
    debug.prepare = prepare;
    const inspector = await openInspector({ port: 0 });
    await inspector.close();
  });

  test('coverage is left out with a warning', () => {
    const emit = jest.spyOn(process, 'emitWarning').mockReturnValue();
    coverIsolates(tmpdir());
    const calls = emit.mock.calls;
    emit.mockRestore();
    expect(calls).toEqual([
      [
        expect.stringContaining(FLAW),
        expect.objectContaining({ code: 'SLOPPY_W_INSPECTOR' }),
      ],
    ]);
  });
});
