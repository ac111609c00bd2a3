'use strict';
// The parts of a pool of threads or processes, each by itself.

const {
  JobQueue,
  PINNED,
  QUEUED,
  RUNNING,
  GONE,
} = require('../../../../lib/executors/owned/job-queue.js');
const {
  KnownEntries,
} = require('../../../../lib/executors/owned/known-entries.js');
const {
  PinnedJobs,
} = require('../../../../lib/executors/owned/pinned-jobs.js');
const {
  RunningJobs,
} = require('../../../../lib/executors/owned/running-jobs.js');
const {
  inStartOrder,
  rank,
} = require('../../../../lib/executors/start-order.js');

let lastId = 0;
function jobWith({ priority = 4, expiresAt = Infinity, ...more } = {}) {
  lastId += 1;
  return {
    id: lastId,
    priority,
    operation: { expiresAt },
    slot: GONE,
    ...more,
  };
}

describe('JobQueue', () => {
  const taken = (queue) => {
    const ids = [];
    while (queue.size > 0) ids.push(queue.take().id);
    return ids;
  };

  test('is in the order of priorities, then of arrivals', () => {
    const queue = new JobQueue({});
    const [late, low, high, early] = [
      jobWith(),
      jobWith({ priority: 5 }),
      jobWith({ priority: 3 }),
      jobWith(),
    ];
    for (const job of [low, early, late, high]) queue.push(job);
    expect(queue.first).toBe(high);
    expect(queue.isBefore(early, late)).toBe(true);
    expect(queue.isBefore(late, early)).toBe(false);
    expect(queue.isBefore(early, early)).toBe(false);
    expect(taken(queue)).toEqual([high.id, early.id, late.id, low.id]);
  });

  test('is in the order of deadlines where the pool wants that', () => {
    const queue = new JobQueue({ order: 'deadline' });
    const jobs = [Infinity, 20, 10, 20, Infinity].map((expiresAt) =>
      jobWith({ expiresAt }),
    );
    for (const job of jobs) queue.push(job);
    const [never, twenty, ten, again, ever] = jobs.map(({ id }) => id);
    expect(taken(queue)).toEqual([ten, twenty, again, never, ever]);
  });

  test('its first jobs stay', () => {
    const queue = new JobQueue({});
    const jobs = [1, 2, 3].map((priority) => jobWith({ priority }));
    for (const job of jobs) queue.push(job);
    expect(queue.firsts(0)).toEqual([]);
    expect(queue.firsts(2)).toEqual(jobs.slice(0, 2));
    expect(queue.firsts(9)).toEqual(jobs);
    expect(queue.size).toBe(3);
    expect(jobs.map(({ slot }) => slot)).toEqual([QUEUED, QUEUED, QUEUED]);
    expect(taken(queue)).toEqual(jobs.map(({ id }) => id));
  });

  test('a job that is removed, or was taken, is not here', () => {
    const queue = new JobQueue({});
    const [a, b] = [jobWith(), jobWith()];
    queue.push(a);
    queue.push(b);
    expect(queue.remove(a)).toBe(true);
    expect(a.slot).toBe(GONE);
    expect(queue.remove(a)).toBe(false);
    expect(queue.take()).toBe(b);
    expect(b.slot).toBe(RUNNING);
    expect(queue.remove(b)).toBe(false);
    expect(queue.first).toBeUndefined();
  });
});

describe('the order of starts', () => {
  test('a job gains a priority by waiting', () => {
    const settings = { agingMs: 1000 };
    const [first, urgent] = [
      jobWith({ priority: 5 }),
      jobWith({ priority: 4 }),
    ];
    for (const job of [first, urgent]) rank(job, settings);
    expect(first.rank - urgent.rank).toBeGreaterThan(0);
    first.rank -= 1000;
    expect(inStartOrder([urgent, first], settings)).toEqual([first, urgent]);
    first.rank = urgent.rank;
    expect(inStartOrder([first, urgent], settings)).toEqual([urgent, first]);
    expect(rank(first, settings)).toBeUndefined();
    expect(first.rank).toBeGreaterThanOrEqual(5000);
  });

  test('equal ones start as they came', () => {
    const jobs = [jobWith(), jobWith(), jobWith()];
    expect(inStartOrder([...jobs].reverse(), {})).toEqual(jobs);
    const settings = { order: 'deadline' };
    expect(inStartOrder([...jobs].reverse(), settings)).toEqual(jobs);
  });
});

describe('RunningJobs', () => {
  test('one at a time', () => {
    const running = new RunningJobs(1);
    expect([running.room, running.areShared, running.size]).toEqual([
      1,
      false,
      0,
    ]);
    expect(running.oldest).toBeUndefined();
    const job = jobWith();
    const seq = running.nextNumber();
    running.begin(seq, job);
    expect(running.room).toBe(0);
    const record = running.numbered(seq);
    expect(record).toEqual({
      job,
      seq,
      timer: undefined,
      isToldBegun: false,
      isEnding: false,
      isOver: false,
    });
    expect(running.of(job)).toBe(record);
    expect(running.of(jobWith())).toBeUndefined();
    expect(running.isPast(record)).toBe(false);
    // Another one has begun meanwhile.
    const next = running.nextNumber();
    expect(next).toBe(seq + 1);
    running.begin(next, jobWith());
    expect(running.isPast(record)).toBe(true);
    expect(running.isPast(running.numbered(next))).toBe(false);
    expect(running.oldest).toBe(record);
    running.end(record);
    expect(running.size).toBe(1);
    expect(running.numbered(seq)).toBeUndefined();
  });

  test('several', () => {
    const running = new RunningJobs(2);
    expect(running.areShared).toBe(true);
    const jobs = [jobWith(), jobWith()];
    const cancels = [];
    for (const job of jobs) running.begin(running.nextNumber(), job);
    expect(running.room).toBe(0);
    expect(running.isPast(running.of(jobs[0]))).toBe(false);
    expect(running.isOneOver).toBe(false);
    running.of(jobs[1]).isOver = true;
    expect(running.isOneOver).toBe(true);
    for (const job of jobs) {
      running.of(job).timer = { cancel: () => cancels.push(job) };
    }
    expect(running.takeAll()).toEqual(jobs);
    expect(cancels).toEqual(jobs);
    expect(running.size).toBe(0);
    expect(running.isOneOver).toBe(false);
  });
});

