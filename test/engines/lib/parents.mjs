// Programs about schedulers and flows, as ./faults.mjs.

import { pause, quiet, until } from './harness.mjs';

export const PARENTS = {
  async 'a job whose child failed takes no token'({
    queue,
    Worker,
    FlowProducer,
    name,
  }) {
    const flows = quiet(FlowProducer());
    await flows.add({
      ...{ name: 'parent', queueName: name, data: {} },
      children: [
        {
          ...{ name: 'child', queueName: `${name}-children`, data: {} },
          opts: { failParentOnFailure: true },
        },
      ],
    });
    const children = quiet(
      Worker(`${name}-children`, async () => {
        throw new Error('no');
      }),
    );
    await until(async () => (await queue.getWaitingCount()) === 1, 'parent');
    await queue.add('next', {});
    const seen = [];
    const limiter = { max: 1, duration: 60_000 };
    const run = async (job) => void seen.push(job.name);
    const worker = quiet(Worker(name, run, { limiter }));
    await until(() => seen.length === 1, 'the next');
    const [failed] = await queue.getFailed(0, 0);
    await Promise.all([worker.close(), children.close(), flows.close()]);
    const reason = failed.failedReason.replace(/\b[\w-]{30,}$|bull:\S+/, 'KEY');
    return {
      seen,
      failed: failed.name,
      reason,
      counts: await queue.getJobCounts(),
    };
  },

  async 'schedulers that are set at once'({ queue, Worker, name }) {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        queue.upsertJobScheduler(`s${n % 4}`, { every: 60_000 + (n % 4) }),
      ),
    );
    let runs = 0;
    const run = async () => {
      runs += 1;
    };
    const workers = [1, 2, 3].map(() => quiet(Worker(name, run)));
    await until(() => runs === 4, 'the first runs');
    await pause(200);
    const counts = await queue.getJobCounts();
    const schedulers = await queue.getJobSchedulers(0, -1, true);
    const told = schedulers
      .map(({ key, every, iterationCount }) => [key, every, iterationCount])
      .sort();
    const removed = [
      await queue.removeJobScheduler('s1'),
      await queue.removeJobScheduler('s1'),
    ];
    const left = await queue.getJobCounts('delayed');
    await Promise.all(workers.map((worker) => worker.close()));
    return { runs, counts, told, removed, left };
  },

  async 'what a scheduler keeps'({ queue }) {
    const at = Date.now();
    const startDate = at + 100_000;
    const seen = [];
    const look = async (id) => {
      const found = await queue.getJobScheduler(id);
      const [job] = (await queue.getDelayed()).filter(
        ({ repeatJobKey }) => repeatJobKey === id,
      );
      seen.push([
        ...[id, found?.every, found?.pattern, found?.tz, found?.limit],
        ...[id === 'offset' && found?.offset, found?.template],
        found?.startDate - at,
        job && [
          job.name,
          job.data,
          job.opts.attempts,
          Object.keys(job.opts.repeat ?? {}).sort(),
        ],
      ]);
    };
    const data = { a: 1 };
    await queue.upsertJobScheduler(
      'start',
      { every: 7000, startDate },
      { data },
    );
    await look('start');
    await queue.upsertJobScheduler(
      'start',
      { every: 9000, startDate },
      { name: 'n', opts: { attempts: 2 } },
    );
    await look('start');
    await queue.upsertJobScheduler('cron', {
      pattern: '0 0 1 1 *',
      tz: 'UTC',
      limit: 3,
    });
    await look('cron');
    await queue.upsertJobScheduler(
      'cron',
      { pattern: '0 0 2 2 *', tz: 'UTC' },
      { data },
    );
    await look('cron');
    await queue.upsertJobScheduler('offset', {
      every: 3_600_000,
      offset: 5000,
    });
    await look('offset');
    const next = (await queue.getJobScheduler('offset')).next % 3_600_000;
    return { seen, next, counts: await queue.getJobCounts() };
  },

  async 'an interval that runs'({ queue, Worker, name }) {
    const times = [];
    const run = async (job) => void times.push(Number(job.id.split(':').pop()));
    const workers = [1, 2].map(() => quiet(Worker(name, run)));
    await queue.upsertJobScheduler('s', { every: 120 });
    await until(() => times.length >= 6, 'six runs');
    await queue.removeJobScheduler('s');
    await pause(300);
    const count = times.length;
    await pause(300);
    const isOver = times.length === count;
    const steps = times
      .slice(2)
      .map((time, at) => (time - times[at + 1]) % 120);
    await Promise.all(workers.map((worker) => worker.close()));
    return {
      isOver,
      steps: [...new Set(steps)],
      left: await queue.getDelayedCount(),
    };
  },

  async 'flows: what is removed, ignored and continued'({
    queue,
    Worker,
    FlowProducer,
    name,
  }) {
    const flows = quiet(FlowProducer());
    const children = `${name}-children`;
    const child = (text, opts) => ({
      ...{ name: text, queueName: children, data: {}, opts },
    });
    const parent = (text, list) =>
      flows.add({
        ...{ name: text, queueName: name, data: {}, children: list },
      });
    await parent('ignores', [
      child('bad', { ignoreDependencyOnFailure: true }),
      child('good'),
    ]);
    await parent('removes', [
      child('bad', { removeDependencyOnFailure: true }),
    ]);
    await parent('continues', [
      child('bad', { continueParentOnFailure: true }),
      child('delayed', { delay: 3_600_000 }),
    ]);
    await parent('fails', [child('bad', { failParentOnFailure: true })]);
    await parent('waits', [child('bad', {})]);
    const steps = quiet(
      Worker(children, async (job) => {
        if (job.name === 'bad') throw new Error('bad');
        return job.name;
      }),
    );
    const seen = {};
    const worker = quiet(
      Worker(name, async (job) => {
        const values = Object.values(await job.getChildrenValues());
        const ignored = Object.values(await job.getIgnoredChildrenFailures());
        seen[job.name] = [values, ignored, await job.getDependenciesCount()];
        // It could not be completed with a child to come.
        if (job.name === 'continues') await job.removeUnprocessedChildren();
      }),
    );
    await until(
      async () =>
        (await queue.getCompletedCount()) === 3 &&
        (await queue.getFailedCount()) === 1,
      'the parents',
    );
    const [waits] = await queue.getWaitingChildren();
    const counts = await waits.getDependenciesCount();
    await waits.removeUnprocessedChildren();
    await Promise.all([steps.close(), worker.close(), flows.close()]);
    return { seen, waits: waits.name, counts, all: await queue.getJobCounts() };
  },
};
