'use strict';
// Every public method reads each of its options, and refuses those of the
// others by the name of the method.

const {
  openInspector,
  prewarm,
  Worker,
  WorkerPool,
  WorkQueue,
} = require('../../../lib/index.js');
const sets = require('../../../lib/options/option-sets.js');
const { ELSEWHERE, INSTEAD } = require('../../../lib/options/table.gen.js');
const { folderWith, removeFolders } = require('../modules/support.js');

const fn = () => 1;
const handles = {};
let tasks;

beforeAll(async () => {
  const folder = folderWith({
    'tasks.mjs': 'export const fn = () => 1; export const onMessage = fn;',
  });
  tasks = `${folder}/tasks.mjs`;
  handles.pool = WorkerPool.create('p', { module: tasks });
  handles.worker = await Worker.start(tasks);
  handles.queue = WorkQueue.create('q').process(() => 1);
});

afterAll(async () => {
  await handles.pool.stop();
  await handles.worker.stop();
  await handles.queue.stop();
  removeFolders();
});

const firstOf = async (values) => {
  for await (const value of values) return value;
  return undefined;
};

const { names: CALL } = sets.CALL;
const { names: RUN } = sets.RUN;
const { names: STOP } = sets.STOP;
const { names: WORKER_CALL } = sets.WORKER_CALL;
// [the operation in an error, the method, its options]
const TAKERS = [
  ['WorkerPool.create', (bag) => WorkerPool.create('p', bag), sets.POOL.names],
  [
    'prewarm',
    (bag) => prewarm(bag),
    [...sets.POOL.names, ...sets.PREWARM.names],
  ],
  ['Worker.start', (bag) => Worker.start(tasks, bag), sets.WORKER.names],
  ['WorkQueue.create', (bag) => WorkQueue.create('q', bag), sets.QUEUE.names],
  ['WorkerPool.run', (bag) => handles.pool.run(fn, bag), RUN],
  ['WorkerPool.invoke', (bag) => handles.pool.invoke('fn', 1, bag), CALL],
  ['WorkerPool.invoke', (bag) => handles.pool.tasks.fn(1, bag), CALL],
  [
    'WorkerPool.map',
    (bag) => firstOf(handles.pool.map([1], fn, bag)),
    sets.MAP.names,
  ],
  [
    'WorkerPool.map',
    (bag) => firstOf(handles.pool.map([1], 'fn', bag)),
    sets.MAP_EXPORT.names,
  ],
  ['WorkerPool.stream', (bag) => firstOf(handles.pool.stream(fn, bag)), RUN],
  [
    'WorkerPool.stream',
    (bag) => firstOf(handles.pool.stream('fn', bag)),
    sets.STREAM_EXPORT.names,
  ],
  [
    'WorkerPool.broadcast',
    (bag) => handles.pool.broadcast(fn, bag),
    sets.BROADCAST.names,
  ],
  [
    'WorkerPool.broadcast',
    (bag) => handles.pool.broadcast('fn', bag),
    sets.BROADCAST_EXPORT.names,
  ],
  ['WorkerPool.stop', (bag) => handles.pool.stop(bag), STOP],
  [
    'WorkerPool.cpuProfile',
    (bag) => handles.pool.cpuProfile({ path: '/x/y/z', ...bag }),
    sets.PROFILE.names,
  ],
  [
    'WorkerPool.heapSnapshot',
    (bag) => handles.pool.heapSnapshot({ path: '/x/y/z', ...bag }),
    sets.SNAPSHOT.names,
  ],
  ['Worker.invoke', (bag) => handles.worker.invoke('fn', 1, bag), WORKER_CALL],
  ['Worker.post', (bag) => handles.worker.post(1, bag), WORKER_CALL],
  ['Worker.stop', (bag) => handles.worker.stop(bag), STOP],
  [
    'WorkQueue.enqueue',
    (bag) => handles.queue.enqueue(1, bag),
    sets.QUEUE_CALL.names,
  ],
  ['WorkQueue.stop', (bag) => handles.queue.stop(bag), STOP],
  ['openInspector', (bag) => openInspector(bag), sets.INSPECTOR.names],
];
const ALL = [...new Set(TAKERS.flatMap(([, , own]) => own))];

