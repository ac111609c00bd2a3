'use strict';

const { spawn } = require('node:child_process');
const path = require('node:path');
const { Sloppy } = require('../../lib/app.js');
const { BackgroundService } = require('../../lib/background-service.js');
const { Code } = require('../../lib/internal/diagnostics.gen.js');
const { workerError } = require('../../lib/sloppy-worker-error.js');
const { WorkQueue } = require('../../lib/work-queue.js');

async function settleMicrotasks() {
  for (let i = 0; i < 20; i += 1) await null;
}

const obedient = ({ signal }) =>
  new Promise((resolve) => signal.addEventListener('abort', resolve));

const never = () => new Promise(() => {});

/** A resource of any kind, reduced to the hooks that the app calls. */
function resource(metadata, { start, stop = async () => {} } = {}) {
  return {
    __sloppyWorkerResource: metadata.kind,
    __sloppyPlanMetadata: () => metadata,
    __sloppyStartForApp: start,
    __sloppyStopForApp: stop,
  };
}

const KINDS = [
  { kind: 'backgroundService', name: 'a', start: 'app', shutdown: 'x' },
  {
    kind: 'workQueue',
    name: 'b',
    maxQueued: 5,
    concurrency: 2,
    overflow: 'reject',
  },
  { kind: 'workerPool', name: 'c', workers: 2, maxQueued: 64 },
  { kind: 'jsWorker', path: '/d.mjs', memoryLimitMb: 128 },
];

afterEach(() => {
  jest.useRealTimers();
});

describe('create', () => {
  test('makes a sealed app', () => {
    const app = Sloppy.create();
    expect(Object.isFrozen(Sloppy)).toBe(true);
    expect(Object.isSealed(app)).toBe(true);
    expect(app.state).toBe('created');
    expect(app.lifecycle).toEqual({
      state: 'created',
      shuttingDown: false,
      activeRequests: 0,
      forcedRequests: 0,
    });
  });

  test.each([
    1,
    [],
    { signals: 'SIGTERM' },
    { signals: ['TERM'] },
    { signals: ['SIGKILL'] },
    { signals: [9] },
  ])('refuses %p', (options) => {
    expect(() => Sloppy.create(options)).toThrow(TypeError);
  });
});

describe('use', () => {
  test('starts a service and returns it, once', async () => {
    const handler = jest.fn(obedient);
    const app = Sloppy.create();
    const service = BackgroundService.create('a', handler);
    expect(app.use(service)).toBe(service);
    expect(app.state).toBe('running');
    expect(service.state).toBe('running');
    expect(app.use(service)).toBe(service);
    expect(app.__getPlanContributions().workers).toHaveLength(1);
    await settleMicrotasks();
    expect(handler).toHaveBeenCalledTimes(1);
    await app.shutdown();
    expect(service.state).toBe('stopped');
  });

  test('does not start a manual service, but stops it', async () => {
    const app = Sloppy.create();
    const options = { start: 'manual' };
    const service = app.use(BackgroundService.create('a', obedient, options));
    expect(service.state).toBe('created');
    service.start();
    await settleMicrotasks();
    await app.shutdown();
    expect(service.state).toBe('stopped');
  });

  test('accepts all four kinds, hands itself to the start hook', () => {
    const app = Sloppy.create();
    const start = jest.fn();
    for (const metadata of KINDS) app.use(resource(metadata, { start }));
    expect(start.mock.calls).toEqual([[app], [app], [app], [app]]);
    expect(app.__getPlanContributions().workers).toEqual(KINDS);
  });

  test('needs no start hook', () => {
    const app = Sloppy.create();
    const queue = resource(KINDS[1]);
    expect(app.use(queue)).toBe(queue);
  });

  test.each([
    undefined,
    null,
    'x',
    {},
    () => {},
    { __sloppyWorkerResource: 'workQueue' },
    { __sloppyPlanMetadata: () => ({}) },
    { __sloppyWorkerResource: 1, __sloppyPlanMetadata: () => ({}) },
    { __sloppyWorkerResource: 'workQueue', __sloppyPlanMetadata: {} },
  ])('refuses %p', (value) => {
    expect(() => Sloppy.create().use(value)).toThrow(
      'Sloppy app.use expects a Sloppy provider descriptor.',
    );
  });

  test('records nothing when the start throws', async () => {
    const app = Sloppy.create();
    const service = BackgroundService.create('a', never);
    await service.stop();
    expect(() => app.use(service)).toThrow(
      expect.objectContaining({ code: 'SLOPPY_E_WORKER_STALE_HANDLE' }),
    );
    expect(app.state).toBe('created');
    expect(app.__getPlanContributions().workers).toEqual([]);
    expect((await app.shutdown()).steps).toEqual([]);
  });

  test('wraps foreign errors of the start, passes its own', () => {
    const app = Sloppy.create();
    const cause = new Error('s3cret');
    const own = workerError(Code.PoolUnavailable);
    const failing = (error) => ({
      start: () => {
        throw error;
      },
    });
    let thrown;
    try {
      app.use(resource(KINDS[0], failing(cause)));
    } catch (error) {
      thrown = error;
    }
    expect(thrown.message).toBe(
      'SLOPPY_E_BACKGROUND_SERVICE_START_FAILED: background service failed to start',
    );
    expect(thrown.cause).toBe(cause);
    expect(() => app.use(resource(KINDS[2], failing(own)))).toThrow(own);
  });

  test('is refused by a frozen app, whatever it gets', () => {
    const app = Sloppy.create();
    expect(app.freeze()).toBe(app);
    for (const value of [resource(KINDS[1]), null]) {
      expect(() => app.use(value)).toThrow(
        new Error('Sloppy app is frozen and cannot be modified.'),
      );
    }
  });

  test('is refused after the shutdown began, but for known resources', () => {
    const app = Sloppy.create();
    const known = app.use(resource(KINDS[1]));
    app.shutdown();
    const message =
      'SLOPPY_E_WORKER_SHUTDOWN_CANCELLED: app shutdown cancelled worker operation';
    expect(() => app.use(resource(KINDS[2]))).toThrow(message);
    expect(() => app.openScope()).toThrow(message);
    expect(() => app.onShutdown(() => {})).toThrow(message);
    expect(app.use(known)).toBe(known);
  });
});

