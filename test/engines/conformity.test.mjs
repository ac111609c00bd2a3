// The same sandbox file and the same program on every engine, both runtimes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engine, ownWorker, places, queueName, until } from './lib/harness.mjs';

async function tell(queue, worker, data, options) {
  const job = await queue.add('job', { ...data }, options);
  const state = await new Promise((resolve) => {
    const look = setInterval(async () => {
      const now = await job.getState();
      if (!['completed', 'failed'].includes(now)) return;
      clearInterval(look);
      resolve(now);
    }, 15);
  });
  const stored = await queue.getJob(job.id);
  const { logs } = await queue.getJobLogs(job.id);
  return { state, stored, logs, last: worker.lastError };
}

for (const place of places()) {
  for (const runtime of ['isolate', 'thread']) {
    test(`${place[0]}, ${runtime}`, async (t) => {
      const name = queueName('conform');
      const queue = engine(...place).Queue(name);
      queue.on('error', () => {});
      const { run, worker, errors } = ownWorker(place, name, {
        runtime,
        timeoutMs: (job) => job.data.timeoutMs,
      });
      worker.on('failed', (_job, error) => {
        worker.lastError = error;
      });
      const check = (title, body) => t.test(title, body);
      await check('a result', async () => {
        const { stored } = await tell(queue, worker, {
          kind: 'echo',
          value: { a: [1] },
        });
        assert.deepEqual(stored.returnvalue, { a: [1] });
      });
      await check('progress, logs, a Date', async () => {
        const { stored, logs } = await tell(queue, worker, {
          kind: 'progress',
          steps: 300,
        });
        assert.equal(stored.progress, 300);
        assert.deepEqual(logs, ['one', 'two']);
        assert.equal(stored.returnvalue, '1970-01-01T00:00:00.000Z');
      });
      await check('an error with class, code and stack', async () => {
        const { state, stored, last } = await tell(
          queue,
          worker,
          { kind: 'throws' },
          { attempts: 2 },
        );
        assert.equal(state, 'failed');
        assert.equal(stored.attemptsMade, 2);
        assert.equal(stored.failedReason, 'bad input');
        assert.match(
          stored.stacktrace[0],
          /RangeError: bad input[\s\S]*job\.cjs/,
        );
        assert.equal(last.code, 'E_BAD');
      });
      await check('memory: no other attempt, others go on', async () => {
        const { stored } = await tell(
          queue,
          worker,
          { kind: 'memory' },
          { attempts: 3 },
        );
        assert.equal(stored.attemptsMade, 1);
        assert.match(stored.failedReason, /RESOURCE_LIMIT_EXCEEDED/);
        const next = await tell(queue, worker, { kind: 'echo', value: 1 });
        assert.equal(next.stored.returnvalue, 1);
      });
      await check('a time limit ends a loop', async () => {
        const { stored } = await tell(queue, worker, {
          kind: 'loop',
          timeoutMs: 100,
        });
        assert.match(stored.failedReason, /JOB_TIMEOUT/);
      });
      await check('a cancel ends a loop', async () => {
        const job = await queue.add('job', { kind: 'loop' });
        const isLooping = async () =>
          run.pool.state.queue.active === 1 &&
          (await job.getState()) === 'active';
        await until(isLooping, 'the loop');
        // The Worker knows the job a moment after the queue does.
        await until(() => worker.cancelJob(job.id, 'user'), 'the cancel');
        await until(async () => (await job.getState()) === 'failed', 'the end');
        const { failedReason } = await queue.getJob(job.id);
        assert.match(failedReason, /JOB_CANCELLED/);
      });
      await check('stop() gives a loop back', async () => {
        const job = await queue.add('job', { kind: 'loop' });
        await until(() => run.pool.state.queue.active === 1, 'the loop');
        await run.stop({ timeoutMs: 100 });
        assert.equal(await job.getState(), 'waiting');
        assert.equal((await queue.getJob(job.id)).attemptsMade, 0);
        assert.deepEqual(errors, []);
      });
      await queue.obliterate({ force: true });
      await queue.close();
    });
  }
}
