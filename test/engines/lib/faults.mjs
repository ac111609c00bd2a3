// Programs in which a copy of BullMQ's classes was wrong. Each tells what it
// saw, which has to be the same on every store.

import { pause, until } from './harness.mjs';

const ids = (jobs) => jobs.map(({ id }) => id);
const order = async (Worker, name, count, setUp) => {
  const seen = [];
  await setUp();
  const worker = Worker(name, async (job) => void seen.push(job.name));
  worker.on('error', () => {});
  await until(() => seen.length >= count, `${count} jobs`);
  await worker.close();
  return seen;
};

export const PROGRAMS = {
  async 'a scheduler that is set again leaves a job that is retried'({
    queue,
    Worker,
    name,
  }) {
    let runs = 0;
    const worker = Worker(name, async () => {
      runs += 1;
      if (runs === 1) throw new Error('once');
    });
    worker.on('error', () => {});
    const opts = { attempts: 2, backoff: 600 };
    await queue.upsertJobScheduler('s', { every: 3_600_000 }, { opts });
    await until(() => runs === 1, 'the first try');
    await until(async () => (await queue.getDelayedCount()) === 2, 'the retry');
    await queue.upsertJobScheduler('s', { every: 3_600_000 }, { opts });
    await until(() => runs === 2, 'the second try');
    await worker.close();
    return await queue.getJobCounts('completed', 'delayed', 'failed');
  },

  async 'a delay that is far away does not hold others back'({
    queue,
    Worker,
    name,
  }) {
    return order(Worker, name, 2, async () => {
      await queue.add('far', {}, { delay: 2 ** 41 });
      await queue.add('near', {}, { delay: 100 });
      await queue.add('now', {});
    });
  },

  async 'drain, clean and removal leave schedulers alone'({ queue }) {
    await queue.upsertJobScheduler('s', { every: 3_600_000 }, { name: 'beat' });
    const first = await queue.getJobs(['delayed', 'waiting']);
    await queue.drain(true);
    await queue.clean(0, 0, 'delayed');
    await queue.clean(0, 0, 'wait');
    const refused = await first[0].remove().catch(({ code }) => code);
    const left = await queue.getJobs(['delayed', 'waiting']);
    return {
      refused,
      isSame: JSON.stringify(ids(left)) === JSON.stringify(ids(first)),
      schedulers: await queue.getJobSchedulersCount(),
    };
  },

  async 'an interval that has not changed keeps its time'({
    queue,
    Worker,
    name,
  }) {
    let runs = 0;
    const worker = Worker(name, async () => {
      runs += 1;
    });
    worker.on('error', () => {});
    for (let times = 0; times < 40; times++) {
      await queue.upsertJobScheduler('s', { every: 30_000 });
      await pause(10);
    }
    await worker.close();
    return { runs, waiting: await queue.getDelayedCount() };
  },

  async 'a job is run though adding the next of its scheduler throws'({
    queue,
    Worker,
    name,
  }) {
    const seen = [];
    await queue.upsertJobScheduler(
      's',
      { pattern: '* * * * * *' },
      { name: 'beat' },
    );
    const worker = Worker(name, async (job) => void seen.push(job.name), {
      settings: {
        repeatStrategy() {
          throw new Error('no next');
        },
      },
    });
    worker.on('error', (error) => seen.push(error.message));
    await queue.add('other', {}, { delay: 1200 });
    await until(() => seen.includes('other'), 'the job after it');
    await worker.close();
    return {
      seen: [...new Set(seen)].sort(),
      counts: await queue.getJobCounts('active', 'completed', 'failed'),
      schedulers: await queue.getJobSchedulersCount(),
    };
  },

  async 'pages are pages'({ queue }) {
    await queue.addBulk(
      Array.from({ length: 50 }, (_, n) => ({ name: `${n}`, data: {} })),
    );
    const names = (jobs) => jobs.map((job) => job.name);
    return {
      first: names(await queue.getWaiting(0, 9)),
      last: names(await queue.getWaiting(45, 60)),
      newest: names(await queue.getJobs(['waiting'], 0, 4, false)),
      middle: names(await queue.getJobs(['waiting'], 20, 24, true)),
      end: names(await queue.getJobs(['waiting'], -3, -1, true)),
    };
  },

  async 'odd values that are thrown fail their job'({ queue, Worker, name }) {
    const thrown = [7, 'text', { message: 1 }, undefined, null];
    const ended = [];
    const errors = [];
    const worker = Worker(
      name,
      async (job) => {
        throw thrown[job.data.at];
      },
      { concurrency: thrown.length },
    );
    worker.on('error', (error) => errors.push(error.message));
    worker.on('failed', (job) => ended.push(job.data.at));
    for (const at of thrown.keys()) await queue.add('a', { at });
    // BullMQ's Worker does not end a job that threw nothing.
    await until(() => ended.length === 3 && errors.length === 2, 'their ends');
    await worker.close(true);
    const jobs = await queue.getFailed(0, 10);
    return {
      errors: errors.sort(),
      failed: jobs.map((job) => [job.data.at, job.failedReason]).sort(),
    };
  },

  async 'NUL and other odd texts'({ queue }) {
    const odd = ['a\0b', 'a\0', '\u0001', '\u00010', 'é😀', 'a b', "'; --"];
    for (const jobId of odd) {
      await queue.add(`n${jobId}`, { text: jobId }, { jobId });
      await queue.add('again', {}, { jobId });
    }
    const seen = [];
    for (const jobId of odd) {
      const job = await queue.getJob(jobId);
      await job.log(`line ${jobId}`);
      const { logs } = await queue.getJobLogs(jobId);
      seen.push([job.id, job.name, job.data.text, logs]);
    }
    return { seen, ids: ids(await queue.getWaiting()) };
  },

  async 'the order of lifo, priorities and retries'({ queue, Worker, name }) {
    let isFirst = true;
    const seen = [];
    await queue.pause();
    await queue.add('one', {});
    await queue.add('two', {});
    await queue.add('lifo', {}, { lifo: true });
    await queue.add('last lifo', {}, { lifo: true });
    await queue.add('low', {}, { priority: 9 });
    await queue.add('high', {}, { priority: 1 });
    await queue.add('retried', {}, { attempts: 2, lifo: true });
    const worker = Worker(name, async (job) => {
      seen.push(job.name);
      if (job.name !== 'retried' || !isFirst) return;
      isFirst = false;
      throw new Error('once');
    });
    worker.on('error', () => {});
    await queue.resume();
    await until(() => seen.length === 8, 'all');
    await worker.close();
    return seen;
  },

  async 'a retried job keeps its priority'({ queue, Worker, name }) {
    const ended = [];
    const worker = Worker(name, async () => {
      throw new Error('no');
    });
    worker.on('error', () => {});
    worker.on('failed', (job) => ended.push(job.id));
    await queue.add('a', {}, { priority: 5, jobId: 'one' });
    await queue.add('a', {}, { priority: 5, jobId: 'two' });
    await until(() => ended.length === 2, 'both ends');
    await worker.close();
    await (await queue.getJob('one')).retry();
    const state = await (await queue.getJob('one')).getState();
    await queue.retryJobs({ state: 'failed' });
    const bulk = await queue.getJob('two');
    return {
      state,
      priority: bulk.priority,
      counts: await queue.getJobCounts(),
    };
  },

  async 'a job of the same id is there once, with its first data'({ queue }) {
    await queue.add('a', { n: 1 }, { jobId: 'same' });
    await queue.add('b', { n: 2 }, { jobId: 'same', delay: 5000 });
    const job = await queue.getJob('same');
    return [job.name, job.data, await job.getState(), await queue.count()];
  },

  async 'a failed child that is retried is pending again'({
    queue,
    Worker,
    FlowProducer,
    name,
  }) {
    const flows = FlowProducer();
    const tree = await flows.add({
      ...{ name: 'parent', queueName: `${name}-parents`, data: {} },
      children: ['x', 'y'].map((child) => ({
        ...{ name: child, queueName: name, data: {} },
        opts: { ignoreDependencyOnFailure: true },
      })),
    });
    const ended = [];
    const worker = Worker(
      name,
      async (job) => {
        if (job.name === 'x') throw new Error('no');
        await new Promise(() => {});
      },
      { concurrency: 2, lockDuration: 60_000 },
    );
    worker.on('error', () => {});
    worker.on('failed', (job) => ended.push(job.name));
    await until(() => ended.length === 1, 'the failure');
    const before = await tree.job.getDependenciesCount();
    await queue.retryJobs({ state: 'failed' });
    const after = await tree.job.getDependenciesCount();
    await worker.close(true);
    await flows.close();
    return { before, after };
  },

  async 'what is retained'({ queue, Worker, name }) {
    const worker = Worker(name, async (job) => job.data);
    worker.on('error', () => {});
    for (let n = 0; n < 10; n++) {
      await queue.add('a', { n }, { removeOnComplete: { count: 3 } });
      await until(
        async () =>
          (await queue.getActiveCount()) === 0 &&
          (await queue.getWaitingCount()) === 0,
        'it',
      );
    }
    await worker.close();
    const jobs = await queue.getCompleted(0, 10);
    return jobs.map(({ data }) => data.n);
  },

  async deduplication({ queue }) {
    const add = (n, deduplication, more) =>
      queue.add('a', { n }, { deduplication, ...more });
    const first = await add(1, { id: 'simple' });
    const second = await add(2, { id: 'simple' });
    const replaced = await add(3, { id: 'r', replace: true }, { delay: 9000 });
    const by = await add(4, { id: 'r', replace: true }, { delay: 9000 });
    await add(5, { id: 'time', ttl: 150 });
    await pause(200);
    const after = await add(6, { id: 'time', ttl: 150 });
    const old = { timestamp: 1000 };
    const past = await add(7, { id: 'past', ttl: 60_000 }, old);
    const again = await add(8, { id: 'past', ttl: 60_000 }, old);
    return {
      isSame: first.id === second.id,
      isPastSame: past.id === again.id,
      isReplaced: replaced.id !== by.id && !(await queue.getJob(replaced.id)),
      isNew: (await queue.getJob(after.id)).data.n,
      key: (await queue.getDeduplicationJobId('simple')) === first.id,
      counts: await queue.getJobCounts('waiting', 'delayed'),
    };
  },

  async 'states that a call refuses'({ queue }) {
    const job = await queue.add('a', {});
    const codes = [];
    for (const call of [
      () => job.promote(),
      () => job.changeDelay(5),
      () => job.retry('failed'),
      () => job.moveToCompleted(1, 'token'),
      () => queue.obliterate().then(() => job.updateData({})),
    ]) {
      codes.push(
        await call().then(
          () => 'done',
          ({ code, message }) => [code, message.replace(job.id, 'ID')],
        ),
      );
    }
    return codes;
  },

  async 'a limiter, and what it says'({ queue, Worker, name }) {
    await queue.setGlobalRateLimit(2, 60_000);
    const seen = [];
    const worker = Worker(name, async (job) => void seen.push(job.name));
    worker.on('error', () => {});
    for (const text of ['a', 'b', 'c', 'd']) await queue.add(text, {});
    await until(() => seen.length === 2, 'two');
    await pause(200);
    const ttl = await queue.getRateLimitTtl();
    const told = {
      seen: [...seen],
      isLimited: ttl > 0,
      counts: await queue.getJobCounts('waiting'),
    };
    await worker.close();
    await queue.removeRateLimitKey();
    return { ...told, after: (await queue.getRateLimitTtl()) > 0 };
  },
};
