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

afterEach(stopAll);

const STARTUP = 'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED';
const STALE = 'SLOPPY_E_WORKER_STALE_HANDLE: worker handle has been stopped';
const basics = `
  let calls = 0;
  export function add({ a, b }) { return a + b; }
  export async function later(value) { return value; }
  export const arrow = (value) => value;
  export const version = 3;
  export const count = () => { calls += 1; return calls; };
  export function sum(list) { return list.reduce((s, n) => s + add({ a: n, b: 0 }), 0); }
  export function fail() { throw new RangeError('worker text'); }
  export function spin() { for (;;); }
  export async function stick() {
    postMessage('stuck');
    await null;
    for (;;);
  }
  export function onMessage(message) { return { got: message }; }
  export const context = (payload, ctx) =>
    [payload, ctx.input, typeof ctx.signal.cancelled, typeof ctx.deadline, typeof ctx.emit];
`;

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

describe('post', () => {
  test('calls onMessage', async () => {
    const worker = await startWorker(basics);
    expect(await worker.post({ id: 1 })).toEqual({ got: { id: 1 } });
    expect(await worker.post()).toEqual({ got: null });
    expect((await rejection(worker.post(1, { timeoutMs: 0 }))).code).toBe(
      Code.JobTimeout,
    );
  });

  test('fails without one', async () => {
    const worker = await startWorker('export const f = () => 1;');
    expect((await rejection(worker.post(1))).message).toBe(
      'SLOPPY_E_WORKER_CRASHED: worker export is not callable',
    );
  });
});

describe('onMessage', () => {
  const talker = `
    export function talk(n) { for (let i = 0; i < n; i += 1) postMessage({ i }); return 'done'; }
    export function emit(value, ctx) { ctx.emit(value); return 'emitted'; }
  `;

  test('receives in order, until it is unsubscribed', async () => {
    const worker = await startWorker(talker);
    const seen = [];
    const off = worker.onMessage(({ i }) => seen.push(i));
    const both = [];
    worker.onMessage((value) => both.push(value));
    await worker.invoke('talk', 3);
    expect(seen).toEqual([0, 1, 2]);
    expect(off()).toBeUndefined();
    expect(off()).toBeUndefined();
    await worker.invoke('talk', 1);
    expect(seen).toHaveLength(3);
    expect(both).toHaveLength(4);
  });

  test('the same callback may be added twice', async () => {
    const worker = await startWorker(talker);
    let calls = 0;
    const callback = () => {
      calls += 1;
    };
    const off = worker.onMessage(callback);
    worker.onMessage(callback);
    await worker.invoke('talk', 1);
    expect(calls).toBe(2);
    off();
    await worker.invoke('talk', 1);
    expect(calls).toBe(3);
  });

  test.each([undefined, null, 'x', {}])('%p is no callback', async (value) => {
    const worker = await startWorker(talker);
    expect(() => worker.onMessage(value)).toThrow(
      new TypeError('Worker.onMessage requires a callback.'),
    );
  });

  test("a call's own emissions go to its onMessage", async () => {
    const worker = await startWorker(talker);
    const own = [];
    await worker.invoke('emit', 5, { onMessage: (value) => own.push(value) });
    expect(own).toEqual([5]);
  });

  test('receives what calls without one of their own emit', async () => {
    const worker = await startWorker(`${talker}
      export function mix(n, ctx) {
        for (let i = 0; i < n; i += 2) { ctx.emit(i); postMessage(i + 1); }
      }
    `);
    const seen = [];
    worker.onMessage((value) => seen.push(value));
    await worker.invoke('mix', 6);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
    await worker.invoke('emit', 'own', { onMessage: () => {} });
    expect(seen).toHaveLength(6);
  });

  test('one that throws is a warning, once, without its text', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
    const worker = await startWorker(talker);
    const seen = [];
    worker.onMessage((value) => {
      throw new Error(value.secret ?? 'secret');
    });
    worker.onMessage((value) => seen.push(value));
    await worker.invoke('talk', 3);
    const onMessage = () => {
      throw null;
    };
    expect(await worker.invoke('emit', 1, { onMessage })).toBe('emitted');
    const { calls } = warn.mock;
    warn.mockRestore();
    expect(seen).toHaveLength(3);
    const options = {
      type: 'SloppyWorkersWarning',
      code: 'SLOPPY_W_LISTENER_THREW',
    };
    const text = 'a listener has thrown';
    expect(calls).toEqual([
      [text, { ...options, detail: expect.stringMatching(/^ +at .*test\.js/) }],
      [text, { ...options, detail: undefined }],
    ]);
    expect(JSON.stringify(calls)).not.toContain('secret');
  });

  test('nothing is delivered after stop', async () => {
    const worker = await startWorker(talker);
    let calls = 0;
    worker.onMessage(() => {
      calls += 1;
    });
    await worker.stop();
    expect(calls).toBe(0);
  });
});

