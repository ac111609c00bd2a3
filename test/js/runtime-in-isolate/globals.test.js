'use strict';

const { WorkerPool } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { rejection } = require('../support/promises.js');

let pool;

beforeAll(() => {
  pool = WorkerPool.create('globals', { workers: 1 });
});

afterAll(() => pool.stop());

test('every global is there, untouched and as a data property', async () => {
  const {
    INTERFACES,
    OPERATIONS,
    REPLACEABLE,
  } = require('../../../src/runtime/globals/names.js');
  const wanted = [INTERFACES, OPERATIONS]
    .flatMap((table) => Object.values(table).flat())
    .filter((name) => !REPLACEABLE.includes(name));
  const found = await pool.run(
    ({ input }) =>
      input.map((name) => {
        const { value, writable, configurable } =
          Object.getOwnPropertyDescriptor(globalThis, name);
        return [name, value !== undefined && writable && configurable];
      }),
    { input: wanted },
  );
  expect(found).toEqual(wanted.map((name) => [name, true]));
});

test('a global that was assigned before its first use keeps the value', async () => {
  const seen = await pool.run(() => {
    globalThis.CustomEvent = 1;
    return globalThis.CustomEvent;
  });
  expect(seen).toBe(1);
});

test('timers, immediates and microtasks run in their order', async () => {
  const order = await pool.run(
    () =>
      new Promise((resolve) => {
        const out = [];
        setImmediate(() => {
          out.push('immediate');
          Promise.resolve().then(() => out.push('its microtask'));
          setImmediate(() => {
            out.push('immediate of the next turn');
            resolve(out);
          });
        });
        const cleared = setImmediate(() => out.push('never'));
        setImmediate(() => out.push('second immediate'));
        clearImmediate(cleared);
        queueMicrotask(() => out.push('microtask'));
        out.push('job');
      }),
  );
  expect(order).toEqual([
    'job',
    'microtask',
    'immediate',
    'its microtask',
    'second immediate',
    'immediate of the next turn',
  ]);
});

test('a job that waits only for a timer without reference is ended', async () => {
  const error = await rejection(
    pool.run(() => {
      setTimeout(() => {}, 1_000_000).unref();
      return new Promise(() => {});
    }),
  );
  expect(error.code).toBe(Code.JobTimeout);
});

test('immediates that follow each other leave time for a cancellation', async () => {
  const stop = new AbortController();
  const running = pool.run(
    ({ emit }) =>
      new Promise(() => {
        const again = () => setImmediate(again);
        again();
        emit('started');
      }),
    { signal: stop.signal, onMessage: () => stop.abort() },
  );
  expect((await rejection(running)).code).toBe(Code.JobCancelled);
});

test('process.exit ends the job and its realm, not the pool', async () => {
  await pool.run(() => {
    globalThis.left = 'behind';
  });
  const error = await rejection(pool.run(() => process.exit(3)));
  expect(error.code).toBe(Code.Crashed);
  expect(error.cause.message).toBe('process.exit(3) was called in a worker');
  expect(await pool.run(() => typeof left)).toBe('undefined');
});

test('process tells of this process, and no secrets of its environment', async () => {
  const { pid, version, env } = await pool.run(() => ({
    pid: process.pid,
    version: process.version,
    env: Object.keys(process.env),
  }));
  expect({ pid, version }).toEqual({
    pid: process.pid,
    version: process.version,
  });
  expect(env.filter((name) => name !== 'NODE_ENV')).toEqual([]);
});

test('structuredClone moves buffers and copies modules', async () => {
  const [left, moved, isModule] = await pool.run(() => {
    const buffer = new ArrayBuffer(8);
    const copy = structuredClone(buffer, { transfer: [buffer] });
    const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
    const module = structuredClone(new WebAssembly.Module(bytes));
    return [
      buffer.byteLength,
      copy.byteLength,
      module instanceof WebAssembly.Module,
    ];
  });
  expect([left, moved, isModule]).toEqual([0, 8, true]);
});

test.each([
  ['a lone lead byte', [0xc3], false],
  ['an overlong form', [0xe0, 0x80, 0x80], false],
  ['a surrogate', [0xed, 0xa0, 0x80], false],
  ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80], false],
  ['a short character', [0xf0, 0x9f, 0x98], false],
  ['a character of four bytes', [0xf0, 0x9f, 0x98, 0x80], true],
  ['a character of three bytes', [0xe2, 0x82, 0xac], true],
])('a strict decoder and %s', async (_, bytes, good) => {
  const answer = await pool.run(
    ({ input }) => {
      const view = new Uint8Array(input);
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(view);
      } catch (error) {
        return error.name;
      }
    },
    { input: bytes },
  );
  expect(answer).toBe(good ? Buffer.from(bytes).toString() : 'TypeError');
});

test('WebAssembly that compiles in the background is waited for', async () => {
  const fresh = WorkerPool.create('wasm', { workers: 1 });
  try {
    for (let i = 0; i < 20; i += 1) {
      const kinds = await fresh.run(async () => {
        const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
        const module = await WebAssembly.compile(bytes);
        const { instance } = await WebAssembly.instantiate(bytes);
        return [`${module}`, `${instance}`];
      });
      expect(kinds).toEqual([
        '[object WebAssembly.Module]',
        '[object WebAssembly.Instance]',
      ]);
    }
  } finally {
    await fresh.stop();
  }
});

test('what needs the network says where it can be done', async () => {
  const error = await rejection(pool.run(() => fetch('https://example.com')));
  expect(error.cause.message).toBe('fetch is not defined');
  expect(error.hint).toMatch(/no network.*host function/);
});

test('a global that is replaced while it is resolved harms nobody', async () => {
  const replace = ({ input }) => {
    const { defineProperty, freeze } = Object;
    Object.defineProperty = (...given) => {
      if (input === 'assigned') globalThis.URL = 1;
      else if (input === 'deleted') delete globalThis.URL;
      else if (input === 'frozen') freeze(globalThis);
      else defineProperty(globalThis, 'URL', { value: 1, configurable: false });
      return defineProperty(...given);
    };
    try {
      return typeof URL;
    } catch (error) {
      return error.name;
    } finally {
      Object.defineProperty = defineProperty;
    }
  };
  for (const input of ['assigned', 'deleted', 'frozen', 'locked']) {
    const own = WorkerPool.create('replaced', { workers: 1 });
    const answer = await own.run(replace, { input });
    // Freezing resolves the other globals, which freeze again.
    const known = ['function', 'number', 'RangeError', 'TypeError'];
    expect(known).toContain(answer);
    await own.stop();
  }
});

test('process.binding has constants, and nothing else of Node’s inside', async () => {
  const seen = await pool.run(async () => {
    const { constants } = await import('node:fs');
    const { fs, os } = process.binding('constants');
    let refusal;
    try {
      process.binding('natives');
    } catch (error) {
      refusal = error.message;
    }
    return { fs, constants, interrupt: os.signals.SIGINT, refusal };
  });
  expect(seen.fs).toEqual(seen.constants);
  expect(seen.interrupt).toBe(2);
  expect(seen.refusal).toContain('node:process (binding) is not available');
});
