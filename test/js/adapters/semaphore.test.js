'use strict';

const path = require('node:path');
const { Worker } = require('node:worker_threads');

const { CountingSemaphore } = require('../../../lib/adapters/semaphore.js');

const LIBRARY = JSON.stringify(
  path.resolve(__dirname, '../../../lib/adapters/semaphore.js'),
);

/** Runs code in a thread that has `semaphore` attached to the buffer. */
function inThread(buffer, code) {
  const source = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { CountingSemaphore } = require(${LIBRARY});
    const semaphore = CountingSemaphore.attach(workerData);
    ${code}`;
  const worker = new Worker(source, { eval: true, workerData: buffer });
  const ended = new Promise((resolve, reject) => {
    worker.once('exit', resolve);
    worker.once('error', reject);
  });
  return { worker, ended };
}

const message = (worker) =>
  new Promise((resolve) => {
    worker.once('message', resolve);
  });

describe('over a shared buffer', () => {
  const make = (threads) => {
    const buffer = new SharedArrayBuffer(8);
    return { buffer, semaphore: new CountingSemaphore(buffer, threads) };
  };

  test('the first Int32 holds the permits; the constructor writes them', () => {
    const { buffer, semaphore } = make(3);
    const counter = new Int32Array(buffer);
    expect(counter[0]).toBe(3);
    expect(semaphore.acquire()).toBeUndefined();
    expect(counter[0]).toBe(2);
    expect(semaphore.release()).toBeUndefined();
    semaphore.release();
    expect(counter[0]).toBe(4);
    new CountingSemaphore(buffer);
    expect(counter[0]).toBe(1);
  });

  test.each([0, -1])('%i threads are refused', (threads) => {
    expect(() => make(threads)).toThrow(
      new Error('Threads must be a positive integer'),
    );
  });

  test('attach leaves the count', () => {
    const { buffer, semaphore } = make(2);
    semaphore.acquire();
    const other = CountingSemaphore.attach(buffer);
    expect(other).toBeInstanceOf(CountingSemaphore);
    expect(other.available).toBe(1);
    expect(other.tryAcquire()).toBe(true);
    expect(other.tryAcquire()).toBe(false);
    expect(semaphore.available).toBe(0);
  });

  test('acquire blocks another thread until a release', async () => {
    const { buffer, semaphore } = make(1);
    semaphore.acquire();
    const { worker, ended } = inThread(
      buffer,
      `parentPort.postMessage('up');
      semaphore.acquire();
      parentPort.postMessage('got it');`,
    );
    expect(await message(worker)).toBe('up');
    const got = message(worker);
    semaphore.release();
    expect(await got).toBe('got it');
    expect(semaphore.available).toBe(0);
    await ended;
  });

  test('acquireAsync waits for a release of another thread', async () => {
    const { buffer, semaphore } = make(1);
    semaphore.acquire();
    const { worker, ended } = inThread(
      buffer,
      "parentPort.once('message', () => semaphore.release());",
    );
    const waiting = semaphore.acquireAsync();
    worker.postMessage('go');
    await waiting;
    expect(semaphore.available).toBe(0);
    await ended;
  });

  test('async and blocked waiters wake each other without loss', async () => {
    const { buffer, semaphore } = make(1);
    const loop =
      'for (let i = 0; i < 2000; i++) { semaphore.acquire(); semaphore.release(); }';
    const threads = [inThread(buffer, loop), inThread(buffer, loop)];
    for (let i = 0; i < 500; i++) await semaphore.use(() => {});
    await Promise.all(threads.map(({ ended }) => ended));
    expect(semaphore.available).toBe(1);
  });
});

describe('over a number', () => {
  test('acquire gives a promise, in the order of the calls', async () => {
    const semaphore = new CountingSemaphore(2);
    const order = [];
    const take = (name) => semaphore.acquire().then(() => order.push(name));
    await Promise.all([take('a'), take('b')]);
    const later = [take('c'), take('d')];
    expect(semaphore.tryAcquire()).toBe(false);
    semaphore.release();
    semaphore.release();
    await Promise.all(later);
    expect(order).toEqual(['a', 'b', 'c', 'd']);
    expect(semaphore.available).toBe(0);
    semaphore.release();
    expect(semaphore.tryAcquire()).toBe(true);
  });

  test('use bounds what runs at once and gives back after an error', async () => {
    const semaphore = new CountingSemaphore(3);
    let inside = 0;
    let most = 0;
    const job = async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
      return 'done';
    };
    const results = await Promise.all(
      Array.from({ length: 12 }, () => semaphore.use(job)),
    );
    expect([most, results.length, results[0]]).toEqual([3, 12, 'done']);
    const fail = () => {
      throw new Error('inside');
    };
    await expect(semaphore.use(fail)).rejects.toThrow('inside');
    expect(semaphore.available).toBe(3);
  });

  test.each([0, -2, 1.5, Number.NaN])('%d permits are refused', (permits) => {
    expect(() => new CountingSemaphore(permits)).toThrow(
      'Threads must be a positive integer',
    );
  });
});