describe('plan metadata', () => {
  test('is frozen, in order, and a snapshot', () => {
    const app = Sloppy.create();
    const metadata = { ...KINDS[1] };
    app.use(resource(metadata));
    const before = app.__getPlanContributions();
    metadata.name = 'changed';
    app.use(resource(KINDS[2]));
    const after = app.__getPlanContributions();
    expect(before.workers).toEqual([KINDS[1]]);
    expect(after.workers).toEqual([KINDS[1], KINDS[2]]);
    expect(app.__debug().workers).toEqual(after.workers);
    for (const each of [
      after,
      after.workers,
      ...after.workers,
      after.requiredFeatures,
      after.features,
      after.strongPlan,
      after.strongPlan.evidence,
    ]) {
      expect(Object.isFrozen(each)).toBe(true);
    }
  });

  test('names the feature, whether or not a resource is used', () => {
    expect(Sloppy.create().__getPlanContributions()).toEqual({
      requiredFeatures: ['stdlib.workers'],
      features: { workers: true },
      strongPlan: { evidence: { workers: true } },
      workers: [],
    });
  });

  test.each([
    { features: { workers: false } },
    { plan: { features: { workers: false } } },
    { plan: { requiredFeatures: ['stdlib.time'] } },
    { plan: { requiredFeatures: [], features: { workers: true } } },
  ])('%p turns the feature off', (options) => {
    const app = Sloppy.create(options);
    const start = jest.fn();
    expect(() => app.use(resource(KINDS[0], { start }))).toThrow(
      'SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE: workers feature is unavailable',
    );
    expect(start).not.toHaveBeenCalled();
    expect(app.__getPlanContributions()).toEqual({
      requiredFeatures: [],
      features: { workers: false },
      strongPlan: { evidence: { workers: false } },
      workers: [],
    });
  });

  test.each([
    { features: { workers: true } },
    { features: {} },
    { plan: {} },
    { plan: { requiredFeatures: ['stdlib.workers'] } },
  ])('%p leaves it on', (options) => {
    const queue = resource(KINDS[1]);
    expect(Sloppy.create(options).use(queue)).toBe(queue);
  });
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
    const report = await app.shutdown();
    expect(done).toHaveBeenCalledTimes(1);
    expect(report.steps[0].outcome).toBe('done');
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

describe('process signals', () => {
  /** Runs a script that prints `ready`, then sends it the signals. */
  function run(script, signals) {
    const child = spawn(process.execPath, ['--eval', script], {
      cwd: path.join(__dirname, '../..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text) => {
      output += text;
      if (text.includes('ready')) child.kill(signals[0]);
      if (text.includes('stopping') && signals[1]) child.kill(signals[1]);
    });
    return new Promise((resolve) => {
      child.on('close', (code, signal) => resolve({ code, signal, output }));
    });
  }

  const app = (stop) => `
    const { Sloppy } = require('./lib/app.js');
    const app = Sloppy.create({ signals: ['SIGTERM', 'SIGINT'] });
    app.onShutdown(async () => { console.log('stopping'); ${stop} });
    setInterval(() => {}, 1000);`;
  const ready = "console.log('ready');";

  test('shut down once, then end the process as the signal does', async () => {
    const script = app("await null; console.log('stopped');") + ready;
    expect(await run(script, ['SIGTERM'])).toEqual({
      code: null,
      signal: 'SIGTERM',
      output: 'ready\nstopping\nstopped\n',
    });
  });

  test('a second signal ends a shutdown that takes too long', async () => {
    const script = app('await new Promise(() => {});') + ready;
    const { signal } = await run(script, ['SIGTERM', 'SIGINT']);
    expect(signal).toBe('SIGINT');
  });

  test('leave the end of the process to other listeners', async () => {
    const script = `${app('')}
      process.on('SIGTERM', () => app.shutdown().then(() => process.exit(7)));
      ${ready}`;
    const { code } = await run(script, ['SIGTERM']);
    expect(code).toBe(7);
  });

  test('are not listened to before, after, or without being asked', async () => {
    const before = process.listenerCount('SIGTERM');
    Sloppy.create();
    expect(process.listenerCount('SIGTERM')).toBe(before);
    const listening = Sloppy.create({ signals: ['SIGTERM'] });
    expect(process.listenerCount('SIGTERM')).toBe(before + 1);
    await listening.shutdown();
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });
});
