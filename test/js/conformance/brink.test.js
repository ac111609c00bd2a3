'use strict';
// Every public method, called for the first time at each depth of a stack that
// ends: it throws, rejects or works, and the process goes on. V8 compiles a
// regular expression when it is first executed, and on Node 20 and 22 it ends
// the process where the stack ends meanwhile. So each method has a process. Its
// functions take more room to compile, so that they hide an expression that is
// new too. Hence a second process for each handle, in which all methods were
// called once: V8 compiles an expression again when it is executed for the
// second time, which is at the end of the stack of the first that has it.

const path = require('node:path');

const lib = require('../../../lib/index.js');
const { runNode } = require('../support/run-node.js');
const { folderWith, removeFolders } = require('../modules/support.js');
const { runtime } = require('./support.js');

const LIB = path.join(__dirname, '..', '..', '..', 'lib');
const TASKS = 'export const fn = () => 1; export const onMessage = fn;';
let tasks;

beforeAll(() => {
  tasks = path.join(folderWith({ 'tasks.mjs': TASKS }), 'tasks.mjs');
});

afterAll(removeFolders);

/**
 * @param {[setUp: string, call: string][]} calls
 * @param {boolean} isFirst whether none was made before
 */
const PROGRAM = (calls, isFirst) => `
  const lib = require(${JSON.stringify(path.join(LIB, 'index.js'))});
  const { BackgroundService, CancellationController, Deadline, Sloppy } = lib;
  const { Time, Worker, WorkerCancellationController, WorkerPool } = lib;
  const { SloppyWorkerError, WorkQueue, openInspector, prewarm } = lib;
  const runtime = '${runtime}';
  const tasks = ${JSON.stringify(tasks)};
  const ignore = () => {};
  const createPool = () =>
    WorkerPool.create('p', { runtime, maxQueued: 2000, module: tasks });
  const createQueue = () => WorkQueue.create('q').process(async () => 1);
  process.on('uncaughtException', (error) => {
    console.log('uncaught', error);
    process.exit(1);
  });
  // What a job or a listener of the program's throws here is its own.
  process.on('warning', ignore);
  let tries = 0;
  // Each is new, so that it is read.
  const newFunction = () =>
    eval('({ input }) => [input, __name' + tries + '("ж"), Math.max(1).b]');
  const texts = ['./x.mjs', 'file:///a.mjs', 'node:fs', '@x/y', 'http://x/ж'];
  const text = () => texts[tries % texts.length];
  const CALLS = 400;
  let results;
  let calls;
  function deep(call) {
    try { deep(call); } catch {}
    if (calls === CALLS) return;
    try {
      results[calls++] = call(tries++ >= 0);
    } catch {}
  }
  (async () => {
    const methods = [];
    ${calls
      .map(
        ([setUp, call]) =>
          `{ ${setUp} methods.push((isReal) => isReal && ${call}); }`,
      )
      .join('\n    ')}
    // Compiles them.
    for (const call of methods) call(false);
    for (const call of ${isFirst ? '[]' : 'methods'}) {
      await (async () => call(true))().catch(ignore);
    }
    for (const call of methods) {
      results = new Array(CALLS).fill(null);
      calls = 0;
      deep(call);
      for (const result of results.flat()) Promise.resolve(result).catch(ignore);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    console.log('over');
    process.exit(0);
  })();
`;

