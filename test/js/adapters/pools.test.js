'use strict';

const { pathToFileURL } = require('node:url');

const {
  ReusableWorkerPool,
  TransientWorkerPool,
  WorkerSession,
} = require('../../../lib/adapters/pools.js');
const { fixture } = require('./support.js');

const FILE = fixture('numbered-worker.mjs');
const URL_OF = pathToFileURL(FILE);
const MISSING = fixture('gone.mjs');
const made = [];

function reusable(options) {
  const pool = new ReusableWorkerPool(options);
  made.push(pool);
  return pool;
}

afterEach(() => {
  for (const pool of made.splice(0)) pool.terminate();
});

/** One request and its answer, as the users of these pools do it. */
function ask(worker, request) {
  return new Promise((resolve, reject) => {
    const onMessage = (event) => {
      if (event.data.id !== request.id) return;
      worker.removeEventListener('message', onMessage);
      resolve(event.data);
    };
    worker.addEventListener('message', onMessage);
    worker.addEventListener('error', (event) => reject(event.error));
    worker.postMessage(request);
  });
}

const ended = (worker) =>
  new Promise((resolve) => worker.once('exit', resolve));

describe('ReusableWorkerPool', () => {
  test.each([0, -1, Number.NaN])('maxWorkers %d is refused', (maxWorkers) => {
    expect(() => new ReusableWorkerPool({ maxWorkers })).toThrow(
      new Error('maxWorkers must be at least 1'),
    );
  });

  // These numbers come from a variable of the environment, or a division.
  test.each(['2', 1.5])('maxWorkers %p is two', async (maxWorkers) => {
    const pool = reusable({ maxWorkers, workerURL: FILE });
    const creations = [pool.getWorker()];
    expect(pool.isFull()).toBe(false);
    creations.push(pool.getWorker());
    expect(pool.isFull()).toBe(true);
    pool.resize(maxWorkers);
    await Promise.all(creations);
    expect(pool.size).toBe(2);
  });

  test('one worker by default, given to everybody', async () => {
    const pool = reusable();
    expect([pool.size, pool.isFull()]).toEqual([0, false]);
    const worker = await pool.getWorker();
    expect(await pool.getWorker()).toBe(worker);
    expect([pool.size, pool.isFull()]).toEqual([1, true]);
    expect(pool.releaseWorker(worker)).toBeUndefined();
    expect(await pool.getWorker()).toBe(worker);
  });

  test('while there is room every call makes a worker, then they take turns', async () => {
    const pool = reusable({ maxWorkers: 2, workerURL: FILE });
    const first = await pool.getWorker();
    const second = await pool.getWorker();
    expect(second).not.toBe(first);
    for (const expected of [first, second, first]) {
      expect(await pool.getWorker()).toBe(expected);
    }
  });

  test('creations under way count, and are shared when the pool is full', async () => {
    const pool = reusable({ maxWorkers: 2 });
    const calls = [pool.getWorker(), pool.getWorker(), pool.getWorker()];
    expect([pool.isFull(), pool.size]).toEqual([true, 0]);
    const [first, second, third] = await Promise.all(calls);
    expect(second).not.toBe(first);
    expect(third).toBe(first);
    expect(pool.size).toBe(2);
    expect(await pool.getWorker()).toBe(first);
    expect(await pool.getWorker()).toBe(second);
  });

  test('workers are kept apart by URL', async () => {
    const pool = reusable({ maxWorkers: 2 });
    const plain = await pool.getWorker();
    const own = await pool.getWorker(URL_OF);
    expect(own).not.toBe(plain);
    expect(await pool.getWorker(URL_OF.href)).toBe(own);
    expect(await pool.getWorker(URL_OF)).toBe(own);
    expect(await pool.getWorker()).toBe(plain);
    await expect(pool.getWorker(FILE)).rejects.toThrow(
      new Error(
        'Worker pool is at maximum capacity (2) and no worker with URL ' +
          `"${FILE}" is available`,
      ),
    );
  });

  test('answers are told apart by request id', async () => {
    const pool = reusable({ workerURL: FILE });
    const [one, two] = await Promise.all([pool.getWorker(), pool.getWorker()]);
    expect(one).toBe(two);
    const ids = [pool.getNextRequestId(), pool.getNextRequestId()];
    expect(ids).toEqual([0, 1]);
    const answers = await Promise.all(ids.map((id) => ask(one, { id })));
    expect(answers.map(({ served }) => served)).toEqual([1, 2]);
  });

  test('terminate is at once, for good and repeatable', async () => {
    const pool = reusable({ maxWorkers: 2 });
    const worker = await pool.getWorker();
    const exit = ended(worker);
    expect(pool.terminate()).toBeUndefined();
    pool[Symbol.dispose]();
    expect([pool.size, pool.isFull()]).toEqual([0, false]);
    await expect(pool.getWorker()).rejects.toThrow(
      new Error('Worker pool has been disposed'),
    );
    await exit;
  });

  test('a creation under way at terminate ends its worker', async () => {
    const pool = reusable({ maxWorkers: 2 });
    const creation = pool.getWorker();
    pool.terminate();
    expect([pool.size, pool.isFull()]).toEqual([0, false]);
    await expect(creation).rejects.toThrow(
      new Error('Worker pool was disposed during worker creation'),
    );
    expect(pool.size).toBe(0);
  });

  test('a creation that fails rejects with the cause and gives its place back', async () => {
    const pool = reusable();
    await expect(pool.getWorker(MISSING)).rejects.toThrow(/gone\.mjs/);
    expect([pool.size, pool.isFull()]).toEqual([0, false]);
    expect(await pool.getWorker(FILE)).toBeDefined();
  });

  test('a dead worker leaves the rotation', async () => {
    const pool = reusable({ maxWorkers: 2, workerURL: FILE });
    const first = await pool.getWorker();
    const second = await pool.getWorker();
    const exit = ended(first);
    first.postMessage({ exit: 3 });
    expect(await exit).toBe(3);
    expect([pool.size, pool.isFull()]).toEqual([1, false]);
    const third = await pool.getWorker();
    expect([third === first, third === second]).toEqual([false, false]);
    expect(await pool.getWorker()).toBe(second);
  });

  test('resize makes room, and ends surplus workers when they are free', async () => {
    const pool = reusable({ workerURL: FILE });
    const first = await pool.getWorker();
    pool.resize(2);
    expect(pool.isFull()).toBe(false);
    const second = await pool.getWorker();
    pool.resize(1);
    expect([pool.size, pool.isFull()]).toEqual([1, true]);
    expect(await pool.getWorker()).toBe(first);
    expect((await ask(second, { id: 1 })).served).toBe(1);
    const exit = ended(second);
    pool.releaseWorker(second);
    await exit;
    expect(() => pool.resize(0)).toThrow('maxWorkers must be at least 1');
  });
});

