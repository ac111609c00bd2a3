'use strict';
// Section 4: Worker.start and its handle.

const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Worker } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const {
  moduleFile,
  outcomes,
  rejection,
  startWorker,
  stopAll,
} = require('./support.js');
const { STALE, basics } = require('./worker-basics.js');

afterEach(stopAll);

const STARTUP = 'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED';

describe('start: the path', () => {
  const text =
    'Worker.start module path must be a non-empty string without NUL.';

  test.each(['', 'a\0b', undefined, null, 5, {}, []])(
    '%p is refused',
    async (path) => {
      const error = await rejection(Worker.start(path));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe(text);
    },
  );

  test('an absolute path, a relative one, a file: URL and its object', async () => {
    const path = moduleFile(basics);
    for (const form of [
      path,
      relative(process.cwd(), path),
      pathToFileURL(path).href,
      pathToFileURL(path),
    ]) {
      const worker = await Worker.start(form);
      expect(worker.modulePath).toBe(form);
      expect(await worker.invoke('add', { a: 1, b: 2 })).toBe(3);
      await worker.stop();
    }
  });

  test.each([
    'https://example.test/a.mjs',
    'node:fs',
    'data:text/javascript,1',
  ])('%s is another scheme', async (path) => {
    expect((await rejection(Worker.start(path))).code).toBe(STARTUP);
  });

  test('nothing there, or not a file', async () => {
    for (const path of ['./does-not-exist.mjs', '.']) {
      const error = await rejection(Worker.start(path));
      expect(error.message).toBe(`${STARTUP}: worker isolate startup failed`);
    }
  });

  test('options are looked at first, then the path, then the limit', async () => {
    expect((await rejection(Worker.start('', []))).message).toMatch(/options/);
    expect(
      (await rejection(Worker.start('', { memoryLimitMb: 0 }))).message,
    ).toMatch(/module path/);
    expect(
      (await rejection(Worker.start('./nowhere.mjs', { memoryLimitMb: 0 })))
        .message,
    ).toMatch(/memoryLimitMb/);
    expect(
      (await rejection(Worker.start('./nowhere.mjs', { memoryLimitMb: 15 })))
        .code,
    ).toBe(Code.ResourceLimit);
  });

  test('a module that is too large', async () => {
    const path = moduleFile(`export const f = () => 1; //${'x'.repeat(2000)}`);
    const error = await rejection(Worker.start(path, { maxModuleBytes: 1000 }));
    expect(error.code).toBe(Code.ResourceLimit);
  });
});

