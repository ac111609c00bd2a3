'use strict';
// Processes of a sandbox: each serves one key, or one job without a key, and makes
// room for others.

const {
  SandboxWorkers,
} = require('../../../../lib/executors/sandbox/sandbox-workers.js');

const SANDBOX = { spares: 0, maxProcesses: undefined, isOfWorker: false };

/** As PoolWorker, as far as its place among others depends on it. */
class FakeWorker {
  isReady = true;
  load = 0;
  leaving = false;

  get isFree() {
    return this.isReady && this.load === 0 && !this.leaving;
  }

  get isIdle() {
    return this.isFree;
  }

  get isStarting() {
    return !this.isReady && !this.leaving;
  }

  leave() {
    this.leaving = true;
  }

  hold() {}
}

function workers(max, sandbox) {
  return new SandboxWorkers(max, class {}, {
    sandbox: { ...SANDBOX, ...sandbox },
  });
}

function add(all, count = 1) {
  const added = Array.from({ length: count }, () => new FakeWorker());
  for (const each of added) all.add(each);
  return added;
}

/** Gives a free one the job, as pools do, which is over at once or runs on. */
function run(all, key, load = 0) {
  const worker = all.free({ key });
  if (worker === undefined) return undefined;
  all.taken(worker, { key });
  worker.load = load;
  return worker;
}

describe('who gets a process', () => {
  test('that has run nothing: any key, once', () => {
    const all = workers(2);
    const [one, other] = add(all, 2);
    expect(all.spares).toBe(2);
    expect(run(all, 'a')).toBe(one);
    expect(all.spares).toBe(1);
    expect(run(all, 'b')).toBe(other);
    expect(all.spares).toBe(0);
    expect(run(all, 'c')).toBeUndefined();
    expect([run(all, 'b'), run(all, 'a')]).toEqual([other, one]);
  });

  test('of its key, before one that has run nothing', () => {
    const all = workers(3);
    const [, other] = add(all, 3);
    run(all, 'a');
    run(all, 'b');
    expect(run(all, 'b')).toBe(other);
    expect(all.spares).toBe(1);
  });

  test('that has served a job without a key: nobody', () => {
    const all = workers(3);
    const [one, other] = add(all, 2);
    expect(run(all)).toBe(one);
    expect([all.isSpent(one), all.isSpent(other)]).toEqual([true, false]);
    expect(run(all)).toBe(other);
    expect(run(all)).toBeUndefined();
    expect(run(all, 'a')).toBeUndefined();
  });

  test('that serves a key is not spent by a job', () => {
    const all = workers(1);
    const [one] = add(all);
    run(all, 'a');
    expect(all.isSpent(one)).toBe(false);
  });

  test('while as many jobs run as may: nobody', () => {
    const all = workers(2, { spares: 1 });
    const [one] = add(all, 3);
    run(all, 'a', 1);
    run(all, 'b', 1);
    expect(all.free({ key: 'c' })).toBeUndefined();
    one.load = 0;
    expect(all.free({ key: 'a' })).toBe(one);
  });

  test('of a Worker: each job', () => {
    const all = workers(1, { isOfWorker: true });
    const [one] = add(all);
    expect(run(all)).toBe(one);
    expect(all.isSpent(one)).toBe(false);
    expect(run(all)).toBe(one);
    expect(run(all, 'a')).toBe(one);
  });
});

describe('how many there may be', () => {
  test.each([
    ['as many as run jobs, and spares', 2, { spares: 3 }, 5],
    ['what the option says', 2, { spares: 3, maxProcesses: 4 }, 4],
    ['at least as many as run jobs', 3, { maxProcesses: 1 }, 3],
  ])('%s', (_what, max, sandbox, most) => {
    const all = workers(max, sandbox);
    add(all, most - 1);
    expect([all.hasRoom, all.hasSurplus]).toEqual([true, false]);
    const [last] = add(all);
    expect([all.hasRoom, all.hasSurplus]).toEqual([false, false]);
    add(all);
    expect([all.hasRoom, all.hasSurplus]).toEqual([false, true]);
    last.leave();
    expect(all.hasSurplus).toBe(false);
  });
});

