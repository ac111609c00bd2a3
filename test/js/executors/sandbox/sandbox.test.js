'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { codeOf, describeHere, sandboxes } = require('./support.js');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const create = sandboxes();

describeHere('values', () => {
  const values = [
    [1],
    ['text'],
    ['wide ж, and half a pair \ud800'],
    [null],
    [true],
    [{ a: [1, { b: 'c' }], d: null, e: [] }],
    [JSON.parse('{"__proto__":{"x":1}}')],
    ['x'.repeat(100_000)],
    [['a'.repeat(5000), 'ж'.repeat(20_000), 'b']],
    [new Uint8Array([1, 2, 3])],
    [Buffer.from('bytes')],
    [new Float64Array([0.5, -1])],
    [{ big: 2 ** 1010, list: Array.from({ length: 3000 }, (_, i) => i) }],
  ];

  test('there and back', async () => {
    const pool = create();
    for (const [value] of values) {
      const back = await pool.run(({ input }) => input, {
        input: value,
        key: 'a',
      });
      expect(back).toEqual(value);
    }
  });

  test('a buffer that is transferred is empty afterwards', async () => {
    const pool = create();
    const input = new Uint8Array([1, 2, 3]);
    const sum = await pool.run(({ input: list }) => list[0] + list[2], {
      input,
      transfer: [input.buffer],
    });
    expect(sum).toBe(4);
    expect(input).toHaveLength(0);
  });

  test('a megabyte', async () => {
    const pool = create();
    const input = new Uint8Array(2 ** 20).fill(7);
    const back = await pool.run(({ input: bytes }) => bytes, { input });
    expect(Buffer.compare(back, input)).toBe(0);
  });
});

describeHere('jobs', () => {
  test('know their worker, and may hand buffers over', async () => {
    const pool = create();
    const job = ({ worker, move }) => {
      const bytes = new Uint8Array([1, 2, 3]);
      return move({ worker: { ...worker }, bytes }, [bytes.buffer]);
    };
    const { worker, bytes } = await pool.run(job, { key: 'a' });
    expect(worker).toEqual({ number: 1, place: 1, threadId: 0, pid: 1 });
    expect([...bytes]).toEqual([1, 2, 3]);
  });

  test('errors come with their class, text and properties', async () => {
    const error = await create()
      .run(() => {
        throw Object.assign(new RangeError('too far'), { by: 3 });
      })
      .catch((thrown) => thrown);
    expect(error.code).toBe('SLOPPY_E_WORK_JOB_FAILED');
    expect(error.cause).toBeInstanceOf(RangeError);
    expect(error.cause).toMatchObject({ message: 'too far', by: 3 });
  });

  test('promises, timers, web globals', async () => {
    const answer = await create().run(
      async ({ input }) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        const { searchParams } = new URL(input);
        return [searchParams.get('a'), new TextEncoder().encode('é').length];
      },
      { input: 'http://localhost/?a=1' },
    );
    expect(answer).toEqual(['1', 2]);
  });

  test('dates and locales need no file', async () => {
    const text = await create().run(() =>
      new Date(Date.UTC(2026, 0, 1)).toLocaleString('de-AT', {
        timeZone: 'Asia/Tokyo',
      }),
    );
    expect(text).toContain('9:00');
  });

  test('host functions are the way out', async () => {
    const pool = create({
      host: {
        price: async (name) => ({ name, cents: 250 }),
        fail: () => {
          throw new TypeError('no');
        },
      },
    });
    const answer = await pool.run(
      async ({ host, input }) => {
        const { cents } = await host.price(input);
        const failure = await host.fail().catch((error) => error.message);
        return [cents, failure];
      },
      { input: 'tea' },
    );
    expect(answer).toEqual([250, 'no']);
  });

  test('messages and streams', async () => {
    const pool = create();
    const heard = [];
    await pool.run(
      ({ emit }) => {
        emit(1);
        emit({ two: 2 });
      },
      { onMessage: (value) => heard.push(value) },
    );
    expect(heard).toEqual([1, { two: 2 }]);
    const seen = [];
    const stream = pool.stream(
      async function* ({ input }) {
        for (let i = 0; i < input; i += 1) yield i;
      },
      { input: 100 },
    );
    for await (const value of stream) seen.push(value);
    expect(seen).toHaveLength(100);
    expect(seen[99]).toBe(99);
  });

  test('an input that streams', async () => {
    const pool = create();
    async function* source() {
      for (let i = 1; i <= 50; i += 1) yield i;
    }
    const sum = await pool.run(
      async ({ input }) => {
        let all = 0;
        for await (const value of input) all += value;
        return all;
      },
      { input: source() },
    );
    expect(sum).toBe(1275);
  });

  test('cancellation reaches a job that looks at its signal', async () => {
    const pool = create({ cancelGraceMs: 10_000 });
    const controller = new AbortController();
    const heard = [];
    const running = pool.run(
      ({ emit, signal }) => {
        emit('begun');
        while (!signal.aborted);
        emit('ended');
      },
      {
        signal: controller.signal,
        onMessage: (value) => {
          heard.push(value);
          controller.abort();
        },
      },
    );
    await expect(codeOf(running)).resolves.toBe('SLOPPY_E_WORK_JOB_CANCELLED');
    await expect(pool.run(() => 1)).resolves.toBe(1);
    expect(heard).toEqual(['begun']);
  });

  test('an endless loop ends at its time', async () => {
    const pool = create();
    const loop = () => {
      for (;;);
    };
    const endless = pool.run(loop, { runTimeoutMs: 100 });
    await expect(codeOf(endless)).resolves.toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
    // A new process may take longer than the pool's limit, on a busy machine.
    const next = pool.run(() => 1, { runTimeoutMs: 60_000 });
    await expect(next).resolves.toBe(1);
  });

  test('a promise that nothing can settle is told at once', async () => {
    const error = await create()
      .run(() => new Promise(() => {}))
      .catch((thrown) => thrown);
    expect(error.message).toContain('can never settle');
  });

  test('the heap has its limit', async () => {
    const pool = create({ memoryLimitMb: 32 });
    const growing = pool.run(() => {
      const list = [];
      for (;;) list.push(new Array(1000).fill(1));
    });
    await expect(codeOf(growing)).resolves.toBe(
      'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED',
    );
    await expect(pool.run(() => 1)).resolves.toBe(1);
  });
});

