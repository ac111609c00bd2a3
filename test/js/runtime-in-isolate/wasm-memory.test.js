'use strict';
// The maximum that memories get in a pool's isolates, as code there sees it.

const { WorkerPool } = require('../../../lib/index.js');

describe('WebAssembly memories in an isolate', () => {
  let pool;
  beforeAll(() => {
    pool = WorkerPool.create('wasm', { memoryLimitMb: 16 });
  });
  afterAll(() => pool.stop());

  it('can be imported where a maximum is asked for', async () => {
    const linked = await pool.run(async () => {
      // (module (import "a" "m" (memory 1 65536)) (export "m" (memory 0)))
      const bytes = new Uint8Array([
        0, 97, 115, 109, 1, 0, 0, 0, 2, 11, 1, 1, 97, 1, 109, 2, 1, 1, 128, 128,
        4, 7, 5, 1, 1, 109, 2, 0,
      ]);
      const m = new WebAssembly.Memory({ initial: 1, maximum: 65536 });
      const { instance } = await WebAssembly.instantiate(bytes, { a: { m } });
      return instance.exports.m === m && m.grow(3) === 1;
    });
    expect(linked).toBe(true);
  });

  it('refuse with a RangeError what their own maximum forbids', async () => {
    const seen = await pool.run(() => {
      const messages = [];
      for (const delta of [2, 60_000, 70_000, -1, 'x', 1n]) {
        try {
          new WebAssembly.Memory({ initial: 1, maximum: 2 }).grow(delta);
        } catch (error) {
          messages.push(error.constructor.name);
        }
      }
      return messages;
    });
    expect(seen.slice(0, 3)).toEqual([
      'RangeError',
      'RangeError',
      'RangeError',
    ]);
    expect(seen).toHaveLength(5 + 1);
  });

  it('read their descriptor once, and refuse a wrong one', async () => {
    const seen = await pool.run(() => {
      const asked = [];
      const descriptor = {
        get initial() {
          asked.push('initial');
          return { valueOf: () => asked.push('value') && 1 };
        },
        get maximum() {
          asked.push('maximum');
          return 65536;
        },
      };
      new WebAssembly.Memory(descriptor);
      const refused = [
        undefined,
        null,
        1,
        {},
        { initial: -1 },
        { initial: 'x' },
      ];
      refused.push({ initial: 2, maximum: 1 }, { initial: 1, shared: true });
      refused.push(
        { initial: 1, maximum: 65537 },
        { initial: Symbol.iterator },
      );
      const names = refused.map((given) => {
        try {
          new WebAssembly.Memory(given);
          return 'none';
        } catch (error) {
          return error instanceof TypeError || error instanceof RangeError;
        }
      });
      return { asked: asked.sort(), names };
    });
    expect(seen.asked).toEqual(['initial', 'maximum', 'value']);
    expect(seen.names).toEqual(seen.names.map(() => true));
  });

  it('keep the places that an error names', async () => {
    // The code section is longer than the module.
    const bytes = new Uint8Array([
      0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 0, 1, 10, 100,
    ]);
    const thrown = await pool.run(
      ({ input }) => {
        try {
          return new WebAssembly.Module(input).constructor.name;
        } catch (error) {
          return error.message;
        }
      },
      { input: bytes },
    );
    expect(() => new WebAssembly.Module(bytes)).toThrow(thrown);
  });

  it('show WebAssembly as it is elsewhere', async () => {
    const shown = await pool.run(() => [
      WebAssembly.Module.name,
      WebAssembly.Module.length,
      WebAssembly.compile.name,
      WebAssembly.compile.length,
      new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))
        .constructor === WebAssembly.Module,
      typeof WebAssembly.Module.exports,
    ]);
    expect(shown).toEqual(['Module', 1, 'compile', 1, true, 'function']);
  });
});
