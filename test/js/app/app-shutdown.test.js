'use strict';

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const { Sloppy } = require('../../../lib/app/app.js');
const { BackgroundService } = require('../../../lib/app/background-service.js');
const { WorkQueue } = require('../../../lib/pool/work-queue.js');
const { settleMicrotasks } = require('../support/promises.js');
const {
  KINDS,
  never,
  obedient,
  resource,
} = require('../support/app-resources.js');

afterEach(() => {
  jest.useRealTimers();
});

describe('shutdown', () => {
  test('stops in reverse order, one after the other, exactly once', async () => {
    const app = Sloppy.create();
    const order = [];
    for (const metadata of KINDS) {
      const stop = async (reason, limits) => {
        order.push(['begin', metadata.kind, reason, limits.timeoutMs]);
        await null;
        order.push(['end', metadata.kind]);
      };
      app.use(resource(metadata, { stop }));
    }
    const closing = app.shutdown({ timeoutMs: 50 });
    expect(app.state).toBe('stopping');
    expect(app.lifecycle.shuttingDown).toBe(true);
    const report = await closing;
    expect(app.state).toBe('stopped');
    const kinds = KINDS.map(({ kind }) => kind).reverse();
    expect(order).toEqual(
      kinds.flatMap((kind) => [
        ['begin', kind, 'app shutdown', 50],
        ['end', kind],
      ]),
    );
    expect(report.steps.map(({ kind, name }) => [kind, name])).toEqual([
      ['jsWorker', '/d.mjs'],
      ['workerPool', 'c'],
      ['workQueue', 'b'],
      ['backgroundService', 'a'],
    ]);
    expect(report.forced).toEqual([]);
    for (const each of [report, report.steps, report.forced]) {
      expect(Object.isFrozen(each)).toBe(true);
    }
    expect(await app.shutdown()).toBe(report);
    expect(await app.__beginShutdown()).toBe(report);
    expect(await app[Symbol.asyncDispose]()).toBe(report);
    expect(order).toHaveLength(8);
  });

  test('onShutdown takes its place in the order', async () => {
    const app = Sloppy.create();
    const order = [];
    const stop = (name) => async () => order.push(name);
    app.use(resource(KINDS[1], { stop: stop('queue') }));
    app.onShutdown(stop('cleanup'), { name: 'mine' });
    app.use(resource(KINDS[2], { stop: stop('pool') }));
    const remove = app.onShutdown(stop('removed'));
    remove();
    const { steps } = await app.__beginShutdown();
    expect(order).toEqual(['pool', 'cleanup', 'queue']);
    expect(steps[1]).toEqual({
      kind: 'cleanup',
      name: 'mine',
      outcome: 'done',
      error: undefined,
    });
  });

  test('the default limit of a step is 10 s', async () => {
    const stop = jest.fn(async () => {});
    const app = Sloppy.create();
    app.use(resource(KINDS[1], { stop }));
    await app.shutdown();
    expect(stop.mock.calls).toEqual([['app shutdown', { timeoutMs: 10_000 }]]);
  });

  test('gives up on a service that ignores its signal', async () => {
    jest.useFakeTimers();
    const app = Sloppy.create();
    const orderly = app.use(BackgroundService.create('orderly', obedient));
    const stuck = app.use(BackgroundService.create('stuck', never));
    await settleMicrotasks();
    const closing = app.shutdown();
    await jest.advanceTimersByTimeAsync(9999);
    expect(stuck.state).toBe('running');
    expect(orderly.state).toBe('running');
    await jest.advanceTimersByTimeAsync(1);
    const report = await closing;
    expect(stuck.state).toBe('stopped');
    expect(orderly.state).toBe('stopped');
    expect(report.forced).toEqual([
      {
        kind: 'backgroundService',
        name: 'stuck',
        outcome: 'forced',
        error: undefined,
      },
    ]);
    expect(app.state).toBe('stopped');
    expect(jest.getTimerCount()).toBe(0);
  });

  test('gives a resource a second for its own force, then goes on', async () => {
    jest.useFakeTimers();
    const app = Sloppy.create();
    const stop = jest.fn(async () => {});
    app.use(resource(KINDS[1], { stop }));
    app.use(resource(KINDS[2], { stop: never }));
    const closing = app.shutdown({ timeoutMs: 100 });
    await jest.advanceTimersByTimeAsync(1099);
    expect(stop).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    const report = await closing;
    expect(report.forced.map(({ name }) => name)).toEqual(['c']);
    expect(stop).toHaveBeenCalledTimes(1);
  });

  test('a step that throws fails the shutdown, after all others', async () => {
    const error = new Error('stop');
    const stop = jest.fn(async () => {});
    const app = Sloppy.create();
    app.use(resource(KINDS[1], { stop }));
    app.use(
      resource(KINDS[2], {
        stop: () => {
          throw error;
        },
      }),
    );
    const report = await app.shutdown();
    expect(report.steps[0]).toEqual({
      kind: 'workerPool',
      name: 'c',
      outcome: 'failed',
      error,
    });
    expect(stop).toHaveBeenCalledTimes(1);
    expect(app.state).toBe('failed');
  });

  test('a resource without a stop hook is no obstacle', async () => {
    const app = Sloppy.create();
    app.use({ ...resource(KINDS[1]), __sloppyStopForApp: undefined });
    const { steps } = await app.shutdown();
    expect(steps).toHaveLength(1);
  });

  test('a cleanup may wait for the shutdown it is part of', async () => {
    const app = Sloppy.create();
    const done = jest.fn();
    app.onShutdown(async () => {
      await app.shutdown();
      done();
    });
    // The second step runs while the shutdown is under way.
    app.onShutdown(async () => {});
    const report = await app.shutdown();
    expect(done).toHaveBeenCalledTimes(1);
    expect(report.steps.map(({ outcome }) => outcome)).toEqual([
      'done',
      'done',
    ]);
  });

  test.each([
    [{ timeoutMs: -1 }, 'worker timeoutMs must be finite and non-negative.'],
    [{ timeoutMs: null }, 'worker timeoutMs must be finite and non-negative.'],
    [5, 'Sloppy app.shutdown options must be a plain object.'],
  ])('rejects %p and does not begin', async (options, message) => {
    const app = Sloppy.create();
    await expect(app.shutdown(options)).rejects.toThrow(new TypeError(message));
    expect(app.lifecycle.shuttingDown).toBe(false);
  });
});

