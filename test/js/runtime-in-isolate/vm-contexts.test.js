'use strict';

// Contexts of node:vm in an isolate are those of Node: what an object in front
// of their globals takes part in, what their options allow, how scripts end. And
// what no Node has: the limits of the job hold in them as well.

const { WorkerPool } = require('../../../lib/index.js');
const { answersAsInNode } = require('./as-in-node-support.js');

const PROGRAMS = {
  'what code sees of the object, and the object of code': async () => {
    const { default: vm } = await import('node:vm');
    const object = Object.create(
      { inherited: 1 },
      {
        hidden: { value: 1, configurable: true },
        fixed: { value: 1, enumerable: true },
        half: { get: () => 5, enumerable: true, configurable: true },
        [Symbol.for('k')]: { value: 1, enumerable: true },
      },
    );
    object.plain = 1;
    object[5] = 2;
    const context = vm.createContext(object);
    const run = (code) => {
      try {
        return vm.runInContext(code, context);
      } catch (error) {
        return [error.name, error.message];
      }
    };
    const names = ['plain', 'inherited', 'hidden', 'fixed', '5', 'Array', 'no'];
    return [
      context === object,
      [vm.isContext(object), vm.isContext({})],
      run('Object.keys(globalThis)'),
      run('Reflect.ownKeys(globalThis).map(String)'),
      run(
        '(() => { const all = []; for (const k in this) all.push(k); return all; })()',
      ),
      ...names.map((name) => [
        run(`'${name}' in globalThis`),
        run(`Object.hasOwn(globalThis, '${name}')`),
        run(
          `JSON.stringify(Object.getOwnPropertyDescriptor(globalThis, '${name}'))`,
        ),
        run(`typeof globalThis['${name}']`),
        run(`delete globalThis['${name}']`),
      ]),
      run('fixed = 7; fixed'),
      run('"use strict"; fixed = 7'),
      run('half = 7; half'),
      run('"use strict"; nobody = 1'),
      run('nobody = 1; typeof nobody'),
      run('"use strict"; this.somebody = 1; Reflect.set(this, "both", 1)'),
      run('"use strict"; late = () => 1; typeof late'),
      run('var v = 1; let l = 2; function f() {} [v, l, typeof f]'),
      run('[v, l]'),
      run('this.p = 1; globalThis.q = 2; delete this.q; [this.p, this.q]'),
      run('Object.defineProperty(this, "r", { value: 1 }); r'),
      run('Object.defineProperty(this, "s", { get() { return 4; } }); s'),
      run('Object.defineProperty(this, "fixed", { value: 9 }); fixed'),
      run('globalThis[Symbol.for("k")]'),
      run('this[9] = 3; this[9]'),
      run('[this === globalThis, Object.prototype.toString.call(this)]'),
      Reflect.ownKeys(object).map(String),
      [object.p, object.q, object[9], typeof object.f, object.l],
    ];
  },
  'objects that refuse': async () => {
    const { default: vm } = await import('node:vm');
    const seen = (work) => {
      try {
        return work();
      } catch (error) {
        return [error.name, error.code, error.message];
      }
    };
    const trap = {
      get: (_, key) => (key === 'z' ? 1 : undefined),
      has: () => true,
      getOwnPropertyDescriptor() {
        throw new Error('trap');
      },
    };
    const getter = {
      get x() {
        throw new Error('mine');
      },
    };
    return [
      () => vm.runInContext('z', vm.createContext(new Proxy({}, trap))),
      () => vm.runInNewContext('a = 2; b = 3; [a, b]', Object.freeze({ a: 1 })),
      () => vm.runInNewContext('x', getter),
      () => vm.runInNewContext('x = 1', getter),
      () => vm.runInNewContext('(function f() { f(); })()'),
      () => vm.createContext(5),
      () => vm.isContext(null),
      () => vm.runInContext('1', {}),
      () => vm.createContext({}, { name: 5 }),
      () => vm.createContext({}, { codeGeneration: { strings: 1 } }),
      () => vm.createContext({}, { microtaskMode: 'x' }),
      () => vm.compileFunction('1', [], { parsingContext: {} }),
      () => new vm.Script('1').runInContext({}, {}),
      () => new vm.Script('1').runInNewContext(5),
    ].map(seen);
  },
  'the line of an error': async () => {
    const { default: vm } = await import('node:vm');
    const context = vm.createContext({});
    const place = { filename: 'f.js', lineOffset: 3, columnOffset: 4 };
    // Frames of the caller differ.
    const headOf = (error) => {
      try {
        return error.stack.split('\n    at')[0];
      } catch (thrown) {
        return ['reading it throws', thrown];
      }
    };
    const head = (work) => {
      try {
        return work();
      } catch (error) {
        return typeof error === 'object' ? headOf(error) : error;
      }
    };
    const alone = (code) => () => vm.runInNewContext(code);
    const run = (code, options) => () =>
      vm.runInContext(code, context, options);
    return [
      run('throw new Error("x")'),
      run('\n\t\tthrow new Error("x")', place),
      run('  throw new TypeError("x")', place),
      run('a b'),
      run('throw new Error("x")', { displayErrors: false }),
      run('throw 5'),
      run('throw Object.freeze(new Error("x"))'),
      alone('Error.prepareStackTrace = () => "own"; throw new Error("x")'),
      alone('Error.prepareStackTrace = () => { throw 5; }; Error("x").stack'),
      alone('Error.prepareStackTrace = () => { throw 5; }; throw Error("x")'),
      run('throw new Error("x")'),
      () => vm.compileFunction('a b', [], { parsingContext: context }),
    ].map(head);
  },
  'options of contexts': async () => {
    const { default: vm } = await import('node:vm');
    const seen = (work) => {
      try {
        return work();
      } catch (error) {
        return [error.name, error.code, error.message];
      }
    };
    const empty =
      'new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))';
    const denies = (kind) => ({ contextCodeGeneration: { [kind]: false } });
    const log = [];
    const late = vm.createContext({ log }, { microtaskMode: 'afterEvaluate' });
    const { DONT_CONTEXTIFY } = vm.constants;
    const plain = DONT_CONTEXTIFY && vm.createContext(DONT_CONTEXTIFY);
    return [
      () => vm.runInNewContext('eval("1")', {}, denies('strings')),
      () => vm.runInNewContext('Function("1")', {}, denies('strings')),
      () => vm.runInNewContext('eval("1")', {}),
      () => vm.runInNewContext(empty, {}, denies('wasm')),
      () => String(vm.runInNewContext(empty)),
      () => {
        vm.runInContext('Promise.resolve().then(() => log.push(1))', late);
        return [...log, 2];
      },
      () =>
        plain && [
          vm.isContext(plain),
          vm.runInContext('this', plain) === plain,
          vm.runInContext('globalThis.q = 1; q', plain),
          plain.q,
        ],
      () => vm.runInContext('1', vm.createContext({}, { origin: 'http://x' })),
      () =>
        vm.compileFunction('return y', [], {
          parsingContext: vm.createContext({ y: 5 }),
        })(),
      () => [
        vm.runInNewContext('({})') instanceof Object,
        vm.runInNewContext('[ArrayBuffer.name, new ArrayBuffer(3).byteLength]'),
        vm.runInNewContext(
          'Object.getPrototypeOf(ArrayBuffer) === Function.prototype',
        ),
        vm.runInNewContext('Object.getOwnPropertyNames(Intl)'),
        vm.runInNewContext('Object.getOwnPropertyNames(globalThis)'),
      ],
    ].map(seen);
  },
  'time limits of scripts': async () => {
    const { default: vm } = await import('node:vm');
    const endless = 'for (;;);';
    const codeOf = (work) => {
      try {
        return work();
      } catch (error) {
        return [error.name, error.code, error.message];
      }
    };
    const inner = () => vm.runInNewContext(endless, {}, { timeout: 10 });
    return [
      () => vm.runInNewContext(endless, {}, { timeout: 10 }),
      () => vm.runInThisContext(endless, { timeout: 10 }),
      () => vm.runInNewContext('1 + 1', {}, { timeout: 60_000 }),
      () =>
        vm.runInNewContext(
          'try { inner() } catch (e) { e.code }',
          { inner },
          { timeout: 60_000 },
        ),
      () =>
        vm.runInNewContext(
          'run()',
          {
            run: () => {
              for (;;);
            },
          },
          { timeout: 10 },
        ),
      () => vm.runInNewContext('throw new Error("x")', {}, { timeout: 60_000 }),
      () => vm.runInNewContext('1', {}, { timeout: 0 }),
    ].map(codeOf);
  },
  'imports and promises': async () => {
    const { default: vm } = await import('node:vm');
    const { USE_MAIN_CONTEXT_DEFAULT_LOADER: importModuleDynamically } =
      vm.constants;
    const context = vm.createContext({ setTimeout });
    const run = (code, options) => vm.runInContext(code, context, options);
    const refused = await run('import("node:path")').catch(({ code }) => code);
    const path = await run('import("node:path")', { importModuleDynamically });
    const later = await run(
      'Promise.resolve(1).then((n) => new Promise((done) => setTimeout(done, 1, n + 1)))',
    );
    return [refused, typeof path.join, later];
  },
};