describe('another is wanted', () => {
  test('for each job that waits, and that may run', () => {
    const all = workers(3);
    expect(all.wantsMore(0)).toBe(false);
    expect(all.wantsMore(1)).toBe(true);
    const [one] = add(all);
    one.isReady = false;
    expect(all.wantsMore(1)).toBe(false);
    expect(all.wantsMore(2)).toBe(true);
    one.isReady = true;
    expect(all.wantsMore(1)).toBe(false);
    run(all, 'a', 1);
    expect(all.wantsMore(1)).toBe(true);
    add(all, 2);
    // No more than these may run beside it.
    expect(all.wantsMore(9)).toBe(false);
  });

  test('as a spare, from the first job on, one at a time', () => {
    const all = workers(1, { spares: 2 });
    expect(all.wantsMore(0)).toBe(false);
    add(all);
    expect(all.wantsMore(0)).toBe(false);
    run(all, 'a', 1);
    expect(all.wantsMore(0)).toBe(true);
    const [spare] = add(all);
    spare.isReady = false;
    expect(all.wantsMore(0)).toBe(false);
    spare.isReady = true;
    expect(all.wantsMore(0)).toBe(true);
    add(all);
    expect(all.wantsMore(0)).toBe(false);
  });

  test('as a spare, only where there is room beside keys', () => {
    const all = workers(1, { spares: 1 });
    add(all, 2);
    run(all, 'a');
    run(all, 'b');
    expect(all.wantsMore(0)).toBe(false);
    expect([...all].filter(({ leaving }) => leaving)).toEqual([]);
  });

  test('as a spare never of a Worker', () => {
    const all = workers(1, { spares: 1, isOfWorker: true });
    add(all);
    run(all);
    expect(all.wantsMore(0)).toBe(false);
  });

  test.each([
    ['stops', (all) => all.leave()],
    ['is idle', (all) => all.endSurplus(0)],
  ])('as a spare no longer when the pool %s', (_what, end) => {
    const all = workers(1, { spares: 1 });
    const [one] = add(all);
    run(all, 'a');
    expect(all.wantsMore(0)).toBe(true);
    end(all);
    expect(one.leaving).toBe(true);
    all.delete(one);
    expect(all.wantsMore(0)).toBe(false);
  });
});

describe('room for another key', () => {
  const leaving = (all) => [...all].map((each) => each.leaving);

  test('is that of the key whose last job is longest ago', () => {
    const all = workers(3, { maxProcesses: 3 });
    add(all, 3);
    for (const key of ['a', 'b', 'c', 'b', 'a']) run(all, key);
    expect(all.wantsMore(1)).toBe(true);
    expect(leaving(all)).toEqual([false, false, true]);
  });

  test('is made once, until that one has gone', () => {
    const all = workers(2, { maxProcesses: 2 });
    const [one] = add(all, 2);
    run(all, 'a');
    run(all, 'b');
    all.wantsMore(1);
    all.wantsMore(1);
    expect(leaving(all)).toEqual([true, false]);
    all.delete(one);
    expect(all.hasRoom).toBe(true);
    expect(all.wantsMore(1)).toBe(true);
    expect(leaving(all)).toEqual([false]);
  });

  test('is no busy one’s, and none’s that has run nothing', () => {
    const all = workers(4, { maxProcesses: 4 });
    add(all, 4);
    run(all, 'a', 1);
    run(all, 'b');
    run(all, 'c');
    expect(all.wantsMore(3)).toBe(true);
    expect(leaving(all)).toEqual([false, true, false, false]);
  });

  test('is nobody’s while all are busy', () => {
    const all = workers(2, { maxProcesses: 2 });
    add(all, 2);
    run(all, 'a', 1);
    run(all, 'b', 1);
    expect(all.wantsMore(1)).toBe(false);
    expect(leaving(all)).toEqual([false, false]);
  });
});
