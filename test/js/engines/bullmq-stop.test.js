'use strict';
// A processor ends although the engine's server does not answer, and goes on
// with another Worker when one has closed.

const { processor } = require('../../../lib/adapters/bullmq.js');
const {
  FakeJob,
  FakeWorker,
  fixture,
  rejection,
  until,
} = require('./support.js');

const never = () => new Promise(() => {});
const AWAY = {
  updateProgress: never,
  log: never,
  moveToWait: never,
  moveToDelayed: never,
};
const busy = (run) => until(() => run.pool.state.queue.active === 1);

class LostWorker extends FakeWorker {
  close() {
    this.emit('closing');
    return never();
  }
}

describe('the server is away', () => {
  function start(data, options = {}) {
    const run = processor(fixture('sandbox.cjs'), options);
    run.attach(new LostWorker());
    const writes = [];
    const write = (name) => () => {
      writes.push(name);
      return never();
    };
    const calls = { log: write('log'), updateProgress: write('progress') };
    const fake = new FakeJob(data, { ...AWAY, ...calls });
    const outcome = run(fake, 'token').then(
      (value) => value,
      ({ name }) => name,
    );
    return { run, writes, outcome };
  }

  test('a job that runs', async () => {
    const { run, outcome } = start({ kind: 'loop' });
    await busy(run);
    await run.stop({ timeoutMs: 50 });
    expect(await outcome).toBe('WaitingError');
    expect(run.pool.state.queue.stopped).toBe(true);
  });

  test.each([
    [{ kind: 'prints' }, { logs: true }, 'log', 'done'],
    [{ kind: 'progress', steps: 2 }, {}, 'progress', { step: 2 }],
  ])('%j, which has ended but for its writes', async (data, how, name, end) => {
    const { run, writes, outcome } = start(data, how);
    await until(() => writes.includes(name));
    await until(() => run.pool.state.queue.active === 0);
    await run.stop({ timeoutMs: 50 });
    expect(await outcome).toEqual(end);
    expect(run.pool.state.queue.stopped).toBe(true);
  });

  test('a job that finds no place is let go', async () => {
    const run = processor(fixture('sandbox.cjs'), {
      workers: 1,
      maxQueued: 1,
      overflow: 'reject',
    });
    run.attach(new LostWorker());
    const jobs = ['1', '2', '3'].map((id) =>
      rejection(run(new FakeJob({ kind: 'loop' }, { id, ...AWAY }), 'token')),
    );
    await busy(run);
    await run.stop({ timeoutMs: 50 });
    const names = (await Promise.all(jobs)).map(({ name }) => name);
    expect(names).toEqual(['WaitingError', 'WaitingError', 'DelayedError']);
  });
});

test('a Worker that comes after the last one has closed gets a pool', async () => {
  const run = processor(fixture('sandbox.cjs'));
  run.attach(new FakeWorker()).emit('closed');
  const first = run.pool;
  await until(() => first.state.queue.stopped);
  run.attach(new FakeWorker());
  expect(await run(new FakeJob({ kind: 'echo', value: 7 }), 't')).toBe(7);
  expect(run.pool).not.toBe(first);
  await run.stop();
  const late = await rejection(run(new FakeJob({ kind: 'echo' }), 't'));
  expect(late.name).toBe('WaitingError');
});

test('a pool that its user has stopped stays so', async () => {
  const run = processor(fixture('sandbox.cjs'));
  run.attach(new FakeWorker());
  await run.pool.stop();
  const error = await rejection(run(new FakeJob({ kind: 'echo' }), 't'));
  expect(error.name).toBe('WaitingError');
});