describeHere('shared values', () => {
  const read = ({ shared }) => [shared.table?.a, Object.keys(shared)];

  test('are in each process, and change with their updates', async () => {
    const pool = create({ workers: 2 });
    const table = pool.share('table', { a: 1 });
    await expect(pool.run(read, { key: 'a' })).resolves.toEqual([1, ['table']]);
    await expect(pool.run(read, { key: 'b' })).resolves.toEqual([1, ['table']]);
    for (let i = 2; i < 20; i += 1) {
      table.update({ a: i, rest: new Uint8Array(2 ** 20) });
      await pool.run(() => 1, { key: 'a' });
    }
    await expect(pool.run(read, { key: 'a' })).resolves.toEqual([
      19,
      ['table'],
    ]);
    table.release();
    await expect(pool.run(read, { key: 'a' })).resolves.toEqual([null, []]);
  });

  test('are no memory of this process', () => {
    const pool = create();
    const share = () => pool.share('memory', new SharedArrayBuffer(8));
    expect(share).toThrow('payload type is unsupported');
  });

  test('what a process changes in one no other sees', async () => {
    const pool = create();
    pool.share('table', { a: 1 });
    const change = ({ shared }) => {
      shared.table.a = 2;
    };
    await pool.run(change, { key: 'a' });
    await expect(pool.run(read, { key: 'b' })).resolves.toEqual([1, ['table']]);
  });
});

describeHere('keys', () => {
  const visit = ({ input }) => {
    globalThis.seen ??= [];
    globalThis.seen.push(input);
    return globalThis.seen;
  };

  test('a key has a process, and finds what it has left', async () => {
    const pool = create({ workers: 2 });
    await pool.run(visit, { input: 1, key: 'a' });
    await pool.run(visit, { input: 2, key: 'b' });
    await expect(pool.run(visit, { input: 3, key: 'a' })).resolves.toEqual([
      1, 3,
    ]);
  });

  test('no key sees what another has left', async () => {
    const pool = create({ workers: 2, sandbox: { maxProcesses: 2 } });
    for (let i = 0; i < 30; i += 1) {
      const key = `key ${i % 5}`;
      const seen = await pool.run(visit, { input: key, key });
      expect(new Set(seen)).toEqual(new Set([key]));
    }
  });

  test('jobs without a key see nobody', async () => {
    const pool = create({ workers: 2 });
    const all = await Promise.all(
      [1, 2, 3, 4].map((input) => pool.run(visit, { input })),
    );
    expect(all).toEqual([[1], [2], [3], [4]]);
  });
});
