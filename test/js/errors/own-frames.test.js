'use strict';
// Stacks of errors from code that JavaScript of this library calls.

const { join } = require('node:path');

const { WorkerPool } = require('../../../lib/index.js');
const { withoutCallers } = require('../../../lib/errors/own-frames.js');

const ROOT = join(__dirname, '../../..');
const OURS = `at serve (${join(ROOT, 'src/runtime/bootstrap.js')}:238:14)`;
const CALLED = `at emit (${join(ROOT, 'lib/executors/channels.js')}:9:9)`;
const NODES = 'at process.processTicksAndRejections (node:internal/x:95:5)';
const THEIRS = 'at theirs (/app/lib/jobs.mjs:1:2)';
const stack = (...frames) => ['Error: m', ...frames].join('\n    ');

test.each([
  ['what called them goes', [THEIRS, OURS, NODES], [THEIRS]],
  ['Node above ours stays', [THEIRS, NODES, OURS, NODES], [THEIRS, NODES]],
  ['what they called stays', [CALLED, THEIRS, OURS], [CALLED, THEIRS]],
  ["only Node's stay", [THEIRS, NODES], [THEIRS, NODES]],
  ['none', [], []],
  ['nothing but ours', [OURS, NODES], []],
])('%s', (_name, frames, rest) => {
  expect(withoutCallers(stack(...frames))).toBe(stack(...rest));
});

test('a text that is no stack stays', () => {
  for (const text of ['', '\n', 'a\n\nb', `${OURS}`]) {
    expect(withoutCallers(text)).toBe(text);
  }
});

describe.each([{}, { runtime: 'thread' }, { runtime: 'process' }])(
  '%p',
  (options) => {
    let pool;
    beforeAll(() => {
      pool = WorkerPool.create('frames', options);
    });
    afterAll(() => pool.stop());

    test.each([
      [
        'sent functions',
        () =>
          pool.run(() => {
            function theirs() {
              throw new Error('m', { cause: new Error('c') });
            }
            theirs();
          }),
      ],
      [
        'sent functions that await',
        () =>
          pool.run(async () => {
            await null;
            throw new Error('m', { cause: new Error('c') });
          }),
      ],
    ])('%s show their own frames, and the callers', async (_name, run) => {
      const { cause } = await run().catch((error) => error);
      expect(cause.stack).toMatch(/^Error: m\n {4}at .*anonymous:\d/);
      expect(cause.cause.stack).toMatch(/^Error: c\n {4}at .*anonymous:\d/);
      expect(cause.stack).toContain('own-frames.test.js');
      for (const each of [cause.stack, cause.cause.stack]) {
        expect(each).not.toMatch(
          /bootstrap|realm-main|process-main|wire.frames/,
        );
      }
    });

    test('a module that is not there is named alone', async () => {
      const module = join(ROOT, 'absent.mjs');
      const absent = WorkerPool.create('absent', { ...options, module });
      const { cause } = await absent.invoke('x').catch((error) => error);
      await absent.stop();
      expect(cause.code).toBe('ERR_MODULE_NOT_FOUND');
      expect(cause.message).toBe(`Cannot find module '${module}'`);
    });
  },
);
