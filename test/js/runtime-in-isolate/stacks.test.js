'use strict';

// The stacks that users see: their own frames, as V8 writes them.

const { join } = require('node:path');

const { WorkerPool } = require('../../../lib/index.js');
const {
  folderWith,
  removeFolders,
  runIn,
  runModule,
} = require('../modules/support.js');

let pool;

beforeAll(() => {
  pool = WorkerPool.create('stacks', { workers: 1 });
});

afterAll(async () => {
  await pool.stop();
  removeFolders();
});

const INTERNAL = /sloppy:src|\bgen\b|startJob|runJob/;

test('errors of the user and of the runtime show the frames of the user', async () => {
  const stacks = await pool.run(async () => {
    const seen = [];
    const see = (work) => {
      try {
        work();
      } catch (error) {
        seen.push(error.stack);
      }
    };
    see(() => {
      throw new RangeError('own');
    });
    see(() => structuredClone(() => {}));
    see(() => new URL('nowhere'));
    see(() => [1].map(() => missing));
    see(() => AbortSignal.abort().throwIfAborted());
    await new Promise((resolve) => setTimeout(resolve, 1));
    seen.push(new Error('later').stack);
    setTimeout(() => seen.push(new Error('timer').stack), 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return seen;
  });
  expect(stacks).toHaveLength(7);
  for (const stack of stacks) {
    expect(stack).not.toMatch(INTERNAL);
    expect(stack).toMatch(/\n {4}at .*sloppy:stacks\/anonymous:\d+:\d+/);
  }
  expect(stacks[3]).toMatch(/\n {4}at Array\.map \(<anonymous>\)\n/);
});

test('what a job throws and what console prints', async () => {
  const error = await pool
    .run(() => {
      throw new TypeError('thrown');
    })
    .catch((failed) => failed.cause);
  expect(error.stack).toMatch(/^TypeError: thrown\n {4}at sloppy:stacks/);
  expect(error.stack).not.toMatch(INTERNAL);
  const text = await pool.run(async () => {
    const { inspect } = await import('node:util');
    return inspect(new Error('inspected', { cause: new Error('why') }));
  });
  expect(text).toContain('sloppy:stacks/anonymous');
  expect(text).not.toMatch(INTERNAL);
});

test('Error.prepareStackTrace and stackTraceLimit are the user’s', async () => {
  const answer = await pool.run(() => {
    const before = Error.prepareStackTrace;
    Error.prepareStackTrace = (error, sites) => [
      error.message,
      sites.length,
      sites[0].getFileName(),
      sites[0].getLineNumber(),
    ];
    const own = new Error('x').stack;
    Error.prepareStackTrace = () => {
      throw new Error('in prepareStackTrace');
    };
    let thrown;
    try {
      thrown = new Error('y').stack;
    } catch (error) {
      thrown = error.message;
    }
    Error.prepareStackTrace = before;
    Error.stackTraceLimit = 0;
    const none = new Error('z').stack;
    Error.stackTraceLimit = 10;
    const object = {};
    Error.captureStackTrace(object);
    class Odd extends Error {
      get name() {
        throw new Error('no name');
      }
    }
    return [
      own,
      thrown,
      none,
      object.stack.split('\n')[0],
      typeof new Odd().stack,
    ];
  });
  expect(answer).toEqual([
    ['x', 1, 'sloppy:stacks/anonymous', expect.any(Number)],
    'in prepareStackTrace',
    'Error: z',
    'Error',
    'string',
  ]);
});

test('stacks survive changed built-ins', async () => {
  const own = WorkerPool.create('changed', { workers: 1 });
  try {
    const stack = await own.run(() => {
      String.prototype.startsWith = () => true;
      Array.prototype.push = () => 0;
      Error.prototype.toString = () => 'changed';
      Object.getPrototypeOf = () => null;
      return new Error('still').stack;
    });
    expect(stack).toMatch(/^Error: still\n {4}at sloppy:changed\/anonymous/);
  } finally {
    await own.stop();
  }
});

test('asynchronous frames and those of modules stay', async () => {
  const stack = await runIn({
    'main.mjs': `import { deep } from './deep.mjs';
      export async function run() {
        try { await deep(); } catch (error) { return error.stack; }
      }`,
    'deep.mjs': `export async function deep() {
        await null;
        throw new Error('deep');
      }`,
  });
  expect(stack).toMatch(
    /^Error: deep\n {4}at deep \(file:.*deep\.mjs:3:15\)\n {4}at async run \(file:.*main\.mjs:3:15\)/,
  );
  expect(stack).not.toMatch(INTERNAL);
});

test('a module that cannot be found names its importer, not us', async () => {
  const folder = folderWith({
    'main.mjs': `export const run = () => import('nowhere').catch((e) => e.stack);`,
  });
  const stack = await runModule(join(folder, 'main.mjs'));
  expect(stack).toContain("Cannot find package 'nowhere'");
  expect(stack).not.toMatch(INTERNAL);
});