const POOL = {
  run: 'handle.run(newFunction(), { input: { a: 1 }, modules: { a: text() }, timeoutMs: 99_999 })',
  invoke:
    "handle.invoke('fn', { a: ['ж'] }, { deadline: 99_999, priority: 1 })",
  tasks: 'handle.tasks.fn(1, { key: "a" })',
  map: 'handle.map([1], newFunction(), { concurrency: 1, modules: { a: text() } }).next()',
  stream: 'handle.stream(newFunction(), { onMessage: ignore }).next()',
  broadcast: 'handle.broadcast(newFunction(), { modules: { a: text() } })',
  share: "handle.share('a' + tries, { a: ['ж', new Uint8Array(3)] })",
  pause: '[handle.pause(), handle.resume()]',
  resume: 'handle.resume()',
  ref: 'handle.ref()',
  unref: 'handle.unref()',
  resize: 'handle.resize(2)',
  drain: 'handle.drain()',
  onIdle: 'handle.onIdle()',
  stop: 'handle.stop({ timeoutMs: 100, drain: false })',
  cpuProfile: 'handle.cpuProfile({ path: tasks + "/no", durationMs: 1 })',
  heapSnapshot: 'handle.heapSnapshot({ path: tasks + "/no" })',
  metrics: 'handle.metrics()',
  stats: 'handle.stats()',
  on: "handle.on('jobEnd', ignore)",
  addListener: "handle.addListener('jobEnd', ignore)",
  once: "handle.once('jobEnd', ignore)",
  off: "handle.off('jobEnd', ignore)",
  removeListener: "handle.removeListener('jobEnd', ignore)",
};
const WORKER = {
  invoke: POOL.invoke.replace(', priority: 1', ''),
  cpuProfile: POOL.cpuProfile,
  heapSnapshot: POOL.heapSnapshot,
  metrics: POOL.metrics,
  stats: POOL.stats,
  post: 'handle.post({ a: tries })',
  onMessage: 'handle.onMessage(ignore)',
  onError: 'handle.onError(ignore)',
  ref: POOL.ref,
  unref: POOL.unref,
  stop: POOL.stop,
};
const QUEUE = {
  process: "[WorkQueue.create('q').process(newFunction())]",
  metrics: 'handle.metrics()',
  enqueue: 'handle.enqueue({ a: tries }, { timeoutMs: 99_999 })',
  drain: 'handle.drain()',
  stop: 'handle.stop({ drain: false, timeoutMs: 100 })',
};
const SERVICE = {
  start: "BackgroundService.create('s', ignore).start()",
  stop: 'handle.stop({ timeoutMs: 100 })',
};
const APP = {
  use: "handle.use(BackgroundService.create('s', ignore))",
  freeze: 'handle.freeze()',
  onShutdown: "handle.onShutdown(ignore, { name: 'ж' })",
  openScope: 'handle.openScope({ maxCleanups: 2 })',
  shutdown: 'handle.shutdown({ timeoutMs: 100 })',
};
const SCOPE = {
  add: 'handle.add(ignore)',
  close: "handle.close('ж', { timeoutMs: 100 })",
  closeOn: 'handle.closeOn(new WorkerCancellationController().signal)',
};
const SIGNAL = {
  throwIfCancelled: 'handle.throwIfCancelled()',
  addEventListener: "handle.addEventListener('abort', () => {})",
  removeEventListener: "handle.removeEventListener('abort', ignore)",
};
const TICKER = {
  pause: 'handle.pause()',
  resume: '[handle.pause(), handle.resume()]',
  stop: "Time.every('1h', ignore).stop()",
};
const CLOCK = {
  now: 'handle.now()',
  monotonicNowMs: 'handle.monotonicNowMs()',
  delay: '[handle.delay(5)]',
  advanceBy: 'handle.advanceBy(5)',
  set: 'handle.set(5_000 + tries)',
  dispose: 'Time.fakeClock().dispose()',
};
// The handle's name, what makes it, its methods.
const HANDLES = [
  ['pool', 'createPool()', POOL],
  ['worker', 'await Worker.start(tasks, { runtime })', WORKER],
  ['queue', 'createQueue()', QUEUE],
  ['service', "BackgroundService.create('s', ignore)", SERVICE],
  ['app', 'Sloppy.create()', APP],
  ['scope', 'Sloppy.create().openScope()', SCOPE],
  ['signal', 'new WorkerCancellationController().signal', SIGNAL],
  ['ticker', "Time.every('1h', ignore)", TICKER],
  ['clock', 'Time.fakeClock()', CLOCK],
];
const FACTORIES = {
  'BackgroundService.create': "BackgroundService.create('s', ignore, {})",
  'Worker.start': 'Worker.start(text(), { runtime, init: { module: text() } })',
  'WorkerPool.create':
    "WorkerPool.create('p', { runtime, module: text(), init: { module: text() } })",
  'WorkQueue.create': "WorkQueue.create('q', { retry: { maxAttempts: 2 } })",
  'CancellationController.linked':
    'CancellationController.linked(new AbortController().signal)',
  'CancellationController.timeout': 'CancellationController.timeout(50_000)',
  'Deadline.after': 'Deadline.after(5).remainingMs()',
  'Deadline.at': 'Deadline.at(new Date())',
  'Deadline.never': 'Deadline.never()',
  'Time.delay': 'Time.delay(5, { deadline: 50_000 })',
  'Time.every': "Time.every('2.5m', ignore)",
  'Time.fakeClock': "Time.fakeClock({ now: '2020-01-01T00:00:00Z' })",
  'Time.interval': "Time.interval('1h', { maxTicks: 1 })",
  'Time.systemClock': 'Time.systemClock().now()',
  'Time.timeout': 'Time.timeout(ignore, { afterMs: 50_000 })',
  'Time.yield': 'Time.yield()',
  'Sloppy.create': "Sloppy.create({ signals: ['SIGUSR2'] })",
  openInspector: "openInspector({ host: '127.0.0.1', port: 0 })",
  prewarm: 'prewarm({ runtime, spares: 0 })',
  SloppyWorkerError: "new SloppyWorkerError('SLOPPY_E_X', 'ж').stack",
  WorkerCancellationController:
    "[new WorkerCancellationController().cancel('ж')]",
  CancellationController:
    "[new CancellationController().cancel('ж'), new CancellationController().dispose()]",
  CancelledError: "new lib.CancelledError('ж').stack",
  InvalidDeadlineError: "new lib.InvalidDeadlineError('ж').stack",
  TimeoutError: "new lib.TimeoutError('ж').stack",
  TimerDisposedError: "new lib.TimerDisposedError('ж').stack",
};