async function refusalOf(call, bag) {
  try {
    await call(bag);
    return undefined;
  } catch (error) {
    return error;
  }
}

const TABLE = TAKERS.map(([operation, call, own]) => [
  operation,
  own.join(' '),
  call,
  own,
]);

test.each(TABLE)(
  '%s (%s) refuses the others',
  async (operation, _l, call, own) => {
    const wrong = [];
    const others = [...ALL, ...Object.keys(ELSEWHERE), ...Object.keys(INSTEAD)];
    for (const name of others) {
      if (own.some((each) => each.toLowerCase() === name.toLowerCase()))
        continue;
      const error = await refusalOf(call, { [name]: 2 });
      const text = error?.message ?? 'accepted';
      const isRight =
        error instanceof TypeError &&
        (text.startsWith(`${operation} has no option "${name}"; `) ||
          // Their advice is their own.
          text.startsWith(`${operation} has no option "${name}": `));
      if (!isRight) wrong.push(`${name}: ${text}`);
    }
    expect(wrong).toEqual([]);
  },
);

// Anything may be an input; undefined is not given.
test.each(TABLE)('%s (%s) reads its own', async (operation, _l, call, own) => {
  const wrong = [];
  for (const name of own) {
    const error = await refusalOf(call, { [name]: Symbol('no value') });
    if (error === undefined) wrong.push(`${name}: accepted`);
    // The retry's error says backoff, as the specification does.
    else if (
      error.code === undefined &&
      !error.message.includes(name.replace('backoffMs', 'backoff'))
    ) {
      wrong.push(`${name}: ${error.message}`);
    }
  }
  expect(wrong).toEqual([]);
  const unset = Object.fromEntries(ALL.map((name) => [name, undefined]));
  if (own === STOP || own === sets.INSPECTOR.names || own.includes('path'))
    return;
  const error = await refusalOf(call, unset);
  expect([operation, error?.message]).toEqual([operation, undefined]);
});

test.each([0, 1, 'no', {}])('drain: %p is no boolean', async (drain) => {
  for (const kind of ['pool', 'worker', 'queue']) {
    await expect(handles[kind].stop({ drain })).rejects.toThrow(
      /^(WorkerPool|Worker|WorkQueue)\.stop drain must be a boolean\.$/,
    );
  }
  expect(await handles.pool.run(fn)).toBe(1);
});

test.each([
  ['WorkerPool', (bag) => WorkerPool.create('p', bag)],
  ['Worker', (bag) => Worker.start(tasks, bag)],
  ['prewarm', (bag) => prewarm(bag)],
])('%s: errors have its name and the option', async (subject, call) => {
  for (const [bag, name] of [
    [{ cancelGraceMs: -1 }, 'cancelGraceMs'],
    [{ runTimeoutMs: -1 }, 'runTimeoutMs'],
    [{ memoryLimitMb: 'x' }, 'memoryLimitMb'],
    [{ init: { module: 'a.mjs', timeoutMs: -1 } }, 'init.timeoutMs'],
    [{ init: { module: 'a.mjs', timeout: 1 } }, 'did you mean "timeoutMs"'],
    [{ metrics: 1 }, 'metrics'],
  ]) {
    const error = await refusalOf(call, bag);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message.startsWith(subject)).toBe(true);
    expect(error.message).toContain(name);
  }
});

test.each([
  [{ startTimeoutMs: -1 }, /^Worker\.startTimeoutMs must/],
  [
    { workers: 2 },
    /^Worker\.start has no option "workers"; it is one of WorkerPool\.create\.$/,
  ],
])('Worker.start: %j', async (bag, text) => {
  await expect(Worker.start(tasks, bag)).rejects.toThrow(text);
});