describe('KnownEntries', () => {
  const entry = (id, length = 1) => ({ id, text: 'x'.repeat(length) });
  const none = () => false;

  test('forget what was used longest ago', () => {
    const known = new KnownEntries(1);
    expect(known.has(1)).toBe(false);
    expect(known.use(entry(1, 10), none)).toEqual([]);
    expect(known.has(1)).toBe(true);
    let forgotten = [];
    let last = 1;
    while (forgotten.length === 0) {
      last += 1;
      expect(known.use(entry(1, 10), none)).toEqual([]);
      forgotten = known.use(entry(last, 1000), none);
      expect(last).toBeLessThan(10_000);
    }
    expect(forgotten).toEqual([2]);
    expect(known.has(1)).toBe(true);
    expect(known.has(2)).toBe(false);
    expect(known.has(last)).toBe(true);
  });

  test('the one that is used is kept, however long', () => {
    const known = new KnownEntries(1);
    known.use(entry(1), none);
    known.use(entry(2), none);
    expect(known.use(entry(3, 2 ** 22), none)).toEqual([1, 2]);
    expect(known.has(3)).toBe(true);
    expect(known.use(entry(4), none)).toEqual([3]);
    expect(known.use(entry(5), none)).toEqual([]);
  });

  test('those that jobs need which have not begun are kept', () => {
    const known = new KnownEntries(1);
    for (const id of [1, 2, 3]) known.use(entry(id), none);
    const isNeeded = (id) => id === 2;
    expect(known.use(entry(4, 2 ** 22), isNeeded)).toEqual([1, 3]);
    expect(known.has(2)).toBe(true);
    expect(known.use(entry(5), none)).toEqual([2, 4]);
  });

  test('a text that became longer or shorter counts as it is', () => {
    const known = new KnownEntries(1);
    known.use(entry(1, 2 ** 22), none);
    known.use(entry(1, 1), none);
    expect(known.use(entry(2), none)).toEqual([]);
    expect(known.has(1)).toBe(true);
  });

  test('no more than so many, however short', () => {
    const known = new KnownEntries(2 ** 20);
    let count = 0;
    while (known.use(entry(count, 0), none).length === 0) {
      count += 1;
      expect(count).toBeLessThan(100_000);
    }
    expect(known.has(0)).toBe(false);
    expect(known.has(1)).toBe(true);
    expect(known.use(entry(count + 1, 0), none)).toEqual([1]);
  });
});

describe('PinnedJobs', () => {
  function open() {
    const calls = [];
    const pool = {
      pin: (job, { push }) => {
        calls.push(job);
        push();
      },
      dispatch: () => calls.push('dispatch'),
    };
    return { calls, pinned: new PinnedJobs(pool, { numbers: () => [1, 2] }) };
  }

  test('wait for their worker, in the order of their rounds', () => {
    const { calls, pinned } = open();
    const [a, b, c, other] = [1, 2, 3, 4].map(() => jobWith());
    pinned.submit(b, 1, 5);
    pinned.submit(a, 1, 4);
    pinned.submit(c, 1, 5);
    pinned.submit(other, 2, 1);
    pinned.flush();
    expect(calls).toEqual([b, a, c, other, 'dispatch']);
    expect(pinned.numbers()).toEqual([1, 2]);
    expect(b.slot).toBe(PINNED);
    expect(pinned.has(1)).toBe(true);
    expect(pinned.has(3)).toBe(false);
    expect(pinned.waiting(1, [a, other, c])).toEqual([a, c]);
    expect(pinned.waiting(3, [a])).toEqual([]);
    expect([1, 2, 3].map(() => pinned.take(1))).toEqual([a, b, c]);
    expect(a.slot).toBe(RUNNING);
    expect(pinned.has(1)).toBe(false);
    expect(pinned.take(1)).toBeUndefined();
    expect(pinned.take(2)).toBe(other);
  });

  test('are removed before they were taken', () => {
    const { pinned } = open();
    const [a, b, c] = [1, 2, 3].map(() => jobWith());
    pinned.submit(c, 2, 1);
    pinned.submit(a, 1, 1);
    pinned.submit(b, 1, 1);
    expect(pinned.remove(b)).toBe(true);
    expect(pinned.take(1)).toBe(a);
    expect(pinned.has(1)).toBe(false);
    expect(pinned.remove(a)).toBe(false);
    expect(pinned.remove(c)).toBe(true);
    expect(pinned.has(2)).toBe(false);
    expect(pinned.remove(jobWith())).toBe(false);
  });
});
