'use strict';

// Jobs that use node:v8 against their limits: the job ends with an error of ours,
// and the worker goes on.

const { WorkerPool } = require('../../../lib/index.js');

const LIMIT = 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED';
const TIMEOUT = 'SLOPPY_E_WORK_JOB_TIMEOUT';
const WITHHELD = 'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED';

describe('limits of jobs that use v8', () => {
  let pool;
  beforeAll(() => {
    pool = WorkerPool.create('v8-limits', { workers: 1, memoryLimitMb: 64 });
  });
  afterAll(() => pool.stop());

  const codeOf = (job, options) =>
    pool.run(job, options).then(
      (value) => value,
      (error) => error.code,
    );
  const goesOn = async () => {
    const value = await pool.run(async () => {
      const { deserialize, serialize } = await import('node:v8');
      return deserialize(serialize('next'));
    });
    expect(value).toBe('next');
  };

  test('memory of serializers that are kept', async () => {
    const code = await codeOf(async () => {
      const { Serializer } = await import('node:v8');
      const kept = [];
      for (let count = 0; count < 100; count += 1) {
        const serializer = new Serializer();
        serializer.writeRawBytes(Buffer.alloc(1 << 20));
        kept.push(serializer);
      }
      return kept.length;
    });
    expect(code).toBe(LIMIT);
    await goesOn();
  });

  test('one value that is too large', async () => {
    const code = await codeOf(async () => {
      const { serialize } = await import('node:v8');
      const text = 'x'.repeat(1 << 20);
      return serialize(Array.from({ length: 80 }, (_, at) => `${text}${at}`))
        .length;
    });
    expect(code).toBe(LIMIT);
    await goesOn();
  });

  test('memory that was given back is there again', async () => {
    const total = await pool.run(async () => {
      const { serialize } = await import('node:v8');
      let size = 0;
      for (let count = 0; count < 100; count += 1) {
        size += serialize(new Uint8Array(4 << 20)).length;
      }
      return size;
    });
    expect(total).toBeGreaterThan(100 * (4 << 20));
  });

  test('bytes that stand for more than there is room for', async () => {
    const code = await codeOf(async () => {
      const { deserialize } = await import('node:v8');
      const count = 1 << 20;
      const item = Buffer.from('6f7b00', 'hex');
      const bytes = Buffer.concat([
        Buffer.from('ff0d41808040', 'hex'),
        Buffer.alloc(count * item.length, item),
        Buffer.from('2400808040', 'hex'),
      ]);
      return deserialize(bytes).length;
    });
    expect(code).toBe(LIMIT);
    await goesOn();
  });

  test.each([
    ['_readHostObject', 'read'],
    ['_writeHostObject', 'write'],
    ['onInit', 'hook'],
    ['onBefore', 'hook'],
    ['onAfter', 'hook'],
    ['onSettled', 'hook'],
  ])('%s that never returns', async (name, kind) => {
    const job = async ({ input }) => {
      const v8 = await import('node:v8');
      const forever = () => {
        for (;;);
      };
      if (input.kind === 'hook') {
        v8.promiseHooks[input.name](forever);
        await new Promise((resolve) => resolve());
        await 1;
      } else if (input.kind === 'read') {
        const bytes = Buffer.from('ff0d5c', 'hex');
        const reader = new v8.DefaultDeserializer(bytes);
        reader[input.name] = forever;
        reader.readHeader();
        reader.readValue();
      } else {
        const writer = new v8.DefaultSerializer();
        writer[input.name] = forever;
        writer.writeValue(new Uint8Array(1));
      }
    };
    const input = { name, kind };
    expect(await codeOf(job, { input, timeoutMs: 300 })).toBe(TIMEOUT);
    await goesOn();
  });

  test('what concerns the process throws, every time', async () => {
    const codes = await pool.run(async () => {
      const { default: v8 } = await import('node:v8');
      const codeOfCall = (call) => {
        try {
          return call();
        } catch (error) {
          return error.code;
        }
      };
      const names = Object.keys(v8).filter((name) =>
        /^(set|start[CH]|stop|take|write|query|getHeapSnap|getCpp)/.test(name),
      );
      const calls = names.flatMap((name) => [() => v8[name](1), v8[name]]);
      return [...calls, () => new v8.GCProfiler()].map(codeOfCall);
    });
    expect(codes.length).toBeGreaterThan(14);
    expect(new Set(codes)).toEqual(new Set([WITHHELD]));
  });
});
