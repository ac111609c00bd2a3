'use strict';

const path = require('node:path');

const { Scheduler } = require('../../../lib/adapters/scheduler.js');
const { fixture } = require('./support.js');

const TASKS = fixture('tasks.cjs');
let scheduler;

afterEach(() => scheduler.stop());

const failure = (promise) =>
  promise.then(
    () => undefined,
    (err) => err,
  );

test('runs named tasks, with or without start', async () => {
  scheduler = new Scheduler(2, TASKS);
  expect(await scheduler.runTask('add', { a: 2, b: 3 })).toBe(5);
  expect(scheduler.start()).toBeUndefined();
  expect(await scheduler.runTask('later', { value: 'x' })).toBe('x');
  expect(await scheduler.runTask('nothing')).toBeUndefined();
  expect(scheduler.workerPool.workerPool.size).toBe(2);
});

test('a relative module path counts from the working directory', async () => {
  scheduler = new Scheduler(1, path.relative(process.cwd(), TASKS));
  expect(await scheduler.runTask('add', { a: 1, b: 1 })).toBe(2);
});

test('request is answered at once, past a handler of that name', async () => {
  scheduler = new Scheduler(1, TASKS);
  expect(await scheduler.runTask('request')).toBeUndefined();
});

test.each([
  ['boom', 'Task boom failed: bang'],
  ['text', 'Task text failed: only text'],
  ['empty', 'Task empty failed: '],
  ['nope', 'Task nope failed: Unknown task type "nope"'],
  ['count', 'Task count failed: Unknown task type "count"'],
  ['toString', 'Task toString failed: Unknown task type "toString"'],
  ['constructor', 'Task constructor failed: Unknown task type "constructor"'],
  ['__proto__', 'Task __proto__ failed: Unknown task type "__proto__"'],
])('%s fails with "%s"', async (name, text) => {
  scheduler = new Scheduler(1, TASKS);
  const err = await failure(scheduler.runTask(name, {}));
  expect(err).toBeInstanceOf(Error);
  expect(err.message).toBe(text);
  expect(await scheduler.runTask('add', { a: 1, b: 1 })).toBe(2);
});

test('a result that cannot travel is a failure, not silence', async () => {
  scheduler = new Scheduler(1, TASKS);
  const err = await failure(scheduler.runTask('uncloneable'));
  expect(err.message).toMatch(/^Task uncloneable failed: ./);
});

test('the cause is what the pool rejected with', async () => {
  scheduler = new Scheduler(1, TASKS);
  const err = await failure(scheduler.runTask('add', { f: () => 1 }));
  expect(err.cause.code).toBe('SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD');
  expect(err.code).toBe(err.cause.code);
});

test('stop rejects what runs, and the process goes on', async () => {
  scheduler = new Scheduler(1, TASKS);
  const exit = jest.spyOn(process, 'exit').mockImplementation(() => {});
  const running = failure(scheduler.runTask('never'));
  const queued = failure(scheduler.runTask('later', { value: 2 }));
  expect(await scheduler.stop()).toBeUndefined();
  expect((await running).message).toBe(
    'Task never failed: Worker stopped with exit code 1',
  );
  expect((await queued).code).toBe('SLOPPY_E_WORKER_SHUTDOWN_CANCELLED');
  expect(exit).not.toHaveBeenCalled();
  exit.mockRestore();
});
