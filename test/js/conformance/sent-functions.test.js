'use strict';
// Functions that may be sent, and their forms, in all runtimes.

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { createPool, rejection, stopAll } = require('./support.js');

afterEach(stopAll);

const cyclic = {};
cyclic.self = cyclic;

describe('functions that cannot be sent', () => {
  test.each([undefined, null, 'x => x', {}, 5])(
    '%p is no function',
    async (fn) => {
      const error = await rejection(createPool().run(fn));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe('WorkerPool.run requires a function.');
    },
  );

  test.each([
    ['native', Math.max],
    ['bound', (() => 1).bind(null)],
    ['a class', class A {}],
  ])('%s', async (_name, fn) => {
    const error = await rejection(createPool().run(fn));
    expect(error.code).toBe(Code.UnsupportedPayload);
  });

  test('larger than 1 MiB', async () => {
    const fn = new Function(`return 1; // ${'x'.repeat(1024 * 1024)}`);
    const error = await rejection(createPool().run(fn));
    expect(error.code).toBe(Code.ResourceLimit);
  });

  class Holder {
    #secret = 1;
    method() {
      return this.#secret;
    }
    get accessor() {
      return 1;
    }
  }

  test.each([
    ['a method with a private name', Holder.prototype.method],
    [
      'an accessor',
      Object.getOwnPropertyDescriptor(Holder.prototype, 'accessor').get,
    ],
  ])('%s does not compile', async (_name, fn) => {
    const error = await rejection(createPool().run(fn));
    expect(error.message).toBe(
      'SLOPPY_E_WORKER_CRASHED: worker function failed to compile',
    );
  });
});

describe('forms of functions', () => {
  const secret = Symbol('](');
  const object = {
    method({ input }) {
      return input + 1;
    },
    async asyncMethod({ input }) {
      return input + 1;
    },
    [['computed', 'key'].join(' ')]({ input }) {
      return input + 1;
    },
    async: ({ input }) => input + 1,
    getValue({ input }) {
      return input + 1;
    },
    async [secret]({ input }) {
      return input + 1;
    },
    [`${['a]'][0]}b`]({ input }) {
      return input + 1;
    },
  };
  const unreadable = () => 2;
  Object.defineProperty(unreadable, 'name', {
    get() {
      throw new Error('s3cret');
    },
  });
  class Methods {
    static fixed(context) {
      return context.input + 1;
    }
    member(context) {
      return context.input + 1;
    }
  }

  test.each([
    ['arrow', ({ input }) => input + 1],
    ['async arrow', async ({ input }) => input + 1],
    [
      'function',
      function named({ input }) {
        return input + 1;
      },
    ],
    [
      'async function',
      async function named({ input }) {
        return input + 1;
      },
    ],
    ['method', object.method],
    ['async method', object.asyncMethod],
    ['computed method', object['computed key']],
    ['method named by a symbol', object[secret]],
    ['method whose key has brackets', object['a]b']],
    ['method that begins with get', object.getValue],
    ['name that throws', unreadable],
    ['property named async', object.async],
    ['static method', Methods.fixed],
    ['class method', new Methods().member],
    ['a function from text', new Function('c', 'return c.input + 1')],
    // A comment at the end must not swallow what comes after it.
    ['trailing comment', new Function('c', 'return c.input + 1 // end')],
  ])('%s', async (_name, fn) => {
    expect(await createPool().run(fn, { input: 1 })).toBe(2);
  });
});
