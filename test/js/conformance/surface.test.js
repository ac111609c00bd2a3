'use strict';
// Section 0: names, factories, handles, option bags.

const workers = require('../../../lib/workers.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { createPool, moduleFile, rejection, startWorker, stopAll } =
  require('./support.js');

const { SloppyWorkerError, Worker, WorkerPool } = workers;

afterEach(stopAll);

test('the module has seven exports', () => {
  expect(Object.keys(workers).sort()).toEqual([
    'BackgroundService',
    'SloppyWorkerError',
    'WorkQueue',
    'Worker',
    'WorkerCancellationController',
    'WorkerCancellationSignal',
    'WorkerPool',
  ]);
});

test.each([
  ['WorkerPool', 'create'],
  ['Worker', 'start'],
  ['WorkQueue', 'create'],
  ['BackgroundService', 'create'],
])('%s is a frozen namespace with one factory', (name, factory) => {
  expect(Object.isFrozen(workers[name])).toBe(true);
  expect(Object.keys(workers[name])).toEqual([factory]);
  expect(typeof workers[name]).toBe('object');
});

test('SloppyWorkerError has name, code, prefixed message and cause', () => {
  const error = new SloppyWorkerError('SLOPPY_E_X', 'text', { cause: 5 });
  expect(error).toMatchObject({
    name: 'SloppyWorkerError',
    code: 'SLOPPY_E_X',
    message: 'SLOPPY_E_X: text',
    cause: 5,
  });
});

describe('handles', () => {
  test('a pool is sealed', () => {
    const pool = createPool();
    expect(Object.isSealed(pool)).toBe(true);
    expect(() => {
      pool.extra = 1;
    }).toThrow(TypeError);
    expect(() => {
      pool.name = 'other';
    }).toThrow(TypeError);
  });

  test('a worker is sealed', async () => {
    const worker = await startWorker('export const f = () => 1;');
    expect(Object.isSealed(worker)).toBe(true);
    expect(() => {
      worker.modulePath = 'other';
    }).toThrow(TypeError);
  });

  test('expose nothing but what is documented', async () => {
    const pool = createPool();
    const worker = await startWorker('export const f = () => 1;');
    for (const handle of [pool, worker]) {
      expect(Reflect.ownKeys(handle)).toEqual([]);
    }
  });

  test('snapshots are frozen, new for each read, and never change', async () => {
    const pool = createPool();
    const before = pool.state;
    expect(Object.isFrozen(before)).toBe(true);
    expect(Object.isFrozen(before.queue)).toBe(true);
    expect(Object.isFrozen(before.queue.stats)).toBe(true);
    await pool.run(() => 1);
    expect(pool.state).not.toBe(before);
    expect(before.queue.stats.enqueued).toBe(0);
    expect(pool.state.queue.stats.enqueued).toBe(1);
  });
});

describe('names', () => {
  const text = 'WorkerPool name must be a non-empty stable string.';

  test.each([
    '',
    ' a',
    'a ',
    'a\0b',
    'a\rb',
    'a\nb',
    'x'.repeat(129),
    undefined,
    null,
    5,
    {},
    Symbol('s'),
  ])('%p is refused', (name) => {
    expect(() => WorkerPool.create(name)).toThrow(new TypeError(text));
  });

  test.each(['a', 'a b', 'ü', 'x'.repeat(123), 'x'.repeat(128)])(
    '%p is taken',
    (name) => {
      const pool = createPool(undefined, name);
      expect(pool.name).toBe(name);
      expect(pool.state.queue.name).toBe(`${name}:pool`);
    },
  );

  test('need not be unique', async () => {
    const [one, two] = [createPool(), createPool()];
    expect(await Promise.all([one.run(() => 1), two.run(() => 2)])).toEqual([
      1, 2,
    ]);
  });
});

describe('option bags', () => {
  const bad = [[], 5, 'x', true, new Map(), new (class Bag {})(), () => {}];

  test.each([undefined, null, {}, Object.create(null)])('%p is none', (bag) => {
    expect(createPool(bag).state.maxQueued).toBe(64);
  });

  test.each(bad)('WorkerPool.create refuses %p', (bag) => {
    expect(() => WorkerPool.create('p', bag)).toThrow(
      new TypeError('WorkerPool.create options must be a plain object.'),
    );
  });

  test.each(bad)('Worker.start refuses %p by a rejection', async (bag) => {
    const error = await rejection(Worker.start('./x.mjs', bag));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe('Worker.start options must be a plain object.');
  });

  test('are looked at before the name', () => {
    expect(() => WorkerPool.create('', [])).toThrow(/plain object/);
  });

  test('are copied', () => {
    const bag = { workers: 2, maxQueued: 3 };
    const pool = createPool(bag);
    bag.workers = 9;
    bag.maxQueued = 9;
    expect(pool.state).toMatchObject({ workers: 2, maxQueued: 3 });
    expect(pool.state.queue).toMatchObject({ concurrency: 2, maxQueued: 3 });
  });

  test('ignore unknown keys', () => {
    expect(createPool({ unknown: 1 }).state.workers).toBe(1);
  });

  test('a polluted prototype is not an option', () => {
    Object.prototype.workers = 7;
    try {
      expect(createPool({}).state.workers).toBe(1);
    } finally {
      delete Object.prototype.workers;
    }
  });
});

describe('defaults', () => {
  test('of a pool', () => {
    expect(createPool().state).toEqual({
      name: 'pool',
      workers: 1,
      maxQueued: 64,
      queue: {
        name: 'pool:pool',
        stopped: false,
        queued: 0,
        active: 0,
        maxQueued: 64,
        concurrency: 1,
        overflow: 'reject',
        stats: {
          enqueued: 0,
          completed: 0,
          failed: 0,
          cancelled: 0,
          timedOut: 0,
          retryExhausted: 0,
          overflow: 0,
        },
      },
    });
  });
});

describe('positive integers', () => {
  const bad = [0, -1, 1.5, '5', null, Number.NaN, Number.POSITIVE_INFINITY];

  test.each(['workers', 'maxBackpressureWaiters', 'memoryLimitMb'])(
    'WorkerPool.%s',
    (field) => {
      for (const value of bad) {
        expect(() => WorkerPool.create('p', { [field]: value })).toThrow(
          new TypeError(`WorkerPool.${field} must be a positive integer.`),
        );
      }
      expect(() => createPool({ [field]: undefined })).not.toThrow();
    },
  );

  test.each(bad)('Worker.memoryLimitMb refuses %p', async (memoryLimitMb) => {
    const path = moduleFile('export const f = () => 1;');
    const error = await rejection(Worker.start(path, { memoryLimitMb }));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe(
      'Worker.memoryLimitMb must be a positive integer.',
    );
  });

  test.each([15, 1, 4097])(
    'a memoryLimitMb of %p is out of range',
    async (memoryLimitMb) => {
      const path = moduleFile('export const f = () => 1;');
      const error = await rejection(Worker.start(path, { memoryLimitMb }));
      expect(error.code).toBe(Code.ResourceLimit);
      expect(error.message).toBe(
        'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED: worker memory/resource limit ' +
          'exceeded: Worker.memoryLimitMb must be from 16 to 4096',
      );
      expect(error.hint).toBe('Worker.memoryLimitMb must be from 16 to 4096');
      expect(() => WorkerPool.create('p', { memoryLimitMb })).toThrow(
        expect.objectContaining({ code: Code.ResourceLimit }),
      );
    },
  );

  test.each([16, 4096])(
    'a memoryLimitMb of %p is in range',
    (memoryLimitMb) => {
      expect(() => createPool({ memoryLimitMb })).not.toThrow();
    },
  );
});

test.each(['drop', 5, {}, ''])('overflow refuses %p', (overflow) => {
  expect(() => WorkerPool.create('p', { overflow })).toThrow(
    new TypeError('WorkerPool overflow must be "reject" or "backpressure".'),
  );
});

test.each([null, undefined])('overflow %p is "reject"', (overflow) => {
  expect(createPool({ overflow }).state.queue.overflow).toBe('reject');
});

test('plan metadata names the bounds and nothing else', async () => {
  const pool = createPool({ workers: 2, maxQueued: 5 });
  expect(pool.__sloppyPlanMetadata()).toEqual({
    kind: 'workerPool',
    name: 'pool',
    workers: 2,
    maxQueued: 5,
  });
  const path = moduleFile('export const f = () => 1;');
  const worker = await Worker.start(path, { memoryLimitMb: 32 });
  expect(worker.__sloppyPlanMetadata()).toEqual({
    kind: 'jsWorker',
    path,
    memoryLimitMb: 32,
  });
  await worker.stop();
});