answersAsInNode(PROGRAMS);

describe('the limits of a job hold in its contexts', () => {
  const pools = [];
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.stop())));
  const made = (options) => {
    const pool = WorkerPool.create('contexts', {
      workers: 1,
      memoryLimitMb: 64,
      ...options,
    });
    pools.push(pool);
    return pool;
  };
  const LIMIT = 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED';

  test.each([
    'for (const all = []; ; ) all.push(new Array(1000).fill(0))',
    'const b = new ArrayBuffer(0, { maxByteLength: 2 ** 30 }); b.resize(2 ** 29); new Uint8Array(b).fill(1)',
    'const b = new SharedArrayBuffer(0, { maxByteLength: 2 ** 30 }); b.grow(2 ** 29); new Uint8Array(b).fill(1)',
    'const m = new WebAssembly.Memory({ initial: 1 }); m.grow(1500); new Uint8Array(m.buffer).fill(1)',
  ])('of memory: %s', async (code) => {
    const pool = made();
    const job = pool.run(
      async ({ input }) => {
        const { default: vm } = await import('node:vm');
        return vm.runInNewContext(input);
      },
      { input: code },
    );
    await expect(job).rejects.toMatchObject({ code: LIMIT });
    expect(await pool.run(() => 1)).toBe(1);
  });

  test('of time, also while a script has a longer one', async () => {
    const pool = made();
    const job = pool.run(
      async () => {
        const { default: vm } = await import('node:vm');
        vm.runInNewContext('for (;;);', {}, { timeout: 600_000 });
      },
      { timeoutMs: 50 },
    );
    await expect(job).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_TIMEOUT',
    });
    expect(await pool.run(() => 1)).toBe(1);
  });

  test('of code: neither eval nor WebAssembly where the pool has none', async () => {
    const run = async (options) =>
      made(options).run(async () => {
        const { default: vm } = await import('node:vm');
        return [
          () => vm.createContext({}),
          () => vm.runInNewContext('typeof WebAssembly'),
          () => {
            const off = { contextCodeGeneration: { wasm: false } };
            return vm.runInNewContext('typeof WebAssembly', {}, off);
          },
        ].map((work) => {
          try {
            return typeof work() === 'object' ? 'made' : work();
          } catch ({ name }) {
            return name;
          }
        });
      });
    expect(await run({ allowEval: false })).toEqual(Array(3).fill('EvalError'));
    expect(await run({ allowWasm: false })).toEqual([
      'made',
      'undefined',
      'undefined',
    ]);
  });

  test('contexts that nobody has any more are collected', async () => {
    const count = await made().run(
      async () => {
        const { default: vm } = await import('node:vm');
        let n = 0;
        // Twenty times what fits.
        for (let i = 0; i < 5000; i += 1)
          n += vm.runInNewContext('i', { i: 1 });
        return n;
      },
      { timeoutMs: 100_000 },
    );
    expect(count).toBe(5000);
  });
});
