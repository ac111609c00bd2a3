'use strict';
// The Worker of sloppy-workers/durable: attempts, locks, events, its end.

const durable = require('../../../lib/adapters/durable.js');
const { processor } = require('../../../lib/adapters/bullmq.js');
const { fixture, until } = require('./support.js');
const {
  files,
  next,
  pause,
  times,
  withDriver,
} = require('./durable-support.js');

const { DelayedError, Queue, UnrecoverableError, WaitingError, Worker } =
  durable;

withDriver('driver %s', (driver) => {
  const { state, keep } = files();
  const connection = () => ({ file: state.file, driver });
  const queue = (options = {}) =>
    keep(new Queue('q', { connection: connection(), ...options }));
  const worker = (process, options = {}) =>
    keep(new Worker('q', process, { connection: connection(), ...options }));
  const never = () => new Promise(() => {});

  test('events and fields of a job that completes', async () => {
    const own = queue();
    const events = [];
    const runs = worker(async (job, token) => {
      await job.updateProgress(50);
      return { token: token === job.token, started: job.attemptsStarted };
    });
    for (const name of ['active', 'progress', 'completed', 'drained']) {
      runs.on(name, () => events.push(name));
    }
    const done = next(runs, 'completed');
    const job = await own.add('a', {});
    const [completed, result] = await done;
    expect(result).toEqual({ token: true, started: 1 });
    await until(() => events.includes('drained'));
    expect(events).toEqual(['active', 'progress', 'completed', 'drained']);
    const stored = await own.getJob(job.id);
    expect(stored.returnvalue).toEqual(result);
    expect(stored.progress).toBe(50);
    expect(stored.attemptsMade).toBe(1);
    expect(stored.finishedOn).toBe(completed.finishedOn);
    expect(await stored.isCompleted()).toBe(true);
  });

  test('what is told as completed is on the disk', async () => {
    const own = queue();
    const runs = worker(() => 1);
    const states = [];
    const done = times(runs, 'completed', 5);
    runs.on('completed', (job) => states.push(own.getJobState(job.id)));
    await own.addBulk(Array.from({ length: 5 }, () => ({ name: 'a' })));
    await done;
    expect(await Promise.all(states)).toEqual(Array(5).fill('completed'));
  });

  test('drained is told once, after the last job, however many run', async () => {
    const own = queue();
    const events = [];
    const runs = worker((job) => pause(job.data), { concurrency: 3 });
    runs.on('completed', () => events.push('completed'));
    runs.on('drained', () => events.push('drained'));
    await own.addBulk([1, 30, 60].map((data) => ({ name: 'a', data })));
    await until(() => events.includes('drained'));
    await pause(150);
    expect(events).toEqual([...Array(3).fill('completed'), 'drained']);
  });

  test('attempts with backoff, then failed with every stack', async () => {
    const own = queue();
    const began = [];
    const runs = worker(() => {
      began.push(Date.now());
      throw new RangeError(`attempt ${began.length}`);
    });
    const failures = times(runs, 'failed', 3);
    const backoff = { type: 'exponential', delay: 50 };
    const job = await own.add('a', {}, { attempts: 3, backoff });
    const seen = await failures;
    expect(seen.map(([, error]) => error.message)).toEqual([
      'attempt 1',
      'attempt 2',
      'attempt 3',
    ]);
    expect(began[1] - began[0]).toBeGreaterThanOrEqual(50);
    expect(began[2] - began[1]).toBeGreaterThanOrEqual(100);
    const stored = await own.getJob(job.id);
    expect([stored.attemptsMade, stored.failedReason]).toEqual([
      3,
      'attempt 3',
    ]);
    expect(stored.stacktrace).toHaveLength(3);
    expect(await stored.getState()).toBe('failed');
  });

  test('UnrecoverableError fails at once; a strategy of the user', async () => {
    const own = queue();
    const asked = [];
    const runs = worker(
      (job) => {
        throw job.data.hopeless ? new UnrecoverableError('no') : new Error('e');
      },
      {
        settings: {
          backoffStrategy(...words) {
            asked.push(words.slice(0, 2));
            return -1;
          },
        },
      },
    );
    const failures = times(runs, 'failed', 2);
    const backoff = { type: 'mine' };
    await own.add('a', { hopeless: true }, { attempts: 5 });
    await own.add('b', {}, { attempts: 5, backoff });
    await failures;
    expect(asked).toEqual([[1, 'mine']]);
    expect(await own.getFailedCount()).toBe(2);
  });

  test('a job can move itself; no attempt is counted', async () => {
    const own = queue();
    const runs = worker(async (job, token) => {
      if (job.attemptsStarted === 1) {
        await job.moveToDelayed(Date.now() + 30, token);
        throw new DelayedError();
      }
      if (job.attemptsStarted === 2) {
        await job.moveToWait(token);
        throw new WaitingError();
      }
      return job.attemptsMade;
    });
    const done = next(runs, 'completed');
    await own.add('a', {});
    const [job, made] = await done;
    expect([made, job.attemptsStarted]).toEqual([0, 3]);
  });

  test('a lock that is not renewed: another takes the job, the first is refused', async () => {
    const own = queue();
    let release;
    const first = worker(
      () =>
        new Promise((resolve) => {
          release = resolve;
        }),
      {
        lockDuration: 200,
        skipLockRenewal: true,
        skipStalledCheck: true,
      },
    );
    const errors = [];
    first.on('error', (error) => errors.push(error.message));
    const active = next(first, 'active');
    const job = await own.add('a', {});
    await active;
    await first.pause(true);
    const second = worker(() => 'second', { stalledInterval: 50 });
    const stalled = next(second, 'stalled');
    const [completed] = await next(second, 'completed');
    expect((await stalled)[0]).toBe(job.id);
    expect(completed.attemptsStarted).toBe(2);
    release('first');
    await until(() => errors.length > 0);
    expect(errors).toEqual([`Missing lock for job ${job.id}. moveToFinished`]);
    expect((await own.getJob(job.id)).returnvalue).toBe('second');
  });

  test('a renewed lock is nobody else’s', async () => {
    const own = queue();
    let release;
    const first = worker(
      () =>
        new Promise((resolve) => {
          release = resolve;
        }),
      {
        lockDuration: 300,
      },
    );
    const renewed = next(first, 'locksRenewed');
    await own.add('a', {});
    const other = worker(never, { stalledInterval: 30 });
    const stalls = [];
    other.on('stalled', (id) => stalls.push(id));
    await pause(900);
    const [{ jobIds, count }] = await renewed;
    expect([jobIds, count]).toEqual([['1'], 1]);
    expect(stalls).toEqual([]);
    const done = next(first, 'completed');
    release(1);
    expect((await done)[0].attemptsStarted).toBe(1);
  });

  test('a job that stalls too often fails', async () => {
    const own = queue();
    const lost = worker(never, {
      lockDuration: 20,
      skipLockRenewal: true,
      stalledInterval: 20,
      maxStalledCount: 1,
      concurrency: 5,
    });
    const failed = next(lost, 'failed');
    const job = await own.add('a', {});
    const [, error] = await failed;
    expect(error.message).toBe('job stalled more than allowable limit');
    expect(await own.getJobState(job.id)).toBe('failed');
    await lost.close(true);
  });

  test('concurrency bounds what runs, across Workers each job runs once', async () => {
    const own = queue();
    const seen = [];
    let most = 0;
    let now = 0;
    const run = async (job) => {
      now += 1;
      most = Math.max(most, now);
      await pause(2);
      seen.push(job.id);
      now -= 1;
    };
    await own.addBulk(Array.from({ length: 60 }, () => ({ name: 'a' })));
    const workers = [
      worker(run, { concurrency: 3 }),
      worker(run, { concurrency: 2 }),
    ];
    await until(() => seen.length >= 60);
    await Promise.all(workers.map((each) => each.close()));
    expect(new Set(seen).size).toBe(60);
    expect(seen).toHaveLength(60);
    expect(most).toBeLessThanOrEqual(5);
    expect(most).toBeGreaterThan(1);
  });

  test('close() waits for the jobs; pause() too; what waits stays', async () => {
    const own = queue();
    let ended = 0;
    const runs = worker(async () => {
      await pause(100);
      ended += 1;
    });
    const active = next(runs, 'active');
    await own.addBulk([{ name: 'a' }, { name: 'b' }]);
    await active;
    await runs.close();
    expect(ended).toBe(1);
    expect(await own.getJobCounts('completed', 'waiting')).toEqual({
      completed: 1,
      waiting: 1,
    });
  });

  test('an error in a listener, and no listener for errors', async () => {
    const own = queue();
    const runs = worker(() => 1);
    const errors = [];
    runs.on('error', (error) => errors.push(error.message));
    runs.on('completed', () => {
      throw new Error('in the listener');
    });
    await own.addBulk([{ name: 'a' }, { name: 'b' }]);
    await until(() => errors.length === 2);
    expect(errors).toEqual(['in the listener', 'in the listener']);
    const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
    own.emit('error', new Error('nobody listens'));
    expect(printed).toHaveBeenCalledTimes(1);
    printed.mockRestore();
  });

  test('a result that is no JSON fails the job', async () => {
    const own = queue();
    const runs = worker(() => 1n);
    const failed = next(runs, 'failed');
    await own.add('a', {});
    expect((await failed)[1].message).toMatch(/BigInt/);
  });

  describe('with a processor of a sandbox file', () => {
    const make = (options, workerOptions) => {
      const run = processor(fixture('sandbox.cjs'), options);
      return [run, run.attach(worker(run, workerOptions))];
    };

    test('results, progress, logs and errors', async () => {
      const own = queue();
      const [, runs] = make();
      const done = next(runs, 'completed');
      const job = await own.add('a', { kind: 'progress', steps: 50 });
      await done;
      const stored = await own.getJob(job.id);
      expect(stored.progress).toEqual({ step: 50 });
      expect((await own.getJobLogs(job.id)).logs).toEqual(['first', 'second']);
      const failed = next(runs, 'failed');
      await own.add('a', { kind: 'own' });
      const [, error] = await failed;
      expect([error.name, error.code]).toEqual(['OutOfStock', 'E_STOCK']);
    });

    test('a cancel ends a loop', async () => {
      const own = queue();
      const [run, runs] = make();
      const failed = next(runs, 'failed');
      const job = await own.add('a', { kind: 'loop' });
      await until(() => run.pool.state.queue.active === 1);
      expect(runs.cancelJob(job.id, 'user')).toBe(true);
      expect(runs.cancelJob('none')).toBe(false);
      expect((await failed)[1].code).toBe('SLOPPY_E_WORK_JOB_CANCELLED');
    });

    test('a stop gives a loop back, close() does in its time', async () => {
      const own = queue();
      const [run] = make();
      const job = await own.add('a', { kind: 'loop' });
      await until(() => run.pool.state.queue.active === 1);
      await run.stop({ timeoutMs: 20 });
      const back = await own.getJob(job.id);
      expect([await back.getState(), back.attemptsMade]).toEqual([
        'waiting',
        0,
      ]);
      const [again, runs] = make({ closeTimeoutMs: 20 });
      await until(() => again.pool.state.queue.active === 1);
      await runs.close();
      expect(await own.getJobState(job.id)).toBe('waiting');
      expect(await own.getFailedCount()).toBe(0);
    });

    test('a lock that cannot be renewed ends the job before another has it', async () => {
      const own = queue();
      const [run, runs] = make(
        {},
        { lockDuration: 400, skipStalledCheck: true },
      );
      runs.extendJobLocks = () => new Promise(() => {});
      const job = await own.add('a', { kind: 'loop' });
      await until(() => run.pool.state.queue.active === 1);
      await until(() => run.pool.state.queue.active === 0);
      // Nobody has taken it back yet: it was still this Worker's when it ended.
      expect(await own.getJobState(job.id)).toBe('active');
    });
  });
});
