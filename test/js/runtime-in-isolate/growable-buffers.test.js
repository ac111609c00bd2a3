'use strict';

// src/runtime/memory.js: what makes or grows resizable buffers is wrapped when
// it is touched, and looks as it did.
const { runInNewContext } = require('node:vm');

const { WorkerPool } = require('../../../lib/index.js');

let pool;

beforeAll(async () => {
  pool = await WorkerPool.create('growable', { workers: 1 });
});

afterAll(() => pool.stop());

/* global globalThis */
const describeBuffers = () => {
  const show = (Class, growing) => {
    const descriptor = (object, key) => {
      const { writable, enumerable, configurable, value } =
        Object.getOwnPropertyDescriptor(object, key);
      return [writable, enumerable, configurable, value.name, value.length];
    };
    return {
      global: descriptor(globalThis, Class.name),
      constructor: descriptor(Class.prototype, 'constructor'),
      grow: descriptor(Class.prototype, growing),
      statics: Reflect.ownKeys(Class).map(String).sort(),
      same: Class.prototype.constructor === Class,
    };
  };
  return [show(ArrayBuffer, 'resize'), show(SharedArrayBuffer, 'grow')];
};

test('looks as the originals do', async () => {
  // The class is of a realm that Jest has not touched.
  const originals = runInNewContext(`JSON.stringify((${describeBuffers})())`);
  expect(await pool.run(describeBuffers)).toEqual(JSON.parse(originals));
});

test('behaves as the originals do', async () => {
  const seen = await pool.run(() => {
    const buffer = new ArrayBuffer(8, { maxByteLength: 64 });
    buffer.resize(32);
    const shared = new SharedArrayBuffer(8, { maxByteLength: 64 });
    shared.grow(32);
    class Mine extends ArrayBuffer {}
    const text = (call) => {
      try {
        return call();
      } catch (error) {
        return error.name;
      }
    };
    return [
      buffer.byteLength,
      shared.byteLength,
      new Uint8Array(4).buffer.constructor === ArrayBuffer,
      new Uint8Array(4).buffer instanceof ArrayBuffer,
      new Mine(4) instanceof Mine,
      new Mine(4).slice(1).byteLength,
      text(() => Reflect.apply(ArrayBuffer, null, [1])),
      text(() => new ArrayBuffer(4).resize(8)),
      text(() => buffer.resize(65)),
    ];
  });
  expect(seen).toEqual([
    32,
    32,
    true,
    true,
    true,
    3,
    'TypeError',
    'TypeError',
    'RangeError',
  ]);
});

test.each([
  ['the constructor', () => new ArrayBuffer(1, { maxByteLength: 2 ** 31 })],
  [
    'the constructor that a buffer names',
    () =>
      new new Uint8Array(1).buffer.constructor(1, { maxByteLength: 2 ** 31 }),
  ],
])('memory by way of %s is counted', async (_, make) => {
  const grow = Function(
    `const buffer = (${make})();
     const { resize } = Object.getPrototypeOf(buffer);
     for (let size = 1; size < 2 ** 31; size += 2 ** 22) {
       resize.call(buffer, size);
       new Uint8Array(buffer).fill(1, size - 1);
       new Uint8Array(buffer).fill(1);
     }`,
  );
  const small = await WorkerPool.create('growing', {
    workers: 1,
    memoryLimitMb: 32,
  });
  await expect(small.run(grow)).rejects.toMatchObject({
    code: 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED',
  });
  await expect(small.run(() => 1)).resolves.toBe(1);
  await small.stop();
});

test("what a job did to Object.prototype does not break the next one's", async () => {
  await pool.run(() => {
    Object.defineProperty(Object.prototype, 'get', {
      configurable: true,
      value: () => 1,
    });
  });
  const length = await pool.run(() => {
    const buffer = new SharedArrayBuffer(1, { maxByteLength: 2 });
    buffer.grow(2);
    delete Object.prototype.get;
    return buffer.byteLength;
  });
  expect(length).toBe(2);
});