describe('with a real queue', () => {
  test('describes it, and lets its jobs finish at shutdown', async () => {
    const app = Sloppy.create();
    const queue = app.use(WorkQueue.create('jobs', { maxQueued: 7 }));
    expect(app.__getPlanContributions().workers).toEqual([
      {
        kind: 'workQueue',
        name: 'jobs',
        maxQueued: 7,
        concurrency: 1,
        overflow: 'reject',
      },
    ]);
    queue.process(async ({ data }) => data * 2);
    const jobs = [queue.enqueue(1), queue.enqueue(2)];
    const report = await app.shutdown();
    expect(await Promise.all(jobs)).toEqual([2, 4]);
    expect(report.forced).toEqual([]);
    expect(queue.state.stopped).toBe(true);
    await expect(queue.enqueue(3)).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_QUEUE_STOPPED',
    });
  });

  test('gives up on a job that never ends, and goes on', async () => {
    jest.useFakeTimers();
    const app = Sloppy.create();
    const service = app.use(BackgroundService.create('a', obedient));
    const queue = app.use(WorkQueue.create('jobs'));
    queue.process(never);
    const job = queue.enqueue(1);
    const rejected = expect(job).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKER_SHUTDOWN_CANCELLED',
    });
    const closing = app.shutdown({ timeoutMs: 100 });
    await jest.advanceTimersByTimeAsync(99);
    expect(service.state).toBe('running');
    await jest.advanceTimersByTimeAsync(1);
    const report = await closing;
    await rejected;
    expect(report.forced.map(({ name }) => name)).toEqual(['jobs']);
    expect(service.state).toBe('stopped');
  });
});

describe('request scopes', () => {
  test('shutdown waits for them before it stops resources', async () => {
    const app = Sloppy.create();
    const order = [];
    app.use(resource(KINDS[1], { stop: async () => order.push('queue') }));
    const scopes = [app.openScope(), app.openScope()];
    scopes[0].add(() => order.push('request'));
    expect(app.lifecycle.activeRequests).toBe(2);
    await scopes[1].close();
    expect(app.lifecycle.activeRequests).toBe(1);
    const closing = app.shutdown();
    expect(app.state).toBe('draining');
    await settleMicrotasks();
    expect(order).toEqual([]);
    await scopes[0].close();
    const report = await closing;
    expect(order).toEqual(['request', 'queue']);
    expect(report.forcedRequests).toBe(0);
  });

  test('are closed by force after the limit, and counted', async () => {
    jest.useFakeTimers();
    const app = Sloppy.create();
    const cleanup = jest.fn();
    const scopes = [app.openScope(), app.openScope()];
    scopes[0].add(cleanup);
    scopes[1].add(never);
    const closing = app.shutdown({ timeoutMs: 100 });
    await jest.advanceTimersByTimeAsync(99);
    expect(cleanup).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(101);
    const report = await closing;
    expect(cleanup).toHaveBeenCalledTimes(1);
    expect(cleanup.mock.calls[0][0]).toBe('app shutdown');
    expect(report.forcedRequests).toBe(2);
    expect(app.lifecycle).toEqual({
      state: 'stopped',
      shuttingDown: true,
      activeRequests: 0,
      forcedRequests: 2,
    });
  });

  test('close with their signal', async () => {
    const app = Sloppy.create();
    const controller = new AbortController();
    const scope = app.openScope({ signal: controller.signal });
    controller.abort();
    await scope.close();
    expect(app.lifecycle.activeRequests).toBe(0);
    expect(() => app.openScope({ signal: 1 })).toThrow(TypeError);
    expect(app.openScope({ signal: AbortSignal.abort() }).closed).toBe(true);
    expect(app.lifecycle.activeRequests).toBe(0);
  });

  test('hold as many cleanups as they are told', () => {
    const scope = Sloppy.create().openScope({ maxCleanups: 1 });
    scope.add(() => {});
    expect(() => scope.add(() => {})).toThrow('scope holds too many cleanups');
    expect(() => Sloppy.create().openScope({ maxCleanups: 0 })).toThrow(
      new TypeError('Scope.maxCleanups must be a positive integer.'),
    );
  });
});
