'use strict';
// An option that was meant to be another one is refused.

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const {
  WorkQueue,
  Worker,
  WorkerPool,
  prewarm,
} = require('../../../lib/index.js');
const {
  refuseMistakenCall,
} = require('../../../lib/options/mistaken-call-options.js');
const { RUN } = require('../../../lib/options/option-sets.js');
const { folderWith, removeFolders } = require('../modules/support.js');

test.each([
  ['maxThreads', 'workers'],
  ['minThreads', 'minWorkers'],
  ['maxQueue', 'maxQueued'],
  ['memoryLimitMB', 'memoryLimitMb'],
  ['filename', 'module'],
  ['idleTimeout', 'idleTimeoutMs'],
  ['wokers', 'workers'],
  ['isolaton', 'isolation'],
  // These are of tinypool, workerpool and poolifier.
  ['isolateWorkers', 'isolation'],
  ['maxMemoryLimitBeforeRecycle', 'recycleAboveMb'],
  ['queueStrategy', 'order'],
  ['workerThreadOpts', 'resourceLimits'],
  ['onCreateWorker', 'init'],
  ['maxInactiveTime', 'idleTimeoutMs'],
  ['startWorkers', 'minWorkers'],
  ['tasksQueueOptions', 'maxQueued'],
])('WorkerPool.create: %s was meant to be %s', (name, meant) => {
  const create = () => WorkerPool.create('p', { [name]: 4 });
  expect(create).toThrow(TypeError);
  expect(create).toThrow(
    `WorkerPool.create has no option "${name}"; did you mean "${meant}"?`,
  );
});

// All options of other pools, by their types; `more` are those of their calls,
// their workers and their functions.
const PEERS = {
  'piscina 5': {
    guide: 'piscina',
    pool:
      'filename name minThreads maxThreads idleTimeout maxQueue ' +
      'concurrentTasksPerWorker atomics resourceLimits argv execArgv env ' +
      'workerData taskQueue niceIncrement trackUnmanagedFds closeTimeout ' +
      'recordTiming stricterFIFO loadBalancer workerHistogram',
    more: 'signal transferList force',
  },
  'tinypool 2': {
    guide: 'piscina',
    pool:
      'filename runtime name minThreads maxThreads idleTimeout terminateTimeout ' +
      'maxQueue concurrentTasksPerWorker useAtomics resourceLimits ' +
      'maxMemoryLimitBeforeRecycle argv execArgv env workerData taskQueue ' +
      'trackUnmanagedFds isolateWorkers teardown serialization channel',
    more: 'signal transferList',
  },
  'workerpool 10': {
    guide: 'workerpool',
    pool:
      'minWorkers maxWorkers maxQueueSize workerType queueStrategy script ' +
      'workerTerminateTimeout forkArgs forkOpts workerOpts workerThreadOpts ' +
      'emitStdStreams onCreateWorker onTerminateWorker abortListenerTimeout ' +
      'metadata',
    more: 'on transfer onTerminate',
  },
  'jest-worker 30': {
    guide: 'jest-worker',
    pool:
      'computeWorkerKey enableWorkerThreads exposedMethods forkOptions ' +
      'maxRetries numWorkers resourceLimits setupArgs taskQueue WorkerPool ' +
      'workerSchedulingPolicy idleMemoryLimit workerGracefulExitTimeout',
    more: '',
  },
  'poolifier 5': {
    guide: 'poolifier',
    pool:
      'onlineHandler exitHandler errorHandler messageHandler startWorkers ' +
      'workerChoiceStrategy workerChoiceStrategyOptions enableEvents ' +
      'restartWorkerOnError enableTasksQueue tasksQueueOptions env ' +
      'workerOptions settings maxInactiveTime',
    more:
      'agingFactor concurrency loadExponent size taskStealing ' +
      'tasksFinishedTimeout tasksStealingOnBackPressure tasksStealingRatio ' +
      'killBehavior killHandler taskFunction priority strategy ' +
      'workerNodeKeys abortSignal transferList',
  },
};
const peers = Object.entries(PEERS);

test.each(peers)('%s: each option is answered', (_, { pool }) => {
  const silent = pool.split(' ').filter((name) => {
    try {
      WorkerPool.create('p', { [name]: Symbol('of another pool') });
      return true;
    } catch ({ message }) {
      return !message.includes(name);
    }
  });
  expect(silent).toEqual([]);
});

const options = ({ pool, more }) => `${pool} ${more}`.trim().split(' ');

test.each(peers)('%s: each is known to calls, or refused', async (_, peer) => {
  const silent = [];
  for (const name of options(peer)) {
    if (RUN.names.includes(name)) continue;
    const bag = { [name]: Symbol('of another pool') };
    const { message = '' } = await handles.pool
      .run(fn, bag)
      .catch((error) => error);
    if (!message.includes(name)) silent.push(name);
  }
  expect(silent).toEqual([]);
});

test.each(peers)('%s: its guide has each', (_, peer) => {
  const page = join(__dirname, `../../../docs/guide-from-${peer.guide}.md`);
  const text = readFileSync(page, 'utf8');
  // The name alone, with a value, in an object, or in a list of arguments.
  const missing = options(peer).filter(
    (name) => !new RegExp(`[\`{(.] ?${name}[\`:,)( }]`).test(text),
  );
  expect(missing).toEqual([]);
});

test('what stop takes is told of, not what resembles it', () => {
  expect(() => WorkerPool.create('p', { closeTimeout: 5 })).toThrow(
    'WorkerPool.create has no option "closeTimeout"; stop({ timeoutMs }) takes it.',
  );
});

