'use strict';
// Modules and lives of processes that are locked down.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {
  TIME,
  codeOf,
  describeHere,
  isAlive,
  sandboxes,
  started,
} = require('./support.js');
const { Worker } = require('../../../../lib/index.js');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-'));
const file = (name, text) => {
  const at = path.join(folder, name);
  fs.mkdirSync(path.dirname(at), { recursive: true });
  fs.writeFileSync(at, text);
  return at;
};
afterAll(() => fs.rmSync(folder, { recursive: true }));

const create = sandboxes();

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

  describe('what modules name, and load later', () => {
    file('late/package.json', '{ "name": "late", "type": "commonjs" }');
    file('late/deep.js', 'module.exports = "deep";');
    file('late/first.js', 'exports.deep = require("./deep");');
    file('late/lazy.mjs', 'export { word } from "./lazier.mjs";');
    file('late/lazier.mjs', 'export const word = "lazier";');
    file('late/data.json', '{ "word": "data" }');
    file('late/node_modules/pkg/package.json', '{ "main": "./lib" }');
    file('late/node_modules/pkg/lib/index.js', 'exports.word = "pkg";');
    file('late/unnamed.js', 'module.exports = "unnamed";');
    const late = file(
      'late/main.js',
      `const { deep } = require('./first');
       const optional = () => { try { return require('not-there'); } catch {} };
       exports.words = async () => [
         deep,
         optional() === undefined,
         require('./data').word,
         require('pkg').word,
         (await import('./lazy.mjs')).word,
       ];
       exports.need = (name) => require(name);`,
    );
    const words = ['deep', true, 'data', 'pkg', 'lazier'];

    test('in the pool’s module, in each process', async () => {
      const pool = create({ module: late });
      for (const key of ['a', 'b']) {
        await expect(pool.tasks.words(null, { key })).resolves.toEqual(words);
      }
    });

    test('in modules of a call', async () => {
      const pool = create();
      const run = ({ modules }) => modules.late.words();
      await expect(pool.run(run, { modules: { late } })).resolves.toEqual(
        words,
      );
    });

    test('in each form of a name', async () => {
      for (const name of ['a', 'b', 'c', 'd']) {
        file(`forms/${name}.mjs`, `export const ${name} = '${name}';`);
      }
      file('forms/e.cjs', 'exports.e = "e";');
      file(
        'forms/all.mjs',
        `import{a}from"./a.mjs";import'./b.mjs';export*from'./c.mjs';
         import { createRequire } from 'node:module';
         const require = createRequire(import.meta.url);
         export const more = async () => [
           a, (await import(\`./d.mjs\`)).d, require ( './e.cjs' ).e,
         ];`,
      );
      const module = file(
        'forms/main.mjs',
        `export const load = async () => {
           const all = await import( "./all.mjs" );
           return [all.c, ...(await all.more())];
         };`,
      );
      const pool = create({ module });
      await expect(pool.tasks.load()).resolves.toEqual(['c', 'a', 'd', 'e']);
    });

    test('TypeScript too, with jit', async () => {
      file('typed/typed.ts', 'export const word: string = "typed";');
      const module = file(
        'typed/main.mjs',
        'export const load = () => import("./typed.ts").then((m) => m.word);',
      );
      const pool = create({ module, sandbox: { jit: true } });
      await expect(pool.tasks.load()).resolves.toBe('typed');
    });

    test('but nothing that a job computes', async () => {
      const pool = create({ module: late });
      for (const name of ['./unnamed', './unnamed.js', secret]) {
        const error = await pool.tasks.need(name).catch((thrown) => thrown);
        expect(error.cause.code).toBe('MODULE_NOT_FOUND');
      }
      await expect(pool.tasks.need('./deep')).resolves.toBe('deep');
    });
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

  test('stop() starts no spare for one that leaves', async () => {
    const pool = create();
    const spare = new Promise((resolve) => {
      let workers = 0;
      pool.on('workerStarted', () => {
        workers += 1;
        if (workers === 2) resolve();
      });
    });
    await pool.run(() => 1);
    // It is told to leave before it has said that it is ready.
    await spare;
    const count = started().length;
    await pool.stop();
    expect(started()).toHaveLength(count);
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
