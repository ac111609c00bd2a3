// Programs about locks, pauses and limits, as ./faults.mjs.

import { pause, quiet, until } from './harness.mjs';

const names = (jobs) => jobs.map(({ name }) => name);
const plainOf = async (job) => [
  ...[job.name, await job.getState(), job.priority, job.attemptsMade],
  ...[job.attemptsStarted, job.stalledCounter, job.failedReason],
];

/** Takes jobs and never ends them; their locks run out. */
async function takeAndLeave(Worker, name, count) {
  const taker = quiet(
    Worker(name, undefined, { autorun: false, lockDuration: 200 }),
  );
  for (let n = 0; n < count; n++) await taker.getNextJob(`token-${n}`);
  await taker.close();
}

export const RULES = {
  async 'stalled jobs come back to the front, then fail'({
    queue,
    Worker,
    name,
  }) {
    for (const text of ['a', 'b', 'c']) await queue.add(text, {});
    await queue.add('low', {}, { priority: 5 });
    await takeAndLeave(Worker, name, 2);
    const checker = quiet(
      Worker(name, undefined, {
        ...{ autorun: false, stalledInterval: 100, maxStalledCount: 1 },
      }),
    );
    const stalled = [];
    checker.on('stalled', (id) => stalled.push(id));
    const check = async () => {
      await pause(250);
      await checker.moveStalledJobsToWait();
    };
    const first = [];
    await check();
    first.push(stalled.length);
    await check();
    first.push(stalled.length);
    const front = names(await queue.getWaiting(0, 1)).sort();
    await takeAndLeave(Worker, name, 2);
    await check();
    await check();
    const runner = quiet(Worker(name, async () => {}));
    await until(async () => (await queue.getFailedCount()) === 2, 'failures');
    await until(async () => (await queue.getCompletedCount()) === 2, 'rest');
    const failed = await queue.getFailed(0, 10);
    const seen = await Promise.all(failed.map(plainOf));
    await runner.close();
    await checker.close();
    return { first, front, seen: seen.sort() };
  },

  async 'a stalled job with a priority'({ queue, Worker, name }) {
    await queue.add('high', {}, { priority: 1 });
    await queue.add('low', {}, { priority: 9 });
    await takeAndLeave(Worker, name, 1);
    const checker = quiet(
      Worker(name, undefined, { autorun: false, stalledInterval: 50 }),
    );
    await checker.moveStalledJobsToWait();
    await pause(300);
    await checker.moveStalledJobsToWait();
    const jobs = await queue.getJobs(['waiting', 'prioritized']);
    const seen = await Promise.all(jobs.map(plainOf));
    await checker.close();
    return { seen: seen.sort(), counts: await queue.getJobCounts() };
  },

  async 'the job of a scheduler never fails by stalling'({
    queue,
    Worker,
    name,
  }) {
    await queue.upsertJobScheduler('s', { every: 3_600_000 }, { name: 'beat' });
    await takeAndLeave(Worker, name, 1);
    const checker = quiet(
      Worker(name, undefined, {
        ...{ autorun: false, stalledInterval: 50, maxStalledCount: 0 },
      }),
    );
    await checker.moveStalledJobsToWait();
    await pause(300);
    await checker.moveStalledJobsToWait();
    const job = await checker.getNextJob('token');
    const seen = [job.name, job.stalledCounter, job.deferredFailure];
    await job.moveToCompleted(1, 'token', false);
    await checker.close();
    return { seen, counts: await queue.getJobCounts() };
  },

  async 'locks and their codes'({ queue, Worker, name }) {
    const worker = quiet(
      Worker(name, undefined, { autorun: false, lockDuration: 60_000 }),
    );
    const job = await queue.add('a', {});
    const taken = await worker.getNextJob('mine');
    const codes = [];
    const tell = async (call) =>
      codes.push(
        await call().then(
          (value) => ['done', value],
          (error) => [error.code, error.message.replaceAll(job.id, 'ID')],
        ),
      );
    await tell(() => taken.moveToCompleted(1, 'other', false));
    await tell(() => taken.moveToFailed(new Error('x'), 'other', false));
    await tell(() => taken.moveToDelayed(Date.now() + 1000, 'other'));
    await tell(() => taken.extendLock('other', 1000));
    await tell(() => taken.extendLock('mine', 60_000));
    await tell(() => taken.remove());
    await tell(() => taken.moveToWait('mine'));
    await tell(() => taken.moveToCompleted(1, 'mine', false));
    await worker.close();
    return { codes, state: await job.getState() };
  },

  async 'a paused queue'({ queue, Worker, name }) {
    await queue.pause();
    await queue.pause();
    for (const text of ['a', 'b']) await queue.add(text, {});
    await queue.add('soon', {}, { delay: 50 });
    await queue.add('high', {}, { priority: 1 });
    const seen = [];
    const worker = quiet(Worker(name, async (job) => void seen.push(job.name)));
    await pause(400);
    const before = { seen: [...seen], counts: await queue.getJobCounts() };
    const isPaused = await queue.isPaused();
    const state = await (await queue.getWaiting(0, 0))[0].getState();
    await queue.resume();
    await until(() => seen.length === 4, 'all');
    await worker.close();
    return { before, isPaused, state, seen, after: await queue.isPaused() };
  },

  async 'a paused worker'({ queue, Worker, name }) {
    const seen = [];
    const worker = quiet(Worker(name, async (job) => void seen.push(job.name)));
    await queue.add('one', {});
    await until(() => seen.length === 1, 'one');
    await worker.pause();
    await queue.add('two', {});
    await pause(150);
    const paused = [worker.isPaused(), [...seen]];
    worker.resume();
    await until(() => seen.length === 2, 'two');
    await worker.close();
    return { paused, seen };
  },

  async 'concurrency of all workers together'({ queue, Worker, name }) {
    await queue.setGlobalConcurrency(2);
    let running = 0;
    let most = 0;
    let done = 0;
    const run = async () => {
      running += 1;
      most = Math.max(most, running);
      await pause(30);
      running -= 1;
      done += 1;
    };
    const workers = [1, 2].map(() =>
      quiet(Worker(name, run, { concurrency: 3 })),
    );
    await queue.addBulk(
      Array.from({ length: 12 }, () => ({ name: 'j', data: {} })),
    );
    await until(() => done === 12, 'all');
    const bound = await queue.getGlobalConcurrency();
    await Promise.all(workers.map((worker) => worker.close()));
    await queue.removeGlobalConcurrency();
    return { most, bound, now: await queue.getGlobalConcurrency() };
  },

  async 'a worker that limits itself'({ queue, Worker, name }) {
    const limiter = { max: 3, duration: 60_000 };
    const seen = [];
    const run = async (job) => void seen.push(job.name);
    const worker = quiet(Worker(name, run, { limiter }));
    await queue.addBulk(
      Array.from({ length: 5 }, (_, n) => ({ name: `${n}`, data: {} })),
    );
    await until(() => seen.length === 3, 'three');
    // Due while the worker is limited: on a busy machine 50 ms are over before.
    await queue.add('later', {}, { delay: 50 });
    await pause(200);
    const told = {
      seen: [...seen],
      isLimited: (await queue.getRateLimitTtl(3)) > 0,
      isOpen: await queue.getRateLimitTtl(4),
      waiting: await queue.getWaitingCount(),
    };
    await worker.close();
    await queue.removeRateLimitKey();
    return { ...told, after: await queue.getRateLimitTtl(3) };
  },

  async 'a job that says it is too early'({ queue, Worker, name }) {
    let isFirst = true;
    const seen = [];
    const { RateLimitError } = await import('bullmq');
    const worker = quiet(
      Worker(name, async (job) => {
        seen.push([job.name, job.attemptsMade, job.attemptsStarted]);
        if (!isFirst) return;
        isFirst = false;
        await worker.rateLimit(150);
        throw new RateLimitError();
      }),
    );
    await queue.add('first', {}, { priority: 2 });
    await queue.add('second', {}, { priority: 2 });
    await until(() => seen.length === 3, 'all');
    await worker.close();
    return seen;
  },
};
