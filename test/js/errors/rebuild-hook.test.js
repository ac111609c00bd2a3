'use strict';
// The option `rebuildError`: errors of the caller's own classes.

const { Worker, WorkerPool } = require('../../../lib/index.js');
const { rejection } = require('../support/promises.js');
const { folderWith, removeFolders } = require('../modules/support.js');

afterEach(removeFolders);

class NotFound extends Error {
  constructor({ message, id }) {
    super(message);
    this.name = 'NotFound';
    this.id = id;
  }
}

const fail = () => {
  class NotFound extends Error {
    name = 'NotFound';
  }
  const inner = Object.assign(new NotFound('no row'), { id: 7 });
  throw new RangeError('outer', { cause: inner });
};

const rebuildError = (described) =>
  described.name === 'NotFound' ? new NotFound(described) : undefined;

async function causeIn(options, job = fail) {
  const pool = WorkerPool.create('rebuilds', options);
  const error = await rejection(pool.run(job));
  await pool.stop();
  expect(error.code).toBe('SLOPPY_E_WORK_JOB_FAILED');
  return error.cause;
}

test.each(['isolate', 'thread'])('runtime %s', async (runtime) => {
  const outer = await causeIn({ runtime, rebuildError });
  expect(outer).toBeInstanceOf(RangeError);
  expect(outer.cause).toBeInstanceOf(NotFound);
  expect(outer.cause).toMatchObject({ message: 'no row', id: 7 });
  expect(outer.cause.stack).toMatch(/sloppy|sent function|fail/);
  expect(outer.cause.stack).not.toContain('rebuildError');
});

test('it is told all of an error, causes rebuilt', async () => {
  const told = [];
  await causeIn({ rebuildError: (described) => void told.push(described) });
  expect(told.map(({ name, message, id }) => [name, message, id])).toEqual([
    ['NotFound', 'no row', 7],
    ['RangeError', 'outer', undefined],
  ]);
  expect(told[1].cause).toBeInstanceOf(Error);
  expect(typeof told[0].stack).toBe('string');
});

test('the cause that it leaves out is kept', async () => {
  const made = await causeIn({
    rebuildError: ({ name, message }) =>
      name === 'RangeError' ? new NotFound({ message, id: 1 }) : undefined,
  });
  expect(made).toBeInstanceOf(NotFound);
  expect(made.cause.message).toBe('no row');
});

test.each([
  [
    'throws',
    () => {
      throw new Error('secret');
    },
  ],
  ['returns no error', () => 'text'],
])('where it %s, the error is made without it', async (_what, hook) => {
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
  const outer = await causeIn({ rebuildError: hook });
  expect(outer).toBeInstanceOf(RangeError);
  expect(outer.cause.message).toBe('no row');
  expect(JSON.stringify(warn.mock.calls)).not.toContain('secret');
  warn.mockRestore();
});

test('of a Worker, and what nobody caught', async () => {
  const folder = folderWith({
    'tasks.mjs': `class NotFound extends Error { name = 'NotFound'; }
      export const run = () => { throw new NotFound('called'); };
      export const later = () => { queueMicrotask(() => { throw new NotFound('later'); }); };`,
  });
  const worker = await Worker.start(`${folder}/tasks.mjs`, { rebuildError });
  const { cause } = await rejection(worker.invoke('run'));
  expect(cause).toBeInstanceOf(NotFound);
  const uncaught = new Promise((resolve) => worker.onError(resolve));
  await worker.invoke('later');
  expect(await uncaught).toBeInstanceOf(NotFound);
  await worker.stop();
});

test('anything but a function is refused', () => {
  expect(() => WorkerPool.create('p', { rebuildError: NaN })).toThrow(
    'WorkerPool.rebuildError must be a function.',
  );
});
