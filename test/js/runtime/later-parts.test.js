'use strict';
// The parts of the runtime that run when something of theirs is first called
// (src/runtime/later.js): whatever the realm's code has done until then.

const { WorkerPool } = require('../../../lib');

const poison = () => {
  const { defineProperty, getOwnPropertyNames, getPrototypeOf } = Object;
  const bad = () => {
    throw new SyntaxError('poisoned');
  };
  const descriptor = { __proto__: null, value: bad };
  const prototypes = [Map, Set, WeakMap, WeakSet, Promise, String, Error].map(
    (Class) => Class.prototype,
  );
  const holders = [
    ...prototypes,
    getPrototypeOf(Uint8Array.prototype),
    Function.prototype,
    Reflect,
    Math,
    JSON,
    Object,
  ];
  const names = ['Map', 'Set', 'WeakMap', 'WeakSet', 'Promise', 'Error'];
  const keysOf = holders.map(getOwnPropertyNames);
  for (let i = 0; i < holders.length; i++) {
    for (let k = 0; k < keysOf[i].length; k++) {
      const key = keysOf[i][k];
      if (key === 'constructor' || key === 'prototype') continue;
      try {
        const { value } = Object.getOwnPropertyDescriptor(holders[i], key);
        if (typeof value !== 'function') continue;
      } catch {
        // Poisoned itself by now.
      }
      try {
        defineProperty(holders[i], key, descriptor);
      } catch {
        // The property is not to be changed.
      }
    }
  }
  for (let i = 0; i < names.length; i++) globalThis[names[i]] = bad;
};

const CASES = {
  'an error': {
    job: () => {
      throw new RangeError('mine');
    },
    check: async (result) => {
      const { cause } = await result.catch((error) => error);
      expect(cause).toBeInstanceOf(RangeError);
      expect(cause.message).toBe('mine');
      expect(cause.stack).toMatch(/RangeError: mine\n {4}at/);
    },
  },
  'an object': {
    job: ({ input }) => ({ of: input, list: [1, 'two', { three: null }] }),
    check: async (result) => {
      await expect(result).resolves.toEqual({
        of: { a: [true] },
        list: [1, 'two', { three: null }],
      });
    },
  },
  'a message': {
    job: ({ emit }) => {
      emit({ n: 1 });
      emit(2);
    },
    check: async (result, messages) => {
      await result;
      expect(messages).toEqual([{ n: 1 }, 2]);
    },
  },
  'a message that cannot be sent': {
    job: ({ emit }) => {
      try {
        emit(() => {});
      } catch ({ code }) {
        return code;
      }
    },
    check: async (result) => {
      await expect(result).resolves.toBe('SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD');
    },
  },
  'a function of the host': {
    job: async ({ host }) => (await host.twice(21)) + 1,
    check: (result) => expect(result).resolves.toBe(43),
  },
  'an error of the host': {
    job: async ({ host }) => {
      try {
        await host.fail();
      } catch (error) {
        return `${error instanceof TypeError} ${error.message}`;
      }
    },
    check: (result) => expect(result).resolves.toBe('true no'),
  },
  'a buffer that grows': {
    job: () => {
      const buffer = new ArrayBuffer(1, { maxByteLength: 8 });
      buffer.resize(7);
      return buffer.byteLength;
    },
    check: (result) => expect(result).resolves.toBe(7),
  },
  'a memory': {
    job: () => {
      const memory = new WebAssembly.Memory({ initial: 1 });
      memory.grow(1);
      return memory.buffer.byteLength;
    },
    check: (result) => expect(result).resolves.toBe(131_072),
  },
};

const host = {
  twice: (n) => n * 2,
  fail() {
    throw new TypeError('no');
  },
};

describe.each(['poisoned', 'as it was'])('in a realm that is %s', (how) => {
  let pool;

  beforeEach(() => {
    pool = WorkerPool.create('later', { host });
  });

  afterEach(() => pool.stop({ drain: false }));

  it.each(Object.keys(CASES))('%s', async (name) => {
    const { job, check } = CASES[name];
    if (how === 'poisoned') await pool.run(poison);
    const messages = [];
    const onMessage = (value) => messages.push(value);
    await check(pool.run(job, { input: { a: [true] }, onMessage }), messages);
  });
});

test('a part that met the end of the stack runs again', async () => {
  const pool = WorkerPool.create('later');
  const messages = [];
  const deep = ({ emit }) => {
    const dive = () => {
      try {
        dive();
      } catch {
        try {
          emit('deep');
        } catch {
          // No room for it yet.
        }
      }
    };
    dive();
    emit('last');
  };
  await pool.run(deep, { onMessage: (value) => messages.push(value) });
  expect(messages.at(-1)).toBe('last');
  await expect(pool.run(({ input }) => input, { input: [1] })).resolves.toEqual(
    [1],
  );
  await pool.stop();
});
