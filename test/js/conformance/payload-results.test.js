'use strict';
// Results of jobs, and limits of payloads, in all runtimes.

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const {
  createPool,
  rejection,
  startWorker,
  stopAll,
  testOnIsolates,
} = require('./support.js');

afterEach(stopAll);

const echo = ({ input }) => input;
const send = (input, options) => createPool(options).run(echo, { input });
const RESULT =
  'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED: worker result serialization failed';

describe('results', () => {
  test.each([
    ['function', () => () => 1],
    ['symbol', () => Symbol('s')],
    ['bigint', () => 5n],
    ['Date', () => new Date(0)],
    ['Map', () => new Map()],
    ['class instance', () => new (class A {})()],
    ['NaN', () => Number.NaN],
    ['nested', () => ({ a: [() => 1] })],
    ['Error', () => new Error('x')],
    ['generator', () => (function* g() {})()],
    [
      'cycle',
      () => {
        const a = {};
        a.a = a;
        return a;
      },
    ],
    [
      'getter that throws',
      () => ({
        get a() {
          throw new Error('secret');
        },
      }),
    ],
  ])('%s', async (_name, fn) => {
    const pool = createPool();
    expect((await rejection(pool.run(fn))).message).toBe(RESULT);
    expect(await pool.run(() => 1)).toBe(1);
    expect(pool.state.queue.stats).toMatchObject({ failed: 1, completed: 1 });
  });

  test('undefined stays at the top, null in arrays, dropped in objects', async () => {
    const pool = createPool();
    expect(await pool.run(() => undefined)).toBeUndefined();
    expect(await pool.run(() => {})).toBeUndefined();
    expect(
      await pool.run(() => ({ a: undefined, list: [undefined] })),
    ).toStrictEqual({ list: [null] });
  });

  test('views keep their kind', async () => {
    const { f, d } = await createPool().run(() => ({
      f: Float32Array.of(0.5),
      d: new DataView(new ArrayBuffer(2)),
    }));
    expect(f).toBeInstanceOf(Float32Array);
    expect(f[0]).toBe(0.5);
    expect(d.byteLength).toBe(2);
  });
});

describe('limits', () => {
  const MIB = 1024 * 1024;

  test('a payload over maxPayloadBytes', async () => {
    for (const input of ['x'.repeat(2000), new Uint8Array(2000), [1, 2]]) {
      const limit = Array.isArray(input) ? 4 : 1000;
      const error = await rejection(send(input, { maxPayloadBytes: limit }));
      expect(error.message).toBe(
        'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED: worker payload is larger than maxPayloadBytes',
      );
    }
  });

  test('a result over maxResultBytes', async () => {
    const pool = createPool({ maxResultBytes: 1000 });
    for (const fn of [() => 'x'.repeat(2000), () => new Uint8Array(2000)]) {
      const error = await rejection(pool.run(fn));
      expect(error.message).toBe(
        'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED: worker result is larger than maxResultBytes',
      );
    }
    expect(await pool.run(() => 'small')).toBe('small');
  });

  test('more than the original could carry is fine', async () => {
    const text = 'x'.repeat(3 * MIB);
    expect(await send(text)).toHaveLength(3 * MIB);
    expect((await send(new Uint8Array(3 * MIB))).byteLength).toBe(3 * MIB);
  });

  test.each(['maxPayloadBytes', 'maxResultBytes', 'maxModuleBytes'])(
    '%s goes up to 1 GiB',
    (field) => {
      expect(() => createPool({ [field]: 1024 * MIB })).not.toThrow();
      expect(() => createPool({ [field]: 1024 * MIB + 1 })).toThrow(
        expect.objectContaining({ code: Code.ResourceLimit }),
      );
    },
  );

  test('the heap', async () => {
    const pool = createPool({ memoryLimitMb: 32 });
    const error = await rejection(
      pool.run(() => {
        const all = [];
        for (;;) all.push(new Array(1000).fill(all.length));
      }),
    );
    expect(error.code).toBe(Code.ResourceLimit);
    expect(await pool.run(() => 'goes on')).toBe('goes on');
  });

  testOnIsolates('buffers count as well', async () => {
    const pool = createPool({ memoryLimitMb: 32 });
    const error = await rejection(
      pool.run(() => {
        const all = [];
        for (;;) all.push(new Uint8Array(1024 * 1024).fill(1));
      }),
    );
    expect([Code.ResourceLimit, Code.JobFailed]).toContain(error.code);
    expect(await pool.run(() => 'goes on')).toBe('goes on');
  });

  testOnIsolates('microtasks of one turn', async () => {
    const pool = createPool({ maxMicrotasks: 1000 });
    const error = await rejection(
      pool.run(() => {
        const again = () => Promise.resolve().then(again);
        return again();
      }),
    );
    expect(error.message).toBe(
      'SLOPPY_E_WORK_JOB_TIMEOUT: worker microtask drain exceeded its bound',
    );
    expect(await pool.run(() => 'goes on')).toBe('goes on');
  });

  testOnIsolates('cpu time', async () => {
    const pool = createPool({ cpuLimitMs: 100 });
    const error = await rejection(
      pool.run(() => {
        for (;;);
      }),
    );
    expect(error.message).toBe(
      'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED: worker CPU time limit exceeded',
    );
    expect(await pool.run(() => 'goes on')).toBe('goes on');
  });

  test('a worker has them too', async () => {
    const worker = await startWorker('export const f = (x) => x;', {
      maxPayloadBytes: 1000,
      maxResultBytes: 500,
    });
    expect((await rejection(worker.invoke('f', 'x'.repeat(2000)))).code).toBe(
      Code.ResourceLimit,
    );
    expect((await rejection(worker.invoke('f', 'x'.repeat(700)))).code).toBe(
      Code.ResourceLimit,
    );
    expect(await worker.invoke('f', 'x')).toBe('x');
  });
});
