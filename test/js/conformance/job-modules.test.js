'use strict';
// The imports of a function that is sent: `{ modules: { name: specifier } }`.

const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { dirname, join, relative } = require('node:path');
const { pathToFileURL } = require('node:url');
const { createPool, stopAll } = require('./support.js');

let folder;
let pool;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sw-inline-'));
  writeFileSync(
    join(folder, 'own.mjs'),
    `let calls = 0;
     export const next = () => (calls += 1);
     export default import.meta.url;`,
  );
  pool = createPool({}, 'inline');
});

afterEach(async () => {
  await stopAll();
  rmSync(folder, { recursive: true });
});

test('packages, built-ins, paths and URLs', async () => {
  const own = join(folder, 'own.mjs');
  const url = pathToFileURL(own);
  const modules = {
    acorn: 'acorn',
    path: 'node:path',
    absolute: own,
    relative: `./${relative(process.cwd(), own)}`,
    url,
    text: url.href,
    data: 'data:text/javascript,export default 7',
  };
  const job = ({ modules }) => [
    typeof modules.acorn.parse,
    modules.path.posix.join('a', 'b'),
    modules.absolute === modules.relative && modules.url === modules.text,
    modules.absolute.default,
    modules.data.default,
  ];
  expect(await pool.run(job, { modules })).toEqual([
    'function',
    'a/b',
    true,
    url.href,
    7,
  ]);
});

test('one instance for all jobs; without the option there is none', async () => {
  const modules = { own: join(folder, 'own.mjs') };
  const job = ({ modules }) => modules?.own.next() ?? 'none';
  const results = [];
  for (let i = 0; i < 3; i += 1) results.push(await pool.run(job, { modules }));
  expect(results).toEqual([1, 2, 3]);
  expect(await pool.run(job)).toBe('none');
  expect(await pool.run(({ modules }) => modules.own.next(), { modules })).toBe(
    4,
  );
});

test('kinds of functions, and their positions', async () => {
  const modules = { path: 'node:path' };
  const object = {
    method({ modules }) {
      return modules.path.sep;
    },
  };
  for (const fn of [
    (c) => c.modules.path.sep,
    async (c) => c.modules.path.sep,
    function named(c) {
      return c.modules.path.sep;
    },
    object.method,
  ]) {
    expect(await pool.run(fn, { modules })).toBe('/');
  }
  const throwing = new Function('c', 'throw new Error(c.modules.path.sep)');
  const [plain, sent] = await Promise.all([
    pool.run(throwing).catch((error) => error.cause.stack),
    pool.run(throwing, { modules }).catch((error) => error.cause.stack),
  ]);
  const placeOf = (stack) => /anonymous:(\d+):/.exec(stack)[1];
  expect(placeOf(sent)).toBe(placeOf(plain));
});

test('what changes from one call to the next', async () => {
  const name = ({ modules }) => modules.own.default;
  const moduleIn = (path, text) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `export default ${JSON.stringify(text)}`);
    return file;
  };
  const a = moduleIn('a/named.mjs', 'a');
  const b = moduleIn('b/named.mjs', 'b');
  const modules = { own: a };
  const resultOf = () => pool.run(name, { modules });
  expect(await resultOf()).toBe('a');
  modules.own = b;
  expect(await resultOf()).toBe('b');
  const url = pathToFileURL(a);
  modules.own = url;
  expect(await resultOf()).toBe('a');
  url.pathname = pathToFileURL(b).pathname;
  expect(await resultOf()).toBe('b');
  modules.own = './named.mjs';
  const before = process.cwd();
  try {
    process.chdir(dirname(a));
    expect(await resultOf()).toBe('a');
    process.chdir(dirname(b));
    expect(await resultOf()).toBe('b');
    expect(await resultOf()).toBe('b');
  } finally {
    process.chdir(before);
  }
  modules.other = modules.own = a;
  expect(await resultOf()).toBe('a');
  const names = ({ modules }) => Object.keys(modules).join();
  expect(await pool.run(names, { modules: { x: a } })).toBe('x');
  expect(await pool.run(names, { modules: { y: a } })).toBe('y');
  expect(await pool.run(names, { modules: {} })).toBe('');
});

test('map and stream', async () => {
  const modules = { own: join(folder, 'own.mjs') };
  const mapped = pool.map(
    [10, 20],
    ({ input, modules }) => input + modules.own.next(),
    { modules, concurrency: 1 },
  );
  expect(await collect(mapped)).toEqual([11, 22]);
  async function* twice({ modules }) {
    yield modules.own.next();
    yield modules.own.next();
  }
  expect(await collect(pool.stream(twice, { modules }))).toEqual([3, 4]);
});

async function collect(values) {
  const all = [];
  for await (const value of values) all.push(value);
  return all;
}

test('one that is missing', async () => {
  const modules = { missing: './missing.mjs' };
  for (let i = 0; i < 2; i += 1) {
    const error = await pool.run(() => 1, { modules }).catch((e) => e);
    expect(error.code).toBe('SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED');
    expect(error.cause.code).toBe('ERR_MODULE_NOT_FOUND');
  }
});

test.each([
  [7, 'worker modules must be a plain object.'],
  [{ a: 7 }, 'worker modules must be specifiers or URLs.'],
  [{ a: '' }, 'worker modules must be specifiers or URLs.'],
])('bad modules %p', async (modules, text) => {
  const error = await pool.run(() => 1, { modules }).catch((e) => e);
  expect(error).toBeInstanceOf(TypeError);
  expect(error.message).toBe(text);
});
