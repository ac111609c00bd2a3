'use strict';

const { Sloppy } = require('../../../lib/app/app.js');
const { BackgroundService } = require('../../../lib/app/background-service.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { workerError } = require('../../../lib/protocol/sloppy-worker-error.js');
const { settleMicrotasks } = require('../support/promises.js');
const {
  KINDS,
  never,
  obedient,
  resource,
} = require('../support/app-resources.js');

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
