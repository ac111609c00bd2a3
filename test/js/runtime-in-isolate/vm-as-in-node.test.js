'use strict';

// Scripts and functions of node:vm in an isolate are those of Node: when a text
// is refused, where its errors say that they are, what it leaves behind.

const { WorkerPool } = require('../../../lib/index.js');
const { answersAsInNode } = require('./as-in-node-support.js');

const PROGRAMS = {
  'texts and options that are refused': async () => {
    const { default: vm } = await import('node:vm');
    const script = (code, options) => () => new vm.Script(code, options);
    const made =
      (...args) =>
      () =>
        vm.compileFunction(...args);
    const run = (options) => () => new vm.Script('1').runInThisContext(options);
    return [
      // A program that is only looked at.
      ...['a b', {}, 'return', ')', ''].map((code) => script(code)),
      ...[null, 5, { filename: 5 }, { lineOffset: 'x' }].map((options) =>
        script('1', options),
      ),
      ...[{ columnOffset: 1.5 }, { cachedData: 5 }].map((options) =>
        script('1', options),
      ),
      script('1', { produceCachedData: 1 }),
      ...[null, 5, { timeout: 0 }, { timeout: 'x' }].map(run),
      ...[{ displayErrors: 1 }, { breakOnSigint: 1 }].map(run),
      () => vm.runInThisContext('a b', 'q.js'),
      () => vm.runInThisContext('2', 5),
      ...['a b', '}; {', 5, undefined].map((code) => made(code)),
      ...[5, 'a,b', [5], null].map((params) => made('1', params)),
      ...[null, 5, { filename: 5 }, { lineOffset: 'a' }].map((options) =>
        made('1', [], options),
      ),
      ...[{ parsingContext: 5 }, { contextExtensions: 5 }].map((options) =>
        made('1', [], options),
      ),
      made('1', [], { contextExtensions: [5] }),
    ].map((work) => {
      try {
        return Object.keys(work());
      } catch ({ name, code, message }) {
        return [name, code, message];
      }
    });
  },
  'where errors are': async () => {
    const { default: vm } = await import('node:vm');
    const place = { filename: 'f.js', lineOffset: 4, columnOffset: 3 };
    const code = 'throw new Error("x")';
    return [
      () => new vm.Script(code, place).runInThisContext(),
      () => vm.runInThisContext(code, place),
      () => vm.runInThisContext(`\n${code}`, 'g.js'),
      () => vm.runInThisContext(code),
      () => vm.compileFunction(code, [], place)(),
      () => vm.compileFunction(`\n${code}`, ['a'])(),
    ].map((work) => {
      try {
        return work();
      } catch ({ stack }) {
        return /\bat (\S+:\d+:\d+)/.exec(stack)?.[1] ?? stack;
      }
    });
  },
  'what is left behind, what is in scope': async () => {
    const { default: vm } = await import('node:vm');
    const run = (code) => vm.runInThisContext(code);
    const twice = new vm.Script(
      'globalThis.count = (globalThis.count ?? 0) + 1',
    );
    const options = { contextExtensions: [{ b: 2, c: 3 }, { c: 4 }] };
    const { name, length } = vm.compileFunction('', ['a', 'b']);
    return [
      run('var v1 = 1; let l1 = 2; this === globalThis'),
      run('[v1, l1, delete globalThis.v1]'),
      run('l1 + 1'),
      [twice.runInThisContext(), twice.runInThisContext()],
      vm.compileFunction('return [a, b, c]', ['a'], options)(1),
      vm.compileFunction('return arguments.length')(1, 2),
      [name, length],
    ];
  },
  'imports are refused': async () => {
    const { default: vm } = await import('node:vm');
    const refused = await Promise.allSettled([
      vm.runInThisContext('import("node:path")'),
      vm.runInThisContext('import("node:path")', 'f.js'),
      vm.compileFunction('return import("node:path")')(),
      vm.runInThisContext('(0, eval)(`import("node:path")`)'),
    ]);
    const importModuleDynamically = () => {};
    const options = { importModuleDynamically };
    await vm
      .runInThisContext('import("node:path")', options)
      .catch((reason) => refused.push({ reason }));
    return refused.map(({ reason, value }) =>
      reason ? [reason.name, reason.code, reason.message] : Object.keys(value),
    );
  },
};

answersAsInNode(PROGRAMS);

describe('in an isolate', () => {
  const pools = [];
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.stop())));
  const made = (options) => {
    const pool = WorkerPool.create('scripts', { workers: 1, ...options });
    pools.push(pool);
    return pool;
  };

  // V8 trusts what it is given: any bytes could end the process.
  test('compiled code that is handed in is rejected, its text compiled', async () => {
    const seen = await made().run(async () => {
      const { default: vm } = await import('node:vm');
      const cachedData = new vm.Script('1 + 1').createCachedData();
      const script = new vm.Script('1 + 1', { cachedData });
      const made = vm.compileFunction('return 2', [], { cachedData });
      return [
        cachedData.length > 0,
        [script.cachedDataRejected, script.runInThisContext()],
        [made.cachedDataRejected, made()],
      ];
    });
    expect(seen).toEqual([true, [true, 2], [true, 2]]);
  });

  test('a parameter without a name is refused, at which Node ends', async () => {
    const refused = await made().run(async () => {
      const { default: vm } = await import('node:vm');
      return ['a b', '', 'a,b', '...a', 'a=1'].map((name) => {
        try {
          return vm.compileFunction('1', [name]);
        } catch (error) {
          return error.name;
        }
      });
    });
    expect(refused).toEqual(Array(5).fill('SyntaxError'));
  });

  test('a script imports as the program does when it asks for that', async () => {
    const names = await made().run(async () => {
      const { default: vm } = await import('node:vm');
      const { USE_MAIN_CONTEXT_DEFAULT_LOADER: importModuleDynamically } =
        vm.constants;
      const options = { importModuleDynamically };
      const path = await vm.runInThisContext('import("node:path")', options);
      return typeof path.join;
    });
    expect(names).toBe('function');
  });

  test('no text is code where eval is not allowed', async () => {
    const refused = await made({ allowEval: false }).run(async () => {
      const { default: vm } = await import('node:vm');
      return [
        () => new vm.Script('1'),
        () => vm.runInThisContext('1'),
        () => vm.compileFunction('1'),
      ].map((work) => {
        try {
          return work();
        } catch ({ name }) {
          return name;
        }
      });
    });
    expect(refused).toEqual(Array(3).fill('EvalError'));
  });
});
