// biome-ignore-all lint/security/noGlobalEval: it is what is forbidden
'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {
  describeHere,
  isAlive,
  started,
  withArguments,
} = require('./support.js');
const { Worker, WorkerPool } = require('../../../../lib/index.js');

const TIME = { runTimeoutMs: 20_000 };
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-'));
const file = (name, text) => {
  const at = path.join(folder, name);
  fs.writeFileSync(at, text);
  return at;
};
afterAll(() => fs.rmSync(folder, { recursive: true }));

const pools = [];
function create(options = {}) {
  const pool = WorkerPool.create('tenants', {
    ...TIME,
    sandbox: true,
    ...options,
  });
  pools.push(pool);
  return pool;
}
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.stop())));

const codeOf = (promise) =>
  promise.then(
    (value) => ({ value }),
    ({ code }) => code,
  );

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
    const pool = create({ runTimeoutMs: 100 });
    const endless = pool.run(() => {
      for (;;);
    });
    await expect(codeOf(endless)).resolves.toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
    await expect(pool.run(() => 1)).resolves.toBe(1);
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

describeHere('what is told', () => {
  test('the layers that hold', async () => {
    const pool = create();
    const state = await pool.sandbox();
    expect(Object.keys(state.layers)).toEqual([
      'user',
      'namespaces',
      'landlock',
      'capabilities',
      'limits',
      'seccomp',
    ]);
    expect(state.layers).toMatchObject({ limits: true, seccomp: true });
    expect(state).toMatchObject({ jit: false, processes: 1 });
  });

  test('a layer that is missing: nothing has run', async () => {
    // All but the capabilities.
    withArguments({ layers: 63 - 8 });
    const pool = create({ sandbox: { require: ['capabilities'] } });
    const error = await pool.run(() => 1).catch((thrown) => thrown);
    withArguments({});
    expect(error.code).toBe('SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE');
    expect(error.cause).toMatchObject({ layer: 'capabilities' });
  });

  test('sandbox() refuses as jobs do', async () => {
    withArguments({ layers: 63 - 32 });
    const refused = codeOf(create().sandbox());
    await expect(refused).resolves.toBe('SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE');
    withArguments({});
  });
});

describeHere('options', () => {
  const creating = (options) => () => WorkerPool.create('x', options);

  test.each([
    [{ sandbox: true }, /runTimeoutMs/],
    [{ ...TIME, sandbox: 'yes' }, /sandbox must be/],
    [{ ...TIME, sandbox: { jitt: true } }, /did you mean "jit"/],
    [{ ...TIME, sandbox: { jit: 1 } }, /jit must be a boolean/],
    [{ ...TIME, sandbox: { spares: -1 } }, /spares/],
    [{ ...TIME, sandbox: { require: ['all'] } }, /require must be some of/],
    [{ ...TIME, sandbox: { roots: ['/nowhere/at/all'] } }, /that exist/],
    [{ ...TIME, sandbox: true, runtime: 'thread' }, /runtime "isolate"/],
    [{ ...TIME, sandbox: true, isolation: 'context' }, /isolation/],
    [{ ...TIME, sandbox: true, codeCache: '/tmp/x' }, /codeCache/],
    [{ ...TIME, sandbox: true, payload: 'clone' }, /payload/],
    [{ ...TIME, sandbox: true, cpuLimitMs: 5 }, /cpuLimitMs/],
  ])('%j is refused', (options, text) => {
    expect(creating(options)).toThrow(TypeError);
    expect(creating(options)).toThrow(text);
  });

  test('no call lifts the limit of time', async () => {
    const endless = create().run(() => 1, { runTimeoutMs: Infinity });
    await expect(endless).rejects.toThrow(/limit of time/);
  });

  test.each([
    ['argv', ['a']],
    ['env', { A: 'b' }],
    ['nice', 1],
    ['recycleAboveMb', 100],
    ['concurrentJobsPerWorker', 2],
  ])('%s does not go with it', (name, value) => {
    expect(() => create({ [name]: value })).toThrow(TypeError);
  });

  test('no figures of processes', async () => {
    const pool = create();
    await pool.run(() => 1);
    expect(await codeOf(pool.stats())).toBe(
      'SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE',
    );
    await pool.recycle();
    expect(await pool.run(() => 2)).toBe(2);
  });

  test('no job is for a given process', async () => {
    await expect(codeOf(create().broadcast(() => 1))).resolves.toBe(
      'SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE',
    );
  });

  test('without the option there is nothing to tell', async () => {
    const pool = WorkerPool.create('plain');
    pools.push(pool);
    await expect(pool.sandbox()).rejects.toThrow(/option sandbox/);
  });

  test('eval can be forbidden', async () => {
    const pool = create({ allowEval: false });
    const error = await pool
      .run(() => globalThis.eval('1'))
      .catch((thrown) => thrown);
    expect(error.cause.name).toBe('EvalError');
    await expect(create().run(() => globalThis.eval('1 + 1'))).resolves.toBe(2);
  });

  test('without jit there is no WebAssembly', async () => {
    const kind = () => typeof WebAssembly;
    await expect(create().run(kind)).resolves.toBe('undefined');
    const pool = create({ sandbox: { jit: true } });
    await expect(pool.run(kind)).resolves.toBe('object');
  });
});

