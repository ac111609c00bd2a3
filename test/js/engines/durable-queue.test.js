'use strict';
// The Queue of sloppy-workers/durable: adding, counting, keeping, removing.

const durable = require('../../../lib/adapters/durable.js');
const { rejection } = require('./support.js');
const {
  files,
  next,
  pause,
  times,
  withDriver,
} = require('./durable-support.js');

const { Queue, Worker } = durable;

withDriver('driver %s', (driver) => {
  const { state, keep } = files();
  const connection = () => ({ file: state.file, driver });
  const queue = (name = 'q', options = {}) =>
    keep(new Queue(name, { connection: connection(), ...options }));
  const worker = (process, options = {}, name = 'q') =>
    keep(new Worker(name, process, { connection: connection(), ...options }));

  test('a job is there for another connection, and after a restart', async () => {
    const first = new Queue('q', { connection: connection() });
    const job = await first.add('resize', { width: 80 }, { attempts: 3 });
    expect([job.id, job.name, job.data, job.opts.attempts]).toEqual([
      '1',
      'resize',
      { width: 80 },
      3,
    ]);
    await first.close();
    const found = await queue().getJob('1');
    expect(found.data).toEqual({ width: 80 });
    expect(await found.getState()).toBe('waiting');
    expect(await queue('other').getJob('1')).toBe(undefined);
  });

  test('the same jobId is added once, also by several at a time', async () => {
    const own = queue();
    const other = keep(
      new Queue('q', { connection: { ...connection(), pollMs: 51 } }),
    );
    const adds = [own, other, own, other].map((each, index) =>
      each.add('a', { index }, { jobId: 'same' }),
    );
    const jobs = await Promise.all(adds);
    expect(jobs.map(({ id }) => id)).toEqual(['same', 'same', 'same', 'same']);
    expect(await own.count()).toBe(1);
    await own.add('a', {}, { jobId: 'other' });
    expect(await own.count()).toBe(2);
  });

  test('addBulk adds all or none', async () => {
    const own = queue();
    const jobs = await own.addBulk([
      { name: 'a', data: 1 },
      { name: 'b', data: 2, opts: { delay: 10_000 } },
      { name: 'c', data: 3, opts: { priority: 2 } },
    ]);
    expect(jobs.map(({ data }) => data)).toEqual([1, 2, 3]);
    expect(await own.getJobCounts()).toEqual({
      active: 0,
      completed: 0,
      delayed: 1,
      failed: 0,
      prioritized: 1,
      waiting: 1,
      'waiting-children': 0,
    });
    const bad = own.addBulk([
      { name: 'd', data: 1 },
      { name: 'e', data: 1, opts: { jobId: '7' } },
    ]);
    await expect(bad).rejects.toThrow('Custom Id cannot be integers');
    expect(await own.getJobCountByTypes('waiting', 'delayed')).toBe(2);
  });

  test('order: first in, first out; lifo; priorities last, lowest first', async () => {
    const own = queue();
    await own.add('1', {});
    await own.add('p5', {}, { priority: 5 });
    await own.add('p1', {}, { priority: 1 });
    await own.add('2', {});
    await own.add('0', {}, { lifo: true });
    const order = [];
    const runs = worker((job) => order.push(job.name));
    await times(runs, 'completed', 5);
    expect(order).toEqual(['0', '1', '2', 'p1', 'p5']);
  });

  test('a delayed job waits for its time', async () => {
    const own = queue();
    const added = Date.now();
    await own.add('later', {}, { delay: 150 });
    expect(await own.getJobCounts('delayed', 'waiting')).toEqual({
      delayed: 1,
      waiting: 0,
    });
    const [job] = await next(
      worker(async () => Date.now()),
      'completed',
    );
    expect(job.returnvalue - added).toBeGreaterThanOrEqual(150);
    const promoted = await own.add('far', {}, { delay: 60_000 });
    await promoted.promote();
    expect(await promoted.getState()).not.toBe('delayed');
  });

  test('paused: no worker takes a job', async () => {
    const own = queue();
    await own.pause();
    expect(await own.isPaused()).toBe(true);
    let began = 0;
    const runs = worker(() => {
      began += 1;
    });
    await own.add('a', {});
    await pause(200);
    expect(began).toBe(0);
    const done = next(runs, 'completed');
    await own.resume();
    await done;
    expect(await own.isPaused()).toBe(false);
  });

  test('removeOnComplete: true, a count, an age', async () => {
    const own = queue();
    const runs = worker(() => 1);
    await own.add('gone', {}, { removeOnComplete: true });
    await next(runs, 'completed');
    expect(await own.getCompletedCount()).toBe(0);
    const many = times(runs, 'completed', 6);
    await own.addBulk(
      Array.from({ length: 6 }, (_, i) => ({
        name: 'kept',
        data: i,
        opts: { removeOnComplete: 2 },
      })),
    );
    await many;
    const left = await own.getJobs('completed');
    expect(left.map(({ data }) => data)).toEqual([5, 4]);
    await pause(1100);
    await own.add('aged', {}, { removeOnComplete: { age: 1 } });
    await next(runs, 'completed');
    expect((await own.getCompleted()).map(({ name }) => name)).toEqual([
      'aged',
    ]);
  });

  test('drain, clean, remove, retry, obliterate', async () => {
    const own = queue();
    const runs = worker(
      (job) => {
        if (job.data.fails) throw new Error('no');
      },
      { autorun: false },
    );
    await own.add('a', {});
    await own.add('b', {}, { delay: 60_000 });
    await own.drain();
    expect(await own.count()).toBe(1);
    await own.drain(true);
    expect(await own.count()).toBe(0);
    const [good, bad] = await own.addBulk([
      { name: 'good', data: {} },
      { name: 'bad', data: { fails: true } },
    ]);
    const failed = next(runs, 'failed');
    runs.run();
    await failed;
    await runs.pause();
    expect(await own.getJobState(bad.id)).toBe('failed');
    await own.retryJobs({ state: 'failed' });
    expect(await own.getJobState(bad.id)).toBe('waiting');
    await expect(bad.retry()).rejects.toThrow(/not in the failed state/);
    expect(await own.clean(0, 0, 'completed')).toEqual([good.id]);
    await good.remove();
    expect(await own.remove(bad.id)).toBe(1);
    expect(await own.remove(bad.id)).toBe(0);
    await own.add('c', {});
    await own.obliterate();
    expect(await own.getJobCountByTypes('waiting', 'failed')).toBe(0);
  });

  test('logs: in order, kept in part, gone with the job', async () => {
    const own = queue();
    const job = await own.add('a', {}, { keepLogs: 2 });
    expect(await job.log('one')).toBe(1);
    await job.log('two');
    expect(await job.log('three')).toBe(2);
    expect(await own.getJobLogs(job.id)).toEqual({
      logs: ['two', 'three'],
      count: 2,
    });
    await job.remove();
    expect((await own.getJobLogs(job.id)).count).toBe(0);
    await expect(job.log('late')).rejects.toThrow('Missing key for job');
  });

  describe('schedulers', () => {
    test('every: each job brings the next one, once', async () => {
      const own = queue();
      const first = await own.upsertJobScheduler(
        'beat',
        { every: 40, limit: 3 },
        { name: 'tick', data: { a: 1 } },
      );
      expect(first.id).toMatch(/^repeat:beat:\d+$/);
      const workers = [worker(() => 1), worker(() => 1)];
      const seen = [];
      for (const each of workers) each.on('completed', (job) => seen.push(job));
      while (seen.length < 3) await pause(10);
      await pause(150);
      expect(seen.map(({ name, data }) => [name, data])).toEqual(
        Array(3).fill(['tick', { a: 1 }]),
      );
      expect(new Set(seen.map(({ id }) => id)).size).toBe(3);
      expect(await own.getJobSchedulers()).toEqual([]);
    });

    test('a pattern is cron, and an upsert replaces', async () => {
      const own = queue();
      await own.upsertJobScheduler('night', {
        pattern: '0 3 * * *',
        tz: 'UTC',
      });
      await own.upsertJobScheduler('night', {
        pattern: '0 4 * * *',
        tz: 'UTC',
      });
      const [delayed, ...others] = await own.getDelayed();
      expect(others).toEqual([]);
      const due = new Date(delayed.timestamp + delayed.opts.delay);
      expect([due.getUTCHours(), due.getUTCMinutes()]).toEqual([4, 0]);
      expect((await own.getJobScheduler('night')).pattern).toBe('0 4 * * *');
      expect(await own.removeJobScheduler('night')).toBe(true);
      expect(await own.count()).toBe(0);
    });
  });

  test.each([
    ['deduplication', { deduplication: { id: 'a' } }],
    ['parent', { parent: {} }],
    ['repeat', { repeat: { every: 1 } }],
    ['failParentOnFailure', { failParentOnFailure: true }],
  ])('the job option %s is refused by name', async (name, options) => {
    const error = await rejection(queue().add('a', {}, options));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(`"${name}"`);
  });

  test.each([
    [{ attempts: -1 }],
    [{ priority: 1.5 }],
    [{ backoff: { delay: 1 } }],
    [{ removeOnComplete: { days: 1 } }],
    [{ jobId: 1 }],
  ])('%j is refused', async (options) => {
    expect(await rejection(queue().add('a', {}, options))).toBeInstanceOf(
      TypeError,
    );
  });

  test.each([
    ['prefix', { prefix: 'x' }],
    ['limiter', { limiter: { max: 1, duration: 1 } }],
    ['useWorkerThreads', { useWorkerThreads: true }],
    ['telemetry', { telemetry: {} }],
  ])('the Worker option %s is refused by name', (name, options) => {
    const make = () => worker(() => 1, options);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(`"${name}"`);
  });

  test('connections of servers are refused with a way out', () => {
    const make = () => new Queue('q', { connection: { host: 'redis' } });
    expect(make).toThrow(/no option "host".*bullmq/);
    expect(() => new Queue('q', {})).toThrow(/connection is missing/);
    expect(() => new Worker('q', './file.js', {})).toThrow(TypeError);
  });

  test('what it does not have says so', async () => {
    expect(() => new durable.QueueEvents('q')).toThrow(/no QueueEvents/);
    expect(() => new durable.FlowProducer()).toThrow(/no FlowProducer/);
    const own = queue();
    await expect(own.setGlobalConcurrency(1)).rejects.toThrow(/no Queue\.set/);
    const job = await own.add('a', {});
    await expect(job.getChildrenValues()).rejects.toThrow(/getChildrenValues/);
    await expect(job.waitUntilFinished()).rejects.toThrow(/QueueEvents/);
  });

  test('data that is no JSON is refused, and too much of it', async () => {
    const own = queue();
    await expect(own.add('a', { n: 1n })).rejects.toThrow(/BigInt/);
    const long = own.add('a', 'x'.repeat(100), { sizeLimit: 50 });
    await expect(long).rejects.toThrow(/exceeds the limit/);
    expect(await own.count()).toBe(0);
  });
});