describe('TransientWorkerPool', () => {
  test('a new worker each time, ended by its release', async () => {
    const pool = new TransientWorkerPool({ workerURL: FILE });
    const [first, second] = await Promise.all([
      pool.getWorker(),
      pool.getWorker(URL_OF),
    ]);
    expect(second).not.toBe(first);
    expect([pool.size, pool.isFull()]).toEqual([0, false]);
    expect([pool.getNextRequestId(), pool.getNextRequestId()]).toEqual([0, 1]);
    const exits = [ended(first), ended(second)];
    pool.releaseWorker(first);
    pool.releaseWorker(first);
    await exits[0];
    pool.terminate();
    pool[Symbol.dispose]();
    expect((await ask(second, { id: 7 })).served).toBe(1);
    pool.releaseWorker(second);
    await exits[1];
    await expect(pool.getWorker(MISSING)).rejects.toThrow(/gone\.mjs/);
  });
});

describe('WorkerSession', () => {
  test('without a pool: a worker and a counter of its own', async () => {
    const session = await WorkerSession.create({ workerURL: URL_OF });
    const worker = session.getWorker();
    expect(session.getWorker()).toBe(worker);
    const id = session.getNextRequestId();
    expect([id, session.getNextRequestId()]).toEqual([0, 1]);
    expect((await ask(worker, { id })).served).toBe(1);
    expect((await ask(worker, { id: 1 })).served).toBe(2);
    const exit = ended(worker);
    session[Symbol.dispose]();
    await exit;
  });

  test('with nothing at all there is a worker, which refuses what it does not know', async () => {
    const session = await WorkerSession.create();
    const answer = await ask(session.getWorker(), { id: 0, type: 'parse' });
    expect(answer).toEqual({ id: 0, type: 'error', error: expect.any(String) });
    session[Symbol.dispose]();
  });

  test("with a pool: the pool's worker and counter, given back at the end", async () => {
    const pool = reusable({ workerURL: FILE });
    pool.getNextRequestId();
    const session = await WorkerSession.create({ workerPool: pool });
    expect(session.getNextRequestId()).toBe(1);
    const worker = session.getWorker();
    session[Symbol.dispose]();
    expect(pool.size).toBe(1);
    const again = await WorkerSession.create({ workerPool: pool });
    expect(again.getWorker()).toBe(worker);
  });

  test('with a transient pool the worker ends with the session', async () => {
    const workerPool = new TransientWorkerPool({ workerURL: FILE });
    const session = await WorkerSession.create({ workerPool });
    const exit = ended(session.getWorker());
    session[Symbol.dispose]();
    await exit;
  });

  test('any object with the interface is a pool', async () => {
    const calls = [];
    const workerPool = {
      getWorker: async (...args) => {
        calls.push(['getWorker', ...args]);
        return 'a worker';
      },
      releaseWorker: (worker) => calls.push(['releaseWorker', worker]),
      getNextRequestId: () => 42,
    };
    const session = await WorkerSession.create({ workerPool });
    expect(session.getWorker()).toBe('a worker');
    expect(session.getNextRequestId()).toBe(42);
    session[Symbol.dispose]();
    expect(calls).toEqual([
      ['getWorker', undefined],
      ['releaseWorker', 'a worker'],
    ]);
  });
});