test('resourceLimits of isolates names what they have', () => {
  const create = () => WorkerPool.create('p', { resourceLimits: {} });
  expect(create).toThrow(TypeError);
  expect(create).toThrow('did you mean "memoryLimitMb"?');
});

test('one that resembles none is ignored, as the specification says', async () => {
  const pool = WorkerPool.create('p', {
    colour: 'blue',
    [`x${'y'.repeat(99)}`]: 1,
  });
  expect(await pool.run(() => 1)).toBe(1);
  await pool.stop();
});

test('workers, queues and spares refuse as pools do', async () => {
  await expect(Worker.start(__filename, { startTimeout: 5 })).rejects.toThrow(
    'has no option "startTimeout"; did you mean "startTimeoutMs"?',
  );
  expect(() => WorkQueue.create('q', { maxQueueSize: 1 })).toThrow(
    'WorkQueue.create has no option "maxQueueSize"; did you mean "maxQueued"?',
  );
  await expect(prewarm({ maxThreads: 1 })).rejects.toThrow(
    'did you mean "workers"',
  );
});

// Names of piscina, workerpool, worker_threads and fetch; and slips.
const OF_CALLS = [
  ['timeout', 'timeoutMs'],
  ['timeoutMS', 'timeoutMs'],
  ['abortSignal', 'signal'],
  ['transferList', 'transfer'],
  ['on', 'onMessage'],
  ['priorty', 'priority'],
];
const handles = {};

beforeAll(async () => {
  const folder = folderWith({ 'tasks.mjs': 'export const fn = () => 1;' });
  const module = `${folder}/tasks.mjs`;
  handles.pool = WorkerPool.create('p', { module });
  handles.worker = await Worker.start(module);
  handles.queue = WorkQueue.create('q').process(() => 1);
});

afterAll(async () => {
  await handles.pool.stop();
  await handles.worker.stop();
  await handles.queue.stop();
  removeFolders();
});

const fn = () => 1;
const firstOf = async (values) => {
  for await (const value of values) return value;
  return undefined;
};
const CALLS = {
  'WorkerPool.run': (bag) => handles.pool.run(fn, bag),
  'WorkerPool.invoke': (bag) => handles.pool.invoke('fn', null, bag),
  'WorkerPool.map': async (bag) => firstOf(handles.pool.map([1], fn, bag)),
  'WorkerPool.stream': async (bag) => firstOf(handles.pool.stream(fn, bag)),
  'Worker.invoke': (bag) => handles.worker.invoke('fn', null, bag),
};
const ofCalls = Object.keys(CALLS).flatMap((operation) =>
  OF_CALLS.map((names) => [operation, ...names]),
);

test.each([
  ...ofCalls,
  ['WorkerPool.run', 'data', 'input'],
  ['WorkerPool.run', 'args', 'input'],
  ['WorkerPool.map', 'concurency', 'concurrency'],
  ['WorkerPool.map', 'maxConcurrency', 'concurrency'],
])('%s: %s was meant to be %s', async (operation, name, meant) => {
  const calling = CALLS[operation]({ [name]: 4 });
  await expect(calling).rejects.toThrow(TypeError);
  await expect(CALLS[operation]({ [name]: 4 })).rejects.toThrow(
    `${operation} has no option "${name}"; did you mean "${meant}"?`,
  );
});

test('jobs of a queue: timeout was meant to be timeoutMs', async () => {
  await expect(handles.queue.enqueue(1, { timeout: 4 })).rejects.toThrow(
    'WorkQueue.enqueue has no option "timeout"; did you mean "timeoutMs"?',
  );
});

test.each([
  ['timeout', 'timeoutMs'],
  ['closeTimeout', 'timeoutMs'],
  ['force', 'drain'],
])('stop: %s was meant to be %s, and nothing stops', async (name, meant) => {
  for (const [kind, handle] of [
    ['WorkerPool', handles.pool],
    ['Worker', handles.worker],
    ['WorkQueue', handles.queue],
  ]) {
    await expect(handle.stop({ [name]: 4 })).rejects.toThrow(
      `${kind}.stop has no option "${name}"; did you mean "${meant}"?`,
    );
  }
  expect(await handles.pool.run(fn)).toBe(1);
});

test('each documented option of a call is known', () => {
  const page = join(__dirname, '../../../docs/options.md');
  const [, table] = readFileSync(page, 'utf8').split('## Of a call');
  const [section] = table.split('\n## ');
  const names = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(
    ([, name]) => name,
  );
  expect(names.toSorted()).toEqual(RUN.names.toSorted());
  // The names are read in place, without a look at what others resemble.
  const bag = Object.fromEntries(names.map((name) => [name, 1]));
  expect(() => refuseMistakenCall('run', bag, RUN)).not.toThrow();
});

test('a call ignores names that resemble none, and short ones', async () => {
  const bag = { input: 1, set: 1, id: 1, colour: 'blue' };
  expect(await handles.pool.run(({ input }) => input, bag)).toBe(1);
});

test("a call ignores names on Object.prototype, which are not the caller's", async () => {
  Object.prototype.timeout = 4;
  try {
    expect(await handles.pool.run(fn, { runTimeoutMs: 60_000 })).toBe(1);
  } finally {
    delete Object.prototype.timeout;
  }
});

test('map tells that the values come first', async () => {
  const pool = WorkerPool.create('values');
  expect(() => pool.map(() => 1, [1, 2])).toThrow(
    new TypeError('WorkerPool.map takes the values first, then the function.'),
  );
  await pool.stop();
});
