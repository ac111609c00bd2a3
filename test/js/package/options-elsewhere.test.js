'use strict';
// Calls that make no pool refuse mistaken options too: names that resemble
// their own, are another call's, or another library's. Other names are ignored,
// as the specification says.

const lib = require('../../../lib/index.js');
const {
  WorkerPool: MessagePool,
} = require('../../../lib/adapters/message-pool.js');
const pools = require('../../../lib/adapters/pools.js');
const { QOper8 } = require('../../../lib/adapters/qoper8.js');
const { Scheduler } = require('../../../lib/adapters/scheduler.js');
const { createDashboard } = require('../../../lib/exporters/dashboard.js');
const { instrument } = require('../../../lib/exporters/opentelemetry.js');
const { register } = require('../../../lib/exporters/prometheus.js');

const { BackgroundService, CancellationController, Sloppy, Time } = lib;
const pool = lib.WorkerPool.create('p');
const service = BackgroundService.create('s', () => {});
const app = Sloppy.create();
const scope = app.openScope();
const clock = Time.fakeClock();
const nothing = () => {};

// [the operation in an error, the call, a name that resembles one of its own]
const TAKERS = [
  ['Sloppy.create', (bag) => Sloppy.create(bag), 'signal'],
  ['Sloppy app.onShutdown', (bag) => app.onShutdown(nothing, bag), 'Name'],
  ['Sloppy app.openScope', (bag) => app.openScope(bag), 'maxCleanup'],
  ['Sloppy app.shutdown', (bag) => app.shutdown(bag), 'timeout'],
  ['Scope.close', (bag) => scope.close('r', bag), 'timeoutms'],
  [
    'BackgroundService.create',
    (bag) => BackgroundService.create('s', nothing, bag),
    'shutDown',
  ],
  ['BackgroundService.stop', (bag) => service.stop('r', bag), 'timeOutMs'],
  [
    'CancellationController',
    (bag) => new CancellationController(bag),
    'timeout',
  ],
  [
    'CancellationController.timeout',
    (bag) => CancellationController.timeout(1, bag),
    'abortSignal',
  ],
  ['Time.delay', (bag) => Time.delay(1, bag), 'abort'],
  ['Time.timeout', (bag) => Time.timeout(nothing, bag), 'afterms'],
  ['Time.every', (bag) => Time.every(1, nothing, bag), 'maxRun'],
  ['Time.interval', (bag) => Time.interval(1, bag), 'maxTick'],
  ['Time.fakeClock', (bag) => Time.fakeClock(bag), 'Now'],
  ['Clock.delay', (bag) => clock.delay(1, bag), 'signals'],
  ['Clock.delay', (bag) => Time.systemClock().delay(1, bag), 'signals'],
  [
    'createDashboard',
    (bag) => createDashboard({ pools: pool, ...bag }),
    'tittle',
  ],
  ['register', (bag) => register(pool, bag), 'prefx'],
  ['instrument', (bag) => instrument(bag), 'traceProvider'],
  ['WorkerPool', (bag) => new MessagePool(0, 'x', {}, bag), 'keepalive'],
  ['Scheduler', (bag) => new Scheduler(0, 'x', bag), 'memoryLimit'],
  [
    'ReusableWorkerPool',
    (bag) => new pools.ReusableWorkerPool(bag),
    'maxWorker',
  ],
  [
    'TransientWorkerPool',
    (bag) => new pools.TransientWorkerPool(bag),
    'workerUrl',
  ],
  [
    'WorkerSession.create',
    (bag) => pools.WorkerSession.create(bag),
    'workerpool',
  ],
  ['QOper8', (bag) => new QOper8(bag), 'poolsize'],
];

afterAll(() => pool.stop());

async function refusalOf(call, bag) {
  try {
    await call(bag);
    return undefined;
  } catch (error) {
    return error;
  }
}

test.each(TAKERS)('%s', async (operation, call, near) => {
  const others = ['concurrentJobsPerWorker', 'maxQueuedPerKey', 'maxThreads'];
  for (const name of [near, ...others]) {
    const error = await refusalOf(call, { [name]: 2 });
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(`${operation} has no option "${name}"; `);
  }
});

test('others, and undefined, are ignored', async () => {
  const bag = { zzz: 1, Signal: undefined, workers: undefined };
  Sloppy.create(bag);
  app.openScope(bag);
  Time.every(1e6, nothing, bag).stop();
  await Time.delay(0, bag);
  expect(await Time.timeout(7, { afterMs: 9999, ...bag })).toBe(7);
  new pools.TransientWorkerPool(bag).terminate();
  createDashboard({ pools: pool, ...bag });
});
