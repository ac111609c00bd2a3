'use strict';
// The facts that a processor learns from the Worker that it is attached to.

const { processor } = require('../../../lib/adapters/bullmq.js');
const { WorkerPool } = require('../../../lib/index.js');
const {
  FakeJob,
  FakeWorker,
  fixture,
  rejection,
  until,
} = require('./support.js');

const open = [];
const make = (options) => {
  const run = processor(fixture('sandbox.cjs'), options);
  open.push(run);
  return run;
};
const loop = (more) => new FakeJob({ kind: 'loop' }, more);
const busy = (run) => until(() => run.pool.state.queue.active === 1);

afterEach(async () => {
  await Promise.all(open.splice(0).map((run) => run.stop({ timeoutMs: 0 })));
});

test('a job is ended before a lock that nobody renews is over', async () => {
  const run = make();
  run.attach(new FakeWorker({ lockDuration: 400 }));
  const began = performance.now();
  const fake = loop({ processedOn: Date.now() });
  const error = await rejection(run(fake, 'token'));
  expect(error.name).toBe('WaitingError');
  // The lock has to be waited for, but its end must not be reached.
  expect(performance.now() - began).toBeGreaterThan(300);
  expect(fake.of('moveToWait')).toEqual([]);
});

test('a renewed lock keeps its job', async () => {
  const run = make();
  const worker = run.attach(new FakeWorker({ lockDuration: 4000 }));
  const controller = new AbortController();
  // No time but what is added: a busy machine renews late.
  let now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    const end = rejection(run(loop(), 'token', controller.signal));
    await busy(run);
    for (let time = 0; time < 3; time++) {
      now += 3000;
      // The guard looks at the lock within this time.
      await new Promise((resolve) => setTimeout(resolve, 200));
      await worker.extendJobLocks(['1'], ['token'], 4000);
    }
    controller.abort();
    expect((await end).code).toBe('SLOPPY_E_WORK_JOB_CANCELLED');
  } finally {
    clock.mockRestore();
  }
});

test('the time of the request counts, not the one of the answer', async () => {
  const run = make();
  const worker = new FakeWorker({ lockDuration: 4000 });
  let answer;
  worker.extendJobLocks = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  run.attach(worker);
  const end = rejection(run(loop({ processedOn: Date.now() }), 'token'));
  await busy(run);
  let now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    const renewal = worker.extendJobLocks(['1'], ['token'], 4000);
    now += 3500;
    answer([]);
    await renewal;
    // The end would be far away if it counted from the answer.
    now += 300;
    expect((await end).name).toBe('WaitingError');
  } finally {
    clock.mockRestore();
  }
});

test('a lock that another has ends the job, and nothing is written', async () => {
  const run = make();
  const worker = run.attach(new FakeWorker());
  const fake = loop();
  const end = rejection(run(fake, 'token'));
  await busy(run);
  worker.emit('lockRenewalFailed', ['other']);
  worker.emit('lockRenewalFailed', ['1']);
  expect((await end).name).toBe('WaitingError');
  expect(fake.calls).toEqual([]);
});

test('close() ends what runs on after closeTimeoutMs, and gives it back', async () => {
  const run = make({ closeTimeoutMs: 30 });
  const worker = run.attach(new FakeWorker());
  const fake = loop();
  const end = rejection(run(fake, 'token'));
  await busy(run);
  await worker.close();
  expect((await end).name).toBe('WaitingError');
  expect(fake.of('moveToWait')).toHaveLength(1);
});

test('closed: what is left is ended, the pool with the last Worker', async () => {
  const run = make({ closeTimeoutMs: Infinity });
  const workers = [run.attach(new FakeWorker()), run.attach(new FakeWorker())];
  const end = rejection(run(loop(), 'token'));
  await busy(run);
  workers[0].emit('closed');
  expect((await end).name).toBe('WaitingError');
  expect(run.pool.state.queue.stopped).toBe(false);
  workers[1].emit('closed');
  await until(() => run.pool.state.queue.stopped);
});

test('stop() closes the Workers', async () => {
  const run = make();
  const worker = run.attach(new FakeWorker());
  let isClosing = false;
  worker.on('closing', () => {
    isClosing = true;
  });
  await run.stop();
  expect(isClosing).toBe(true);
});

describe('warnings', () => {
  const warnings = [];
  beforeEach(() => {
    warnings.length = 0;
    jest
      .spyOn(process, 'emitWarning')
      .mockImplementation((_text, { code }) => warnings.push(code));
  });
  afterEach(() => jest.restoreAllMocks());

  test.each([
    [{ maxStalledCount: 1 }, 1, ['SLOPPY_W_MAX_STALLED_COUNT']],
    [{}, 3, ['SLOPPY_W_CONCURRENCY']],
    [{ skipLockRenewal: true }, 1, ['SLOPPY_W_SKIP_LOCK_RENEWAL']],
    [{}, 2, []],
  ])('%j, concurrency %d', (opts, concurrency, expected) => {
    const worker = new FakeWorker(opts);
    worker.concurrency = concurrency;
    make({ workers: 2 }).attach(worker);
    expect(warnings).toEqual(expected);
  });
});

test('what is no Worker is refused', () => {
  expect(() => make().attach({})).toThrow(TypeError);
});

describe('options', () => {
  test.each([
    [fixture('sandbox.cjs'), { timeout: 1 }, /no option "timeout"/],
    [fixture('sandbox.cjs'), { host: {} }, /no option "host" for a file/],
    [fixture('sandbox.cjs'), { init: {} }, /no option "init" for a file/],
    [fixture('sandbox.cjs'), { timeoutMs: -1 }, /timeoutMs/],
    [fixture('sandbox.cjs'), { retry: 1 }, /retry must be a function/],
    [
      fixture('sandbox.cjs'),
      { logs: true, concurrentJobsPerWorker: 2 },
      /logs/,
    ],
    [fixture('sandbox.cjs'), { closeTimeoutMs: 'x' }, /closeTimeoutMs/],
    [fixture('sandbox.cjs'), [], /plain object/],
    [fixture('sandbox.cjs'), { workers: 0 }, /workers/],
    [fixture('missing.cjs'), {}, /missing\.cjs does not exist/],
    [new URL('https://example.org/x.js'), {}, /file: URL/],
    [{}, {}, /a file, a URL or a WorkerPool/],
  ])('%s with %j', (target, options, text) => {
    expect(() => processor(target, options)).toThrow(text);
  });

  test('a pool has its own', async () => {
    const pool = WorkerPool.create('own');
    const make = () => processor(pool, { workers: 2 });
    expect(make).toThrow(/no option "workers"/);
    await pool.stop();
  });

  test('the file name may leave out its extension, as in BullMQ', () => {
    expect(() => processor(fixture('no-such'))).toThrow(/no-such\.js/);
  });
});
