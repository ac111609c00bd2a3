'use strict';
// A claim finds what other operations of its transaction have left, and tells
// of a job that has run before.

const { Code, refuse } = require('../../../lib/adapters/sqlite/refusals.js');
const { drain } = require('../../../lib/adapters/sqlite/admin.js');
const { moveToActive } = require('../../../lib/adapters/sqlite/claim.js');
const { files, next, withDriver } = require('./sqlite-support.js');

/** Due at the second millisecond of 1970. */
const DUE = { name: 'a', data: '{}', opts: { delay: 1 }, timestamp: 1 };
const LATER = { ...DUE, opts: { delay: 1e13 } };

withDriver('driver %s', (driver) => {
  const { backend, queue, worker } = files(driver);
  const idsOf = (claims) => claims.map(([, id]) => id);

  test('a job that became due in the transaction of a claim', async () => {
    const own = backend();
    await own.waitUntilReady();
    const [none, id, found, rest] = await Promise.all([
      own.moveToActive('first'),
      own.addJob(DUE, ''),
      own.moveToActive('second'),
      own.moveToActive('third'),
    ]);
    expect(none[0]).toBe(null);
    expect(idsOf([found, rest])).toEqual([id, '']);
  });

  test('jobs that are due and jobs that are not', async () => {
    const own = backend();
    const adding = [LATER, DUE, LATER, DUE].map((job) => own.addJob(job, ''));
    const ids = await Promise.all(adding);
    const claims = [1, 2, 3].map((n) => own.moveToActive(`token ${n}`));
    expect(idsOf(await Promise.all(claims))).toEqual([ids[1], ids[3], '']);
  });

  test('a job whose removal was undone is still found when it is due', async () => {
    const own = backend();
    const id = await own.addJob(DUE, '');
    const args = { token: 'a', lockMs: 1000 };
    // It sees a queue without a job, and fails.
    const undone = own.write((tx, given) => {
      drain(tx, { ...given, isDelayed: true, count: 9 });
      expect(moveToActive(tx, { ...given, ...args }).job).toBe(undefined);
      refuse(Code.Missing);
    }, {});
    const claim = own.moveToActive('second');
    await expect(undone).rejects.toThrow();
    expect((await claim)[1]).toBe(id);
  });

  test('a job that has run before is claimed with all that it has', async () => {
    const own = queue();
    const seen = [];
    const run = async (job) => {
      const { progress, failedReason, stacktrace, attemptsMade } = job;
      seen.push({ progress, failedReason, attemptsMade });
      seen.at(-1).traces = stacktrace.length;
      seen.at(-1).deduplicationId = job.deduplicationId;
      await job.updateProgress({ done: seen.length });
      if (seen.length < 3) throw new Error(`failure ${seen.length}`);
    };
    const opts = { attempts: 3, deduplication: { id: 'one' } };
    await own.add('a', {}, opts);
    await next(worker(run), 'completed');
    const deduplicationId = 'one';
    expect(seen).toEqual([
      ...[{ progress: 0, attemptsMade: 0, traces: 0, deduplicationId }],
      {
        ...{ progress: { done: 1 }, failedReason: 'failure 1', traces: 1 },
        ...{ attemptsMade: 1, deduplicationId },
      },
      {
        ...{ progress: { done: 2 }, failedReason: 'failure 2', traces: 2 },
        ...{ attemptsMade: 2, deduplicationId },
      },
    ]);
  });
});
