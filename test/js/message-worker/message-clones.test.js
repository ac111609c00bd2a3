'use strict';

const { deserialize, serialize } = require('node:v8');

const {
  createMessageWorker,
} = require('../../../lib/message-worker/message-worker.js');
const { WorkerPool } = require('../../../lib/adapters/message-pool.js');
const { CountingSemaphore } = require('../../../lib/adapters/semaphore.js');
const { fixture, pool, stopAll } = require('../adapters/support.js');

const ECHO = `
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.on('message', (value) => {
    if (value === 'data') parentPort.postMessage(workerData);
    else if (value === 'made') parentPort.postMessage(new Made(), made);
    else if (value === 'function') {
      try {
        parentPort.postMessage({ f() {} });
      } catch (error) {
        parentPort.postMessage({ code: error.code, name: error.name });
      }
    } else if (value?.counter) {
      Atomics.add(new Int32Array(value.counter), 0, value.by);
      parentPort.postMessage(value.counter);
    } else parentPort.postMessage(value);
  });
  const made = [];
  class Made {
    when = new Date(5);
    bytes = new Uint8Array([1, 2]).buffer;
    constructor() {
      made.push(this.bytes);
    }
  }`;

let worker;

const open = async (workerData) => {
  worker = createMessageWorker({ source: ECHO, workerData });
  await new Promise((resolve) => worker.once('online', resolve));
};
const answer = (value, transfer) => {
  const answered = new Promise((resolve) => worker.once('message', resolve));
  worker.postMessage(value, transfer);
  return answered;
};

afterEach(async () => {
  await worker?.terminate();
  worker = undefined;
  await stopAll();
});

// The classes are this realm's, because Jest's own are not Node's.
const here = (value) => deserialize(serialize(value));

class Point {
  x = 1;
  #secret = 2;
  secret() {
    return this.#secret;
  }
}

const CLONED = {
  'not a number': NaN,
  'an infinite number': [-Infinity],
  'an undefined property': { a: undefined, b: 1 },
  'an undefined element': [undefined, 1],
  // biome-ignore lint/suspicious/noSparseArray: that is what is tested
  'a hole': [1, , 3],
  'a big integer': { n: 2n ** 70n },
  'a date': [new Date(5)],
  'a regular expression': { pattern: /x/gi },
  'a map': new Map([[{ key: 1 }, new Set([1, 'two'])]]),
  'a boxed number': Object(3),
  'an instance': new Point(),
};

describe('what structured clone knows', () => {
  test.each(Object.keys(CLONED))('%s', async (name) => {
    await open();
    const got = await answer(CLONED[name]);
    expect(here(got)).toEqual(here(CLONED[name]));
    expect(Object.keys(Object(got))).toEqual(Object.keys(Object(CLONED[name])));
  });

  test('a cycle', async () => {
    await open();
    const value = { list: [] };
    value.list.push(value);
    const got = await answer(value);
    expect(got.list[0]).toBe(got);
  });

  test('an error with its class, message and cause', async () => {
    await open();
    const got = await answer({ error: new RangeError('out') });
    expect([got.error.name, got.error.message]).toEqual(['RangeError', 'out']);
    expect(got.error.stack).toMatch('message-clones.test.js');
  });

  test('as the data of the start', async () => {
    const when = new Date(7);
    await open({ when, map: new Map([[1, 2]]), nothing: undefined });
    const got = await answer('data');
    expect(Object.keys(got)).toEqual(['when', 'map', 'nothing']);
    expect([got.when.getTime(), got.map.get(1)]).toEqual([7, 2]);
  });

  test('buffers still move, in both directions', async () => {
    await open();
    const bytes = new Uint8Array([3, 4]);
    const got = await answer({ when: new Date(1), bytes }, [bytes.buffer]);
    expect(bytes.length).toBe(0);
    expect([...got.bytes]).toEqual([3, 4]);
    const made = await answer('made');
    expect(made.when.getTime()).toBe(5);
    expect([...new Uint8Array(made.bytes)]).toEqual([1, 2]);
  });
});

test('shared memory is shared: alone, in an object, by a view, as data', async () => {
  const counter = new SharedArrayBuffer(4);
  const cells = new Int32Array(counter);
  await open({ counter });
  await answer({ counter, by: 2 });
  expect(cells[0]).toBe(2);
  const back = await answer({ counter, by: 3, when: new Date(0) });
  expect([cells[0], new Int32Array(back)[0]]).toEqual([5, 5]);
  const { counter: data } = await answer('data');
  cells[0] = 9;
  expect(new Int32Array(data)[0]).toBe(9);
  const view = await answer(cells);
  cells[0] = 10;
  expect(view[0]).toBe(10);
});

test('a semaphore over shared memory holds across workers', async () => {
  const permits = new SharedArrayBuffer(4);
  const report = new SharedArrayBuffer(8);
  const semaphore = new CountingSemaphore(permits, 2);
  const workers = new WorkerPool(4, fixture('semaphore-worker.cjs'), {
    permits,
    report,
  });
  await Promise.all([1, 2, 3, 4].map(() => workers.submit({ times: 200 })));
  expect(semaphore.available).toBe(2);
  const [done, most] = new Int32Array(report);
  expect(done).toBe(800);
  expect(most).toBeLessThanOrEqual(2);
  await workers.terminate();
});

test('what cannot be cloned is refused on either side, and nothing ends', async () => {
  await open();
  for (const value of [() => {}, { f() {} }, Symbol('s'), new WeakMap()]) {
    expect(() => worker.postMessage(value)).toThrow(
      expect.objectContaining({ code: 'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD' }),
    );
  }
  const refused = await answer('function');
  expect(
    refused.code === 'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD' ||
      refused.name === 'DataCloneError',
  ).toBe(true);
  expect(await answer(1)).toBe(1);
});

test('a getter that throws is refused, without its text', async () => {
  await open();
  const value = {
    when: new Date(),
    get bad() {
      throw new Error('secret text');
    },
  };
  let caught;
  try {
    worker.postMessage(value);
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeDefined();
  if (caught.code !== undefined) expect(caught.message).not.toMatch('secret');
});

test('QOper8: messages and answers', async () => {
  const qoper8 = pool({
    age: {
      text: `const { born, tags, limit } = message.data;
        finished({ born, tags: new Set([...tags, 'seen']), limit, none: undefined });`,
    },
  });
  const data = { born: new Date(3), tags: new Set(['a']), limit: Infinity };
  const answered = await qoper8.send({ type: 'age', data });
  expect(answered.born.getTime()).toBe(3);
  expect([...answered.tags]).toEqual(['a', 'seen']);
  expect(answered.limit).toBe(Infinity);
  expect(Object.keys(answered)).toContain('none');
});