describe('start: the module', () => {
  test.each([
    ['export default', 'export default 1;'],
    ['export list', 'const a = 1; export { a };'],
    ['export *', "export * from './other.mjs';"],
    ['export class', 'export class A {}'],
    ['export let', 'export let a = 1;'],
    ['export var', 'export var a = 1;'],
  ])('%s is refused by name', async (_form, text) => {
    const error = await rejection(Worker.start(moduleFile(text)));
    expect(error.code).toBe(STARTUP);
    expect(error.message).toContain(
      'worker module export syntax is unsupported',
    );
    expect(error.message).toContain(
      'supported exports are named export function, export async function, ' +
        'and export const declarations',
    );
  });

  test('words in comments and strings are no exports', async () => {
    const worker = await startWorker(`
      // export default 1; export class A {}
      const text = 'export let a = 1';
      export const f = () => text;
    `);
    expect(await worker.invoke('f')).toBe('export let a = 1');
  });

  test.each([
    ['a syntax error', 'export const = s3cret;'],
    ['a throw', "export const f = () => 1; throw new Error('s3cret');"],
    ['a rejection', "await Promise.reject(new Error('s3cret'));"],
    ['a reference error', 's3cret();'],
  ])('%s at the top level', async (_name, text) => {
    const error = await rejection(Worker.start(moduleFile(text)));
    expect(error.message).toBe(`${STARTUP}: worker isolate startup failed`);
    expect(error.stack).not.toContain('s3cret');
    expect(error.cause).toBeInstanceOf(Error);
  });

  test('a top level that never ends is given up on', async () => {
    const error = await rejection(
      Worker.start(moduleFile('for (;;);'), { startTimeoutMs: 20 }),
    );
    expect(error.code).toBe(STARTUP);
  });

  test('is strict, runs once, and sees its own exports', async () => {
    const worker = await startWorker(
      `${basics} export const strict = (function () { return this === undefined; })();
       export const isStrict = () => strict;`,
    );
    expect(await worker.invoke('isStrict')).toBe(true);
    expect(await worker.invoke('sum', [1, 2, 3])).toBe(6);
    expect(await worker.invoke('count')).toBe(1);
    expect(await worker.invoke('count')).toBe(2);
  });

  test('waits for a top-level await', async () => {
    const worker = await startWorker(`
      const value = await Promise.resolve(4);
      export const f = () => value;
    `);
    expect(await worker.invoke('f')).toBe(4);
  });

  test('two workers of one file are independent', async () => {
    const path = moduleFile(basics);
    const workers = await Promise.all([Worker.start(path), Worker.start(path)]);
    expect(await workers[0].invoke('count')).toBe(1);
    expect(await workers[0].invoke('count')).toBe(2);
    expect(await workers[1].invoke('count')).toBe(1);
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  test('imports its neighbours', async () => {
    const path = moduleFile(
      "import { b } from './b.mjs'; export const f = () => b;",
    );
    writeFileSync(
      path.replace('module.mjs', 'b.mjs'),
      'export { a as b }; const a = 7;',
    );
    const worker = await Worker.start(path);
    expect(await worker.invoke('f')).toBe(7);
    await worker.stop();
  });
});

describe('invoke', () => {
  let worker;
  beforeEach(async () => {
    worker = await startWorker(basics);
  });

  test('functions of all supported forms', async () => {
    expect(await worker.invoke('add', { a: 1, b: 2 })).toBe(3);
    expect(await worker.invoke('later', [1])).toEqual([1]);
    expect(await worker.invoke('arrow', 'x')).toBe('x');
    expect(await worker.invoke('arrow')).toBeNull();
    expect(await worker.invoke('arrow', undefined)).toBeNull();
  });

  test('gives payload and context', async () => {
    expect(await worker.invoke('context', 5)).toEqual([
      5,
      5,
      'boolean',
      'undefined',
      'function',
    ]);
    const [, , , deadline] = await worker.invoke('context', 5, {
      timeoutMs: 60_000,
    });
    expect(deadline).toBe('object');
  });

  test.each(['', undefined, null, 5, {}])('a name of %p', async (name) => {
    const error = await rejection(worker.invoke(name));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe(
      'Worker.invoke export name must be a non-empty string.',
    );
  });

  test.each(['missing', 'version', 'toString', '__proto__', 'constructor'])(
    'an export %s is not callable',
    async (name) => {
      const error = await rejection(worker.invoke(name));
      expect(error.message).toBe(
        'SLOPPY_E_WORKER_CRASHED: worker export is not callable',
      );
      expect(await worker.invoke('arrow', 1)).toBe(1);
    },
  );

  test('a failure leaves the worker usable', async () => {
    const error = await rejection(worker.invoke('fail'));
    expect(error.message).toBe(
      'SLOPPY_E_WORK_JOB_FAILED: work queue job failed',
    );
    expect(error.cause).toBeInstanceOf(RangeError);
    expect(error.cause.message).toBe('worker text');
    expect(error.cause.stack).toMatch(/fail.*module\.mjs/);
    expect(await worker.invoke('count')).toBe(1);
  });

  test('order of checks', async () => {
    const bad = { timeoutMs: 'x' };
    const spent = { timeoutMs: 0 };
    const date = new Date();
    const seen = [
      await rejection(worker.invoke('', date, bad)),
      await rejection(worker.invoke('arrow', date, bad)),
      await rejection(worker.invoke('arrow', 1, bad)),
      await rejection(
        worker.invoke('arrow', 1, { ...spent, signal: AbortSignal.abort() }),
      ),
      await rejection(worker.invoke('arrow', 1, spent)),
    ].map((error) => error.code ?? error.message);
    expect(seen).toEqual([
      'Worker.invoke export name must be a non-empty string.',
      Code.UnsupportedPayload,
      'worker timeoutMs must be finite and non-negative.',
      Code.JobCancelled,
      Code.JobTimeout,
    ]);
    await worker.stop();
    expect((await rejection(worker.invoke('', date, bad))).message).toBe(STALE);
  });

  test('a call cancelled before is not submitted', async () => {
    await rejection(
      worker.invoke('count', null, { signal: AbortSignal.abort() }),
    );
    await rejection(worker.invoke('count', null, { timeoutMs: 0 }));
    expect(await worker.invoke('count')).toBe(1);
  });

  test('one call at a time, in order', async () => {
    const order = [];
    await Promise.all(
      Array.from({ length: 30 }, () =>
        worker.invoke('count').then((n) => order.push(n)),
      ),
    );
    expect(order).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
  });

  test('64 calls may be outstanding', async () => {
    const calls = Array.from({ length: 64 }, () => worker.invoke('count'));
    const error = await rejection(worker.invoke('count'));
    expect(error.message).toBe(
      'SLOPPY_E_WORKER_POOL_SATURATED: worker queue is saturated',
    );
    expect(await Promise.all(calls)).toHaveLength(64);
    expect(await worker.invoke('count')).toBe(65);
  });

  test('a queued call that is cancelled gives its place at once', async () => {
    const [spinning, queued] = [new AbortController(), new AbortController()];
    const first = worker.invoke('spin', null, { signal: spinning.signal });
    const calls = Array.from({ length: 62 }, () => worker.invoke('arrow', 1));
    const cancelled = worker.invoke('arrow', 1, { signal: queued.signal });
    const settled = outcomes([first, cancelled]);
    queued.abort();
    const next = worker.invoke('arrow', 2);
    spinning.abort();
    expect(await Promise.all(calls)).toHaveLength(62);
    expect(await next).toBe(2);
    expect(await settled).toEqual([Code.JobCancelled, Code.JobCancelled]);
  });

  test('an endless call is terminated, and the worker goes on', async () => {
    const error = await rejection(
      worker.invoke('spin', null, { timeoutMs: 20 }),
    );
    expect(error.code).toBe(Code.JobTimeout);
    expect(await worker.invoke('add', { a: 2, b: 3 })).toBe(5);
  });

  test('never throws', () => {
    for (const name of ['', 5, 'arrow']) {
      worker.invoke(name, new Date()).catch(() => {});
    }
  });
});

test('a bundle of more than 1 MiB is not parsed for its exports', async () => {
  const text = `/*${'x'.repeat(1024 * 1024)}*/ export default 1;
    export const run = () => 'loaded';`;
  const worker = await startWorker(text);
  expect(await worker.invoke('run')).toBe('loaded');
});