const GROUPS = [
  ...HANDLES.map(([name, handle, methods]) => [
    name,
    Object.entries(methods).map(([method, call]) => [
      `${name}.${method}`,
      `const handle = ${handle};`,
      call,
    ]),
  ]),
  [
    'Workers and pools',
    Object.entries(FACTORIES)
      .filter(([name]) => name.startsWith('Worker'))
      .map(([name, call]) => [name, '', call]),
  ],
  [
    'factories',
    Object.entries(FACTORIES)
      .filter(([name]) => !name.startsWith('Worker'))
      .map(([name, call]) => [name, '', call]),
  ],
  // Calls that have nothing of the runtime are the same on threads.
].filter(([name]) => runtime === 'isolate' || /^(pool|worker)/i.test(name));

function expectNoEnd(calls, isFirst) {
  const program = PROGRAM(calls, isFirst);
  expect(runNode(['--stack-size=150', '-e', program])).toBe('over\n');
}

describe.each(GROUPS)('%s', (_name, cases) => {
  if (runtime === 'isolate') {
    test.each(cases)('%s, first of all', (_method, setUp, call) => {
      expectNoEnd([[setUp, call]], true);
    });
  }

  test('each after all', () => {
    expectNoEnd(
      cases.map(([, setUp, call]) => [setUp, call]),
      false,
    );
  });
});

// A getter is no method.
const isPublic = (key) => key !== 'constructor' && !key.startsWith('__');
function methodsOf(handle) {
  const all = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(handle));
  return Object.keys(all)
    .filter((key) => isPublic(key) && typeof all[key].value === 'function')
    .sort();
}

test('no public method is missing here', async () => {
  const app = lib.Sloppy.create();
  const ticker = lib.Time.every('1h', () => {});
  const handles = {
    pool: lib.WorkerPool.create('p', { runtime }),
    worker: await lib.Worker.start(tasks, { runtime }),
    queue: lib.WorkQueue.create('q'),
    service: lib.BackgroundService.create('s', () => {}),
    app,
    scope: app.openScope(),
    signal: new lib.WorkerCancellationController().signal,
    ticker,
    clock: lib.Time.fakeClock(),
  };
  for (const [name, , methods] of HANDLES) {
    const { tasks: _getter, ...known } = methods;
    expect([name, Object.keys(known).sort()]).toEqual([
      name,
      methodsOf(handles[name]),
    ]);
  }
  const factories = Object.entries(lib).flatMap(([name, value]) => {
    const isClass = typeof value === 'function';
    const own = isClass
      ? Object.getOwnPropertyNames(value).filter(
          (key) => typeof value[key] === 'function',
        )
      : Object.keys(value);
    const made = name === 'Deadline' || name === 'WorkerCancellationSignal';
    return [
      ...(isClass && !made ? [name] : []),
      ...own.map((key) => `${name}.${key}`),
    ];
  });
  expect(factories.sort()).toEqual(Object.keys(FACTORIES).sort());
  ticker.stop();
  await Promise.all([handles.pool.stop(), handles.worker.stop()]);
});