describe('stop', () => {
  test('is idempotent; the handle is stale at once', async () => {
    const worker = await startWorker(basics);
    const call = worker.invoke('count');
    const stopped = worker.stop();
    for (const promise of [worker.invoke('count'), worker.post(1)]) {
      expect((await rejection(promise)).message).toBe(STALE);
    }
    expect(() => worker.onMessage(() => {})).toThrow(STALE);
    expect(await call).toBe(1);
    expect(await stopped).toEqual({ cancelled: 0, forced: 0 });
    await Promise.all([worker.stop(), worker.stop({ drain: false })]);
    // Stale comes before any look at the argument.
    expect(() => worker.onMessage('x')).toThrow(STALE);
  });

  test('drains calls in order', async () => {
    const worker = await startWorker(basics);
    const calls = Array.from({ length: 5 }, () => worker.invoke('count'));
    await worker.stop();
    expect(await Promise.all(calls)).toEqual([1, 2, 3, 4, 5]);
  });

  test('without drain the first call goes on', async () => {
    // Ends when there is such a module.
    const worker = await startWorker(`
      export async function waitFor(url) {
        for (let n = 0; ; n += 1) {
          const found = await import(url + '?' + n).catch(() => null);
          if (found !== null) return 'there';
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      }`);
    const path = moduleFile('', 'here.mjs').replace('here', 'awaited');
    const url = pathToFileURL(path).href;
    const calls = [
      worker.invoke('waitFor', url),
      worker.invoke('waitFor', url),
    ];
    const settled = outcomes(calls);
    const stopped = worker.stop({ drain: false });
    writeFileSync(path, '');
    expect(await calls[0]).toBe('there');
    expect(await settled).toEqual(['resolved', Code.ShutdownCancelled]);
    expect(await stopped).toEqual({ cancelled: 1, forced: 0 });
  });

  test('without drain rejects queued calls', async () => {
    const worker = await startWorker(basics);
    const spinning = worker.invoke('spin');
    const queued = worker.invoke('count');
    const settled = outcomes([spinning, queued]);
    expect(await worker.stop({ drain: false, timeoutMs: 20 })).toMatchObject({
      forced: expect.any(Number),
    });
    expect(await settled).toEqual([
      Code.ShutdownCancelled,
      Code.ShutdownCancelled,
    ]);
  });

  test('forces a stuck worker down', async () => {
    const worker = await startWorker(basics);
    const stuck = new Promise((resolve) => worker.onMessage(resolve));
    const settled = outcomes([worker.invoke('stick')]);
    await stuck;
    expect(await worker.stop({ timeoutMs: 1 })).toEqual({
      cancelled: 0,
      forced: 1,
    });
    expect(await settled).toEqual([Code.ShutdownCancelled]);
  });

  test('await using', async () => {
    const worker = await startWorker(basics);
    await worker[Symbol.asyncDispose]();
    expect((await rejection(worker.invoke('count'))).message).toBe(STALE);
  });
});

test('a bundle of more than 1 MiB is not parsed for its exports', async () => {
  const text = `/*${'x'.repeat(1024 * 1024)}*/ export default 1;
    export const run = () => 'loaded';`;
  const worker = await startWorker(text);
  expect(await worker.invoke('run')).toBe('loaded');
});
