// biome-ignore-all lint/suspicious/noThenProperty: they mean harm
// biome-ignore-all lint/security/noGlobalEval: they mean harm
// biome-ignore-all lint/correctness/noUnsafeFinally: they mean harm
'use strict';
// Programs of somebody who means harm, by name: functions that are sent to a
// sandbox. Each ends with a value or a stable code, in time, and nobody else
// notices.

const programs = {
  'endless loop': () => {
    for (;;);
  },
  'endless loop in finally': () => {
    for (;;) {
      try {
        for (;;);
      } finally {
      }
    }
  },
  'endless microtasks': async () => {
    const next = () => Promise.resolve().then(next);
    return next();
  },
  'promise bomb': () => {
    const next = () => {
      Promise.resolve().then(next);
      Promise.resolve().then(next);
    };
    next();
    return new Promise(() => {});
  },
  'never settles': () => new Promise(() => {}),
  'timers without end': () => {
    const next = () => setTimeout(next, 0);
    next();
    return new Promise(() => {});
  },
  'regular expression': () =>
    /^(([a-z])+.)+[A-Z]([a-z])+$/.test('a'.repeat(60)),
  'arrays without end': () => {
    const list = [];
    for (;;) list.push(new Array(1000).fill(1));
  },
  'one huge array': () => new Array(2 ** 27).fill(0).length,
  'Array.from': () => Array.from({ length: 1e8 }).length,
  'string that doubles': () => {
    let text = 'ab';
    for (;;) text += text;
  },
  'flat strings': () => {
    const list = [];
    for (let i = 0; ; i += 1) {
      const text = 'x'.repeat(2 ** 24) + i;
      text.charCodeAt(5);
      list.push(JSON.parse(JSON.stringify(text)));
    }
  },
  'padded strings': () => {
    const list = [];
    for (;;) list.push(encodeURIComponent('é'.padStart(2 ** 27, 'é')));
  },
  'typed arrays': () => {
    const list = [];
    for (;;) list.push(new Uint8Array(2 ** 24).fill(1));
  },
  'resizable buffers': () => {
    const list = [];
    for (;;) {
      const buffer = new ArrayBuffer(0, { maxByteLength: 2 ** 30 });
      buffer.resize(2 ** 30);
      new Uint8Array(buffer).fill(1);
      list.push(buffer);
    }
  },
  'waiting for shared memory': () => {
    const words = new Int32Array(new SharedArrayBuffer(4));
    while (Atomics.load(words, 0) === 0);
  },
  'Atomics.wait': () =>
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  'shared memory without end': () => {
    const list = [];
    for (;;) {
      const buffer = new SharedArrayBuffer(2 ** 24);
      new Uint8Array(buffer).fill(1);
      list.push(buffer);
    }
  },
  'memory of WebAssembly': () => {
    const list = [];
    for (;;) {
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536 });
      if (memory.grow(1000) < 0) throw new Error('refused');
      new Uint8Array(memory.buffer).fill(1);
      list.push(memory);
    }
  },
  'loop of WebAssembly': () => {
    const bytes = [
      [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0],
      [7, 5, 1, 1, 102, 0, 0, 10, 9, 1, 7, 0, 3, 64, 12, 0, 11, 11],
    ];
    const module = new WebAssembly.Module(new Uint8Array(bytes.flat()));
    new WebAssembly.Instance(module).exports.f();
  },
  recursion: () => {
    const deeper = (n) => deeper(n + 1) + 1;
    return deeper(0);
  },
  'deep result': () => {
    let list = [];
    for (let i = 0; i < 1e6; i += 1) list = [list];
    return list;
  },
  'recursion in a regular expression': () =>
    new RegExp('('.repeat(1e6) + ')'.repeat(1e6)),
  'recursion in the parser': () => globalThis.eval('['.repeat(1e6)),
  'result in a cycle': () => {
    const object = {};
    object.object = object;
    return object;
  },
  'a proxy with no length of an array': () =>
    new Proxy([1], { get: (_, key) => (key === 'length' ? -5 : 1) }),
  'an array that shrinks while it is read': () => {
    const list = [1, 2, 3, 4];
    list[1] = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        list.length = 0;
      },
    });
    return list;
  },
  'a buffer that shrinks while it is read': () => {
    const buffer = new ArrayBuffer(4096, { maxByteLength: 4096 });
    const shrinks = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => buffer.resize(1),
    });
    return [new Uint8Array(buffer), shrinks, new Float64Array(buffer)];
  },
  'far timers without end': () => {
    for (;;) setTimeout(() => {}, 2 ** 31 - 1);
  },
  'async waits without end': () => {
    const cell = new Int32Array(new SharedArrayBuffer(4));
    for (;;) Atomics.waitAsync(cell, 0, 0, 1e9);
  },
  'a deep chain of causes': () => {
    let error = new Error('first');
    for (let i = 0; i < 1e5; i += 1)
      error = new Error('next', { cause: error });
    throw error;
  },
  'result too large': () => 'x'.repeat(2 ** 22),
  'many calls at once': async ({ host }) => {
    const calls = [];
    for (let i = 0; i < 1e6; i += 1) calls.push(host.echo(i).catch(() => {}));
    await Promise.all(calls);
  },
  'calls without end': async ({ host }) => {
    for (;;) await host.echo(1);
  },
  'a function of Object.prototype': ({ host }) =>
    host.constructor('return process'),
  '__proto__ in a call': ({ host }) =>
    host.echo(JSON.parse('{"__proto__":{"polluted":1}}')),
  '__proto__ in the result': () =>
    JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{}}}'),
  'messages without end': ({ emit }) => {
    for (;;) emit('x'.repeat(1000));
  },
  'output without end': () => {
    for (;;) console.log('x'.repeat(1000));
  },
  'replaced prototypes': () => {
    Object.prototype.toJSON = () => {
      for (;;);
    };
    const fail = () => {
      throw 1;
    };
    Array.prototype.push = fail;
    Promise.prototype.then = fail;
    return {};
  },
  'setters on prototypes': () => {
    for (const key of ['0', 'value', 'type', 'kind', 'then']) {
      Object.defineProperty(Object.prototype, key, {
        set() {
          for (;;);
        },
        configurable: true,
      });
    }
    return { a: [1, { b: 2 }] };
  },
  'the constructor of its context': (context) =>
    context.emit.constructor(
      'return typeof require + typeof process?.binding + typeof Deno',
    )(),
  'Error.prepareStackTrace': () => {
    Error.prepareStackTrace = (_error, sites) => {
      for (;;) sites.map((site) => site.getThis());
    };
    return new Error('x').stack;
  },
  'throws getters': () => {
    const endless = () => {
      for (;;);
    };
    const thrown = {};
    for (const key of ['message', 'stack', 'name', 'cause']) {
      Object.defineProperty(thrown, key, { get: endless, enumerable: true });
    }
    throw thrown;
  },
  'throws a proxy': () => {
    const endless = () => {
      for (;;);
    };
    throw new Proxy({}, { get: endless, getPrototypeOf: endless });
  },
  'throws a huge error': () => {
    throw new Error('x'.repeat(2 ** 26));
  },
  'thenable without end': () => ({
    then() {
      for (;;);
    },
  }),
  'async thenable': async () => ({
    then() {
      for (;;);
    },
  }),
  'sorting without end': () => {
    const list = Array.from({ length: 1e5 }, (_, i) => i);
    for (;;) list.sort(() => Math.random() - 0.5);
  },
  BigInt: () => {
    let number = 2n;
    while (number > 0n) number **= 1000n;
  },
  'BigInt as text': () => ((1n << 20_000_000n) - 1n).toString().length,
  'files by import': () => import('node:fs').then((fs) => fs.readFileSync('/')),
  'a module of the owner': () => import('/etc/passwd'),
  eval: () => globalThis.eval('typeof require + typeof module'),
  finalizers: () => {
    const registry = new FinalizationRegistry(() => {
      for (;;);
    });
    for (let i = 0; i < 1e6; i += 1) registry.register({}, 1);
  },
  'all globals deleted': () => {
    for (const key of Reflect.ownKeys(globalThis)) {
      try {
        delete globalThis[key];
      } catch {
        // Some cannot be.
      }
    }
    return Object.keys(globalThis).length;
  },
  'process.exit': () => process.exit(0),
  'process.kill': () => process.kill(process.ppid, 'SIGKILL'),
};

module.exports = { programs };
