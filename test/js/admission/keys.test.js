'use strict';
// Jobs with a key, under an executor like that of a pool, which starts them
// when told to: what it gets, in which order, and which of them a stop ends.

const { Admission } = require('../../../lib/admission/admission.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { Job } = require('../../../lib/admission/job.js');
const { NO_OPERATION } = require('../../../lib/admission/operation.js');
const { Outcome } = require('../../../lib/errors/outcome.js');
const { PullingExecutor } = require('./pulling-executor.js');
const { readOperation } = require('../../../lib/admission/read-operation.js');

class KeyedJob extends Job {
  prev = null;
  next = null;
  key = null;
  lane = null;
  laneState = 0;
  stash = null;
  waitedMs = 0;
  home = 0;
  priority = 4;
  weight = 1;

  constructor(name, { operation = NO_OPERATION, ...fields }) {
    super(operation, 8);
    this.name = name;
    this.key = name[0];
    Object.assign(this, fields);
  }
}

function setUp(options, perKey) {
  const executor = new PullingExecutor();
  const admission = new Admission({
    name: 'pool:pool',
    maxQueued: 100,
    concurrency: 1,
    overflow: 'reject',
    maxBackpressureWaiters: 4,
    executor,
    perKey: { maxPerKey: 1, maxQueuedPerKey: Infinity, ...perKey },
    ...options,
  });
  const rejected = [];
  /** Submits jobs of these names, whose first letters are their keys. */
  const submit = (names, fields = {}) =>
    names.split(' ').map((name) => {
      const job = new KeyedJob(name, fields);
      job.promise = admission.admit(job);
      job.promise.catch(({ code }) => rejected.push(`${name} ${code}`));
      return job;
    });
  const finish = (job) => {
    executor.running.delete(job);
    admission.finish(job, Outcome.Completed, job.name);
  };
  const names = () => executor.queue.map(({ name }) => name).join(' ');
  /** Runs all jobs, one at a time. */
  const order = () => {
    const started = [];
    while (executor.queue.length > 0) {
      const job = executor.pull();
      started.push(job.name);
      finish(job);
    }
    return started.join(' ');
  };
  return { admission, executor, submit, finish, names, order, rejected };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('the executor has as many jobs of a key as may run, the oldest', () => {
  const { admission, submit, executor, finish, names } = setUp(
    {},
    { maxPerKey: 2 },
  );
  submit('a1 a2 a3 b1 a4');
  expect(names()).toBe('a1 a2 b1');
  expect(admission.lanes.snapshot()).toEqual({ active: 2, held: 2 });
  expect(admission.snapshot()).toMatchObject({ active: 1, queued: 4 });
  finish(executor.pull());
  expect(names()).toBe('a2 b1 a3');
  expect(admission.lanes.snapshot()).toEqual({ active: 2, held: 1 });
});

test('jobs that are held back count as queued though nothing else runs', () => {
  const { admission, submit } = setUp({ concurrency: 4 });
  submit('a1 a2 a3');
  expect(admission.snapshot()).toMatchObject({ active: 1, queued: 2 });
  expect(admission.hasQueued).toBe(true);
});

test('the executor has two jobs for each that runs, and 14 more', () => {
  const { submit, executor, finish } = setUp({ concurrency: 2 });
  const keys = Array.from('abcdefghijklmnopqrstuvwxy');
  submit(keys.join(' '));
  expect(executor.queue.length).toBe(18);
  finish(executor.pull());
  expect(executor.queue.length).toBe(18);
  expect(executor.queue.at(-1).name).toBe('s');
});

test('while a key has a weight it has those that run', () => {
  const { submit, executor, finish, names, order } = setUp({ concurrency: 2 });
  submit('a', { weight: 2 });
  submit('b c d');
  expect(names()).toBe('a b');
  finish(executor.pull());
  // The key with a weight has no job left.
  expect(names()).toBe('b c d');
  expect(order()).toBe('b c d');
});

test('a key that has had a weight is as any other when it comes again', () => {
  const { submit, order, names } = setUp({ concurrency: 1 }, { maxPerKey: 2 });
  submit('a1', { weight: 3 });
  expect(order()).toBe('a1');
  submit('a2 b1 b2 a3');
  expect(names()).toBe('a2 b1 b2 a3');
});

test('a turn is as long as the weight', () => {
  const { submit, order } = setUp({}, { maxPerKey: 9 });
  submit('z');
  submit('a1 a2 a3 a4 a5', { weight: 2 });
  submit('b1 b2 b3');
  expect(order()).toBe('z a1 a2 b1 a3 a4 b2 a5 b3');
});

test('a smaller weight ends a turn that was longer', () => {
  const { submit, order } = setUp({}, { maxPerKey: 9 });
  submit('a1 a2 a3 a4', { weight: 4 });
  submit('b1 b2');
  submit('a5', { weight: 1 });
  expect(order()).toBe('a1 a2 b1 a3 b2 a4 a5');
});

test('a full key is refused, before and after it had room', () => {
  const { admission, submit, executor, finish } = setUp(
    {},
    { maxPerKey: 1, maxQueuedPerKey: 1 },
  );
  submit('a1 a2 b1');
  const refused = () => submit('a3');
  expect(refused).toThrow(`${Code.QueueFull}: work queue is full for this key`);
  expect(admission.snapshot().stats).toMatchObject({
    enqueued: 3,
    overflow: 1,
  });
  finish(executor.pull());
  submit('a4');
  expect(refused).toThrow(Code.QueueFull);
});

test('a refused job of a key leaves no listener', () => {
  const { submit } = setUp({}, { maxQueuedPerKey: 0 });
  submit('a1');
  const listeners = new Set();
  const signal = {
    aborted: false,
    addEventListener: (_type, listener) => listeners.add(listener),
    removeEventListener: (_type, listener) => listeners.delete(listener),
  };
  const operation = readOperation({ signal });
  expect(() => submit('a2', { operation })).toThrow(Code.QueueFull);
  expect(listeners.size).toBe(0);
});

test('a job that found no place is none of its key', () => {
  const { admission, submit } = setUp(
    { maxQueued: 0 },
    { maxPerKey: 1, maxQueuedPerKey: 1 },
  );
  submit('b1');
  for (let i = 0; i < 4; i += 1) {
    expect(() => submit('a1')).toThrow('work queue is full');
  }
  expect(admission.lanes.snapshot()).toEqual({ active: 1, held: 0 });
});

test('a job is no more urgent than those of its key before it', () => {
  const { submit, executor } = setUp({}, { maxPerKey: 3 });
  submit('a1', { priority: 7 });
  submit('a2', { priority: 0 });
  submit('b1', { priority: 0 });
  expect(executor.queue.map(({ priority }) => priority)).toEqual([7, 7, 0]);
});

test('and as urgent as it says once those have ended', () => {
  const { submit, executor, finish } = setUp();
  submit('a1', { priority: 7 });
  submit('a2', { priority: 0 });
  finish(executor.pull());
  expect(executor.queue[0]).toMatchObject({ name: 'a2', priority: 0 });
});

test('a job whose turn comes while its input is copied is sent', () => {
  const { submit, executor, finish, names } = setUp();
  submit('a1');
  const first = executor.pull();
  // A getter of the input of the second ends the first.
  executor.keep = () => finish(first);
  submit('a2');
  expect(names()).toBe('a2');
});

test('a job that comes while others have their turns overtakes none', () => {
  const { submit, executor, finish, names } = setUp();
  submit('a1', { weight: 2 });
  const first = executor.pull();
  let read = () => {};
  const operation = readOperation({
    signal: {
      get aborted() {
        read();
        return false;
      },
    },
  });
  submit('b1', { operation });
  submit('d1');
  read = () => {
    read = () => {};
    submit('c1');
  };
  finish(first);
  expect(names()).toBe('b1 d1 c1');
});

test('any number of held jobs may end while they are submitted', () => {
  const { admission, submit, executor, finish } = setUp({ maxQueued: 1e5 });
  submit('a1');
  const first = executor.pull();
  submit(Array.from({ length: 20_000 }, (_, i) => `a${i + 2}`).join(' '));
  let ended = 0;
  executor.submit = (job) => {
    ended += 1;
    admission.finish(job, Outcome.Completed);
  };
  finish(first);
  expect(ended).toBe(20_000);
  expect(admission.inFlight).toBe(0);
});

test('only where the executor remembers workers a key has a number', () => {
  const plain = setUp();
  plain.submit('a1');
  expect(plain.executor.queue[0].home).toBe(0);
  const { submit, executor } = setUp({}, { affinity: true, maxPerKey: 2 });
  submit('a1 b1 a2 c1');
  expect(executor.queue.map(({ home }) => home)).toEqual([1, 2, 1, 3]);
});

test('a held job whose signal is cancelled makes room, and leaves its turn', async () => {
  const { admission, submit, order, rejected } = setUp();
  const controller = new AbortController();
  submit('a1');
  submit('a2', {
    operation: readOperation({ signal: controller.signal }),
  });
  submit('a3');
  controller.abort();
  await settled();
  expect(rejected).toEqual([`a2 ${Code.JobCancelled}`]);
  expect(admission.lanes.snapshot()).toEqual({ active: 1, held: 1 });
  expect(order()).toBe('a1 a3');
  expect(admission.lanes.snapshot()).toEqual({ active: 0, held: 0 });
});

test('a held job whose time is over is not sent', async () => {
  const { submit, order, rejected } = setUp();
  const signal = { isCancelled: false, reason: undefined };
  submit('a1');
  // A signal without listeners says so only when it is read.
  const operation = readOperation({
    signal: {
      get aborted() {
        return signal.isCancelled;
      },
    },
  });
  submit('a2', { operation });
  submit('a3');
  signal.isCancelled = true;
  expect(order()).toBe('a1 a3');
  await settled();
  expect(rejected).toEqual([`a2 ${Code.JobCancelled}`]);
});

test('a job whose submission fails at any point is none of its key', () => {
  const { admission, submit, order } = setUp();
  submit('a1');
  // The same happens where the stack is at its end.
  const metrics = {
    waiting() {
      throw new RangeError('the stack');
    },
  };
  expect(() => submit('a2', { metrics })).toThrow('the stack');
  expect(admission.lanes.snapshot()).toEqual({ active: 1, held: 0 });
  submit('a3');
  expect(order()).toBe('a1 a3');
  expect(admission.lanes.snapshot()).toEqual({ active: 0, held: 0 });
});

describe('stop without drain', () => {
  test('rejects what is held back in the order of the calls', async () => {
    const { admission, executor, submit, finish, rejected } = setUp();
    submit('a1 b1 a2 b2 a3');
    executor.pull();
    const stop = admission.stop({ drain: false });
    await settled();
    expect(rejected).toEqual(
      ['b1', 'a2', 'b2', 'a3'].map(
        (name) => `${name} ${Code.ShutdownCancelled}`,
      ),
    );
    finish([...executor.running][0]);
    expect(await stop).toEqual({ cancelled: 4, forced: 0 });
  });

  test('rejects what is held back beside free places', async () => {
    const { admission, executor, submit, finish, rejected } = setUp({
      concurrency: 4,
    });
    submit('a1 a2 a3 b1');
    const stop = admission.stop({ drain: false });
    await settled();
    expect(rejected.length).toBe(2);
    expect(executor.queue.map(({ name }) => name)).toEqual(['a1', 'b1']);
    finish(executor.pull());
    finish(executor.pull());
    expect(await stop).toEqual({ cancelled: 2, forced: 0 });
  });
});
