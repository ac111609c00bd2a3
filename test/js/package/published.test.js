'use strict';
// The library in the form in which it is published: most of it in few files
// (scripts/lib/library-bundle.mjs). `npm run test:published` runs the other
// tests on that form.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const root = path.join(__dirname, '../../..');
const urlOf = (name) =>
  JSON.stringify(pathToFileURL(path.join(root, 'scripts/lib', name)).href);

let parent;

beforeAll(() => {
  parent = fs.mkdtempSync(path.join(os.tmpdir(), 'sw-published-'));
});

afterAll(() => fs.rmSync(parent, { recursive: true, force: true }));

/** Runs an ES module's text in a node of its own, in that folder. */
function evaluate(program, cwd) {
  const args = ['--input-type=module', '-e', program];
  return execFileSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

describe('the package', () => {
  let folder;

  beforeAll(() => {
    folder = path.join(parent, 'package');
    evaluate(
      `const { publishedCopy } = await import(${urlOf('published-copy.mjs')});
      publishedCopy(${JSON.stringify(folder)});`,
      root,
    );
  });

  /** The package's files that a CommonJS program has loaded in the end. */
  function loadedBy(program) {
    const text = evaluate(
      `import { createRequire } from 'node:module';
      const require = createRequire(${JSON.stringify(`${folder}/main.js`)});
      ${program}
      console.log(JSON.stringify(Object.keys(require.cache)));`,
      folder,
    );
    return JSON.parse(text)
      .map((file) => path.relative(folder, file).replaceAll('\\', '/'))
      .filter((file) => file.startsWith('lib/'))
      .sort();
  }

  const FIRST_JOB = `
    const pool = WorkerPool.create('first', { workers: 1 });
    if (await pool.run(() => 6 * 7) !== 42) throw new Error('no answer');
    await pool.stop();`;
  const FOR_A_JOB = [
    'lib/bundles/base.gen.js',
    'lib/bundles/common.gen.js',
    'lib/bundles/pool.gen.js',
    'lib/index.js',
  ];

  test.each([
    ['as it is published', () => folder],
    ['in the repository', () => root],
  ])('`import` of its CommonJS entries gives every name: %s', (_where, of) => {
    const text = evaluate(
      `import { readFileSync } from 'node:fs';
      import { createRequire } from 'node:module';
      const at = ${JSON.stringify(of())};
      const require = createRequire(at + '/main.js');
      const { exports } = JSON.parse(readFileSync(at + '/package.json', 'utf8'));
      const rows = [];
      for (const [name, entry] of Object.entries(exports)) {
        if (entry.require === undefined) continue;
        const all = require(entry.require.default);
        const imported = await import(require.resolve(entry.require.default));
        const keys = Object.keys(all).sort();
        const isOne = keys.every((key) => imported[key] === all[key]);
        rows.push([name, keys.length, isOne, keys.filter((key) => !(key in imported))]);
      }
      console.log(JSON.stringify(rows));`,
      of(),
    );
    const rows = JSON.parse(text);
    expect(rows.length).toBeGreaterThan(10);
    for (const [name, count, isOne, missing] of rows) {
      expect([name, count > 0, isOne, missing]).toEqual([name, true, true, []]);
    }
  });

  test('a first job needs four files', () => {
    const loaded = loadedBy(
      `const { WorkerPool } = require('./lib/index.js'); ${FIRST_JOB}`,
    );
    expect(loaded).toEqual(FOR_A_JOB);
  });

  test('and one more after `import`, which takes every class', () => {
    const loaded = loadedBy(
      `const { WorkerPool } = await import('./lib/index.mjs'); ${FIRST_JOB}`,
    );
    const more = 'lib/bundles/more.gen.js';
    expect(loaded).toEqual([...FOR_A_JOB, more].sort());
  });

  test.each([
    ['thread', 'lib/executors/thread/thread-main.js'],
    ['process', 'lib/executors/process/process-main.js'],
  ])('a %s needs two files more, and loads two itself', (runtime, main) => {
    const text = evaluate(
      `import { createRequire } from 'node:module';
      const require = createRequire(${JSON.stringify(`${folder}/main.js`)});
      const { WorkerPool } = require('./lib/index.js');
      const options = { workers: 1, runtime: ${JSON.stringify(runtime)} };
      const pool = WorkerPool.create('first', options);
      const loaded = await pool.run(async () => {
        const { createRequire } = await import('node:module');
        return Object.keys(createRequire(process.cwd() + '/main.js').cache);
      });
      await pool.stop();
      console.log(JSON.stringify([Object.keys(require.cache), loaded]));`,
      folder,
    );
    const [owner, itself] = JSON.parse(text).map((files) =>
      files
        .map((file) => path.relative(folder, file).replaceAll('\\', '/'))
        .filter((file) => file.startsWith('lib/')),
    );
    const { length } = owner.filter((file) => file.includes('/bundles/'));
    expect([length, owner.length]).toEqual([FOR_A_JOB.length + 1, 6]);
    expect(itself.filter((file) => file.includes('/bundles/')).sort()).toEqual([
      'lib/bundles/common.gen.js',
      'lib/bundles/realm.gen.js',
    ]);
    // Each further file costs its start half a millisecond of CPU. Without the
    // addon a process has one more.
    const watch = 'lib/executors/process/owner-watch.js';
    const others = itself.filter(
      (file) => !file.includes('/bundles/') && file !== watch,
    );
    expect(others.sort()).toEqual([main, 'lib/protocol/codec/captured.js']);
  });

  test('a module is the same one by its own path', () => {
    const names = ['WorkerPool', 'WorkQueue', 'Worker', 'SloppyWorkerError'];
    const files = [
      'pool/worker-pool',
      'pool/work-queue',
      'pool/worker',
      'protocol/sloppy-worker-error',
    ];
    const text = evaluate(
      `import { createRequire } from 'node:module';
      const require = createRequire(${JSON.stringify(`${folder}/main.js`)});
      const all = require('./lib/index.js');
      const same = ${JSON.stringify(names)}.map((name, i) =>
        require('./lib/' + ${JSON.stringify(files)}[i] + '.js')[name] === all[name]);
      console.log(JSON.stringify(same));`,
      folder,
    );
    expect(JSON.parse(text)).toEqual([true, true, true, true]);
  });

  test('its files are ASCII, which V8 keeps in half of the memory', () => {
    const gen = path.join(folder, 'lib/bundles');
    const bundles = fs.readdirSync(gen);
    expect(bundles).toHaveLength(7);
    for (const name of bundles) {
      const bytes = fs.readFileSync(path.join(gen, name));
      expect(bytes.every((byte) => byte < 128)).toBe(true);
    }
  });
});

describe('bundling', () => {
  let count = 0;

  /** Writes a library of these files, bundles it and runs the program in it. */
  function run(files, bundles, program) {
    const folder = path.join(parent, `library${count++}`);
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
    }
    evaluate(
      `const { bundleLibrary } = await import(${urlOf('library-bundle.mjs')});
      bundleLibrary(${JSON.stringify(folder)}, ${JSON.stringify(bundles)});`,
      folder,
    );
    return evaluate(
      `import { createRequire } from 'node:module';
      const require = createRequire(${JSON.stringify(`${folder}/main.js`)});
      ${program}`,
      folder,
    );
  }

  test('modules find each other across bundles and files', () => {
    const printed = run(
      {
        'lib/a.js': `'use strict';\nconst { b } = require('./deep/b.js');\nmodule.exports = { a: 'a' + b, later: () => require('./later.js') };\n`,
        'lib/deep/b.js': `'use strict';\nconst { c } = require('../other/c.js');\nmodule.exports = { b: 'b' + c };\n`,
        'lib/other/c.js': `'use strict';\nmodule.exports = { c: 'c\u2026' };\n`,
        'lib/later.js': `'use strict';\nconst { b } = require('./deep/b.js');\nmodule.exports = 'later' + b;\n`,
      },
      { first: ['lib/other/c.js'], second: ['lib/a.js'] },
      `const { a, later } = require('./lib/a.js'); console.log(a, later());`,
    );
    expect(printed).toBe('abc\u2026 laterbc\u2026\n');
  });

  test('a module that asks for its folder gets its own', () => {
    const printed = run(
      {
        'lib/a.js': `'use strict';\nconst { folder } = require('./deep/b.js');\nmodule.exports = { folder };\n`,
        'lib/deep/b.js': `'use strict';\nmodule.exports = { folder: __dirname };\n`,
      },
      { first: ['lib/a.js'] },
      `console.log(require('node:path').basename(require('./lib/a.js').folder));`,
    );
    expect(printed).toBe('deep\n');
  });

  test("a module may have names of the bundle's own", () => {
    const own = ['take', 'load', 'loaded', 'modules', 'folder', 'folderOf'];
    const functions = own.map((name) => `function ${name}() {}\n`).join('');
    const printed = run(
      {
        'lib/a.js': `'use strict';\nconst { b } = require('./b.js');\n${functions}module.exports = { b, folder: __dirname };\n`,
        'lib/b.js': `'use strict';\nmodule.exports = { b: 1 };\n`,
      },
      { first: ['lib/a.js'] },
      `const { b, folder } = require('./lib/a.js');
      console.log(b, require('node:path').basename(folder));`,
    );
    expect(printed).toBe('1 lib\n');
  });

  test('a module that failed is tried again', () => {
    const printed = run(
      {
        'lib/a.js': `'use strict';\nglobalThis.tries = (globalThis.tries ?? 0) + 1;\nif (globalThis.tries === 1) throw new Error('not yet');\nmodule.exports = { tries: globalThis.tries };\n`,
      },
      { first: ['lib/a.js'] },
      `try { require('./lib/a.js'); } catch (error) { console.log(error.message); }
      console.log(require('./lib/a.js').tries);`,
    );
    expect(printed).toBe('not yet\n2\n');
  });

  test('`import` does not look for names through a bundle', () => {
    const printed = run(
      {
        'lib/a.js': `'use strict';\nexports.one = 1;\n`,
      },
      { first: ['lib/a.js'] },
      `const found = await import('./lib/a.js');
      console.log(Object.keys(found).includes('one'), found.default.one);`,
    );
    expect(printed).toBe('false 1\n');
  });
});
