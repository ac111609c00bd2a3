'use strict';
// Handlers of pg-boss and graphile-worker over a pool, without a server.

const { handler } = require('../../../lib/adapters/pg-boss.js');
const { taskList } = require('../../../lib/adapters/graphile-worker.js');
const { WorkerPool } = require('../../../lib/index.js');
const { fixture, rejection, until } = require('./support.js');

let pool;

beforeEach(() => {
  const module = fixture('tasks.mjs');
  pool = WorkerPool.create('own', { module, workers: 2, memoryLimitMb: 32 });
});

afterEach(() => pool.stop({ timeoutMs: 0 }));

describe('pg-boss', () => {
  let sequence = 0;
  const job = (name, data = {}, more = {}) => ({
    id: String(++sequence),
    name,
    data,
    signal: new AbortController().signal,
    expireInSeconds: 900,
    ...more,
  });

  test('each job of a batch has its own result', async () => {
    const jobs = [job('double', { value: 2 }), job('boom'), job('memory')];
    const results = await handler(pool)(jobs);
    expect(results.map(({ id }) => id)).toEqual(jobs.map(({ id }) => id));
    expect(results.map(({ status }) => status)).toEqual([
      'completed',
      'failed',
      'deadletter',
    ]);
    expect(results[0].output).toBe(4);
    expect(results[1].output).toMatchObject({
      name: 'RangeError',
      message: 'bad',
      code: 'E_BAD',
    });
    expect(results[2].output.code).toMatch(/RESOURCE_LIMIT_EXCEEDED/);
  });

  test('a loop ends before pg-boss says that it is late', async () => {
    const late = job('loop', {}, { expireInSeconds: 0.3 });
    const [result] = await handler(pool)([late]);
    expect(result.status).toBe('failed');
    expect(result.output.code).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
    const limited = handler(pool, { task: 'loop', timeoutMs: () => 20 });
    const [other] = await limited([job('any')]);
    expect(other.output.code).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
  });

  test('the signal of a job ends it, and `retry` decides', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const end = handler(pool, { retry: () => false })([
      job('loop', {}, { signal }),
    ]);
    await until(() => pool.state.queue.active === 1);
    controller.abort();
    const [result] = await end;
    expect(result.status).toBe('deadletter');
    expect(result.output.code).toBe('SLOPPY_E_WORK_JOB_CANCELLED');
  });
});

describe('graphile-worker', () => {
  const helpers = (more) => {
    const queries = [];
    // A job that is unlocked a little later looks like this.
    const query = async (text, values) => {
      queries.push([text, values]);
      return { rowCount: queries.length > 2 ? 1 : 0 };
    };
    return {
      queries,
      job: { id: '7', task_identifier: 'a', attempts: 3 },
      abortSignal: new AbortController().signal,
      query,
      withPgClient: (use) => use({ query }),
      ...more,
    };
  };

  test('tasks by name; errors are the job’s own', async () => {
    const tasks = taskList(pool, ['double', 'boom']);
    expect(Object.keys(tasks)).toEqual(['double', 'boom']);
    expect(await tasks.double({ value: 1 }, helpers())).toBe(undefined);
    const told = helpers();
    const error = await rejection(tasks.boom({}, told));
    expect([error.name, error.code]).toEqual(['RangeError', 'E_BAD']);
    expect(told.queries).toEqual([]);
  });

  test('hopeless: no attempts are left', async () => {
    const told = helpers();
    const tasks = taskList(pool, ['memory'], { schema: 'my"own' });
    await rejection(tasks.memory({}, told));
    await until(() => told.queries.length === 3);
    const [text, [id, message]] = told.queries[2];
    expect(text).toMatch(/from "my""own"\.permanently_fail_jobs\(/);
    expect([id, message]).toEqual(['7', expect.stringMatching(/memory/)]);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(told.queries).toHaveLength(3);
  });

  test('the database is away: the job ends as ever', async () => {
    const tasks = taskList(pool, ['memory']);
    const lost = helpers({
      withPgClient: () => Promise.reject(new Error('gone')),
    });
    const never = helpers({ withPgClient: () => new Promise(() => {}) });
    for (const each of [lost, never]) {
      const error = await rejection(tasks.memory({}, each));
      expect(error.code).toMatch(/RESOURCE_LIMIT/);
    }
  });

  test('shutdown: the attempt is given back', async () => {
    const controller = new AbortController();
    const told = helpers({ abortSignal: controller.signal });
    const end = rejection(taskList(pool, ['loop']).loop({}, told));
    await until(() => pool.state.queue.active === 1);
    controller.abort();
    expect((await end).code).toBe('SLOPPY_E_WORK_JOB_CANCELLED');
    expect(told.queries[0][0]).toMatch(/greatest\(0, attempts - 1\)/);
  });

  test('the end of the pool: the job is put back', async () => {
    const told = helpers();
    const tasks = taskList(pool, ['loop']);
    const end = rejection(tasks.loop({}, told));
    await until(() => pool.state.queue.active === 1);
    await pool.stop({ timeoutMs: 0 });
    expect((await end).code).toBe('SLOPPY_E_WORKER_SHUTDOWN_CANCELLED');
    await until(() => told.queries.length === 3);
    expect(told.queries[2][0]).toMatch(/"graphile_worker"\.reschedule_jobs\(/);
    expect(told.queries[2][1]).toEqual(['7', 2]);
  });

  test('the time limit', async () => {
    const { loop } = taskList(pool, ['loop'], { timeoutMs: 20 });
    const error = await rejection(loop({}, helpers()));
    expect(error.code).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
  });
});

test('what is unknown is refused', () => {
  expect(() => handler({})).toThrow(TypeError);
  expect(() => handler(pool, { timeout: 1 })).toThrow(/"timeout"/);
  expect(() => taskList(pool, 'a')).toThrow(TypeError);
  expect(() => taskList(pool, ['a'], { name: 1 })).toThrow(/"name"/);
});