describeHere('modules', () => {
  const inner = file('inner.mjs', 'export const word = "inner";');
  file('common.cjs', 'exports.word = "common";');
  const outer = file(
    'outer.mjs',
    `import { word } from './inner.mjs';
     import common from './common.cjs';
     export const words = () => [word, common.word];
     export const load = (name) => import(name).then((m) => m.word ?? m);
     let count = 0;
     export const next = () => ++count;`,
  );
  const secret = file('secret.mjs', 'export const word = "secret";');

  test('the static graph of the pool’s module', async () => {
    const pool = create({ module: outer });
    await expect(pool.tasks.words()).resolves.toEqual(['inner', 'common']);
    await expect(pool.tasks.load(inner)).resolves.toBe('inner');
  });

  test('nothing else of the owner’s files', async () => {
    const pool = create({ module: outer });
    const refused = await pool.tasks.load(secret).catch((thrown) => thrown);
    expect(refused.cause.code).toBe('ERR_MODULE_NOT_FOUND');
    const sent = await create()
      .run(({ input }) => import(input), { input: secret })
      .catch((thrown) => thrown);
    expect(sent.cause.code).toBe('ERR_MODULE_NOT_FOUND');
  });

  test('files below a root', async () => {
    const pool = create({ sandbox: { roots: [folder] } });
    const run = ({ input }) => import(input).then((m) => m.word);
    await expect(pool.run(run, { input: secret })).resolves.toBe('secret');
    const outside = await pool
      .run(run, { input: __filename })
      .catch((thrown) => thrown);
    expect(outside.cause.code).toBe('ERR_MODULE_NOT_FOUND');
  });

  test('a link below a root does not lead out', async () => {
    const root = fs.mkdtempSync(path.join(folder, 'root-'));
    fs.symlinkSync(secret, path.join(root, 'link.mjs'));
    const pool = create({ sandbox: { roots: [root] } });
    const refused = await pool
      .run(({ input }) => import(input), { input: path.join(root, 'link.mjs') })
      .catch((thrown) => thrown);
    expect(refused.cause.code).toBe('ERR_MODULE_NOT_FOUND');
  });

  test('modules of a call', async () => {
    const pool = create();
    const word = await pool.run(({ modules }) => modules.outer.words(), {
      modules: { outer },
    });
    expect(word).toEqual(['inner', 'common']);
  });

  test('a module that throws', async () => {
    const bad = file('bad.mjs', 'throw new RangeError("bad");');
    const pool = create({ module: bad });
    const error = await pool.tasks.any().catch((thrown) => thrown);
    expect(error.code).toBe('SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED');
    expect(error.cause).toBeInstanceOf(RangeError);
  });

  test('init and dispose', async () => {
    const module = file(
      'init.mjs',
      `export const init = (data) => ({ data });
       export const state = (_input, { state }) => state.data;`,
    );
    const pool = create({ module, init: { data: { a: [1] } } });
    await expect(pool.tasks.state()).resolves.toEqual({ a: [1] });
  });

  test('a Worker keeps its state', async () => {
    const worker = await Worker.start(outer, { ...TIME, sandbox: true });
    await worker.invoke('next');
    await expect(worker.invoke('next')).resolves.toBe(2);
    await worker.stop();
  });
});

describeHere('life', () => {
  test('stop() leaves no process', async () => {
    const pool = create({ workers: 2 });
    await Promise.all([pool.run(() => 1), pool.run(() => 2)]);
    const endless = codeOf(
      pool.run(() => {
        for (;;);
      }),
    );
    await pool.stop({ drain: false, timeoutMs: 100 });
    await endless;
    expect(started().filter(({ pid }) => isAlive(pid))).toEqual([]);
  });

  test('a spare is ready, and has run nothing', async () => {
    const pool = create();
    await pool.run(() => {
      globalThis.seen = true;
    });
    while ((await pool.sandbox()).spares === 0) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await expect(pool.run(() => globalThis.seen === undefined)).resolves.toBe(
      true,
    );
  });
});
