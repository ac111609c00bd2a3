'use strict';
// Errors of bundled and minified files point at their sources.

const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { buildSync } = require('esbuild');
const { WorkerPool } = require('../../../lib/index.js');
const { mapStack } = require('../../../lib/errors/source-maps.js');

let folder;
let pools;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sw-maps-'));
  pools = [];
});

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.stop({ drain: false })));
  rmSync(folder, { recursive: true });
});

const file = (name) => join(folder, name);
const urlOf = (name) => pathToFileURL(file(name)).href;

const SOURCES = {
  'deep.ts': `// a comment that the bundle does not have
interface Row { text: string }
export function parse(row: Row): unknown {
  try {
    return JSON.parse(row.text);
  } catch (cause) {
    throw new RangeError('bad row', { cause });
  }
}
`,
  'middle.ts': `import { parse } from './deep';
export const all = (texts: string[]) => texts.map((text) => parse({ text }));
`,
  'main.ts': `import { all } from './middle';

export function run(texts: string[]) {
  return all(texts);
}
`,
};

function bundle(options) {
  for (const [name, text] of Object.entries(SOURCES)) {
    writeFileSync(file(name), text);
  }
  const outfile = file(options.format === 'cjs' ? 'out.cjs' : 'out.mjs');
  buildSync({
    entryPoints: [file('main.ts')],
    bundle: true,
    minify: true,
    target: 'es2022',
    platform: 'node',
    outfile,
    ...options,
  });
  return outfile;
}

async function failureIn(module) {
  const pool = WorkerPool.create('maps', { module });
  pools.push(pool);
  const error = await pool.invoke('run', ['{']).catch((refusal) => refusal);
  return error.cause;
}

/** The places of the frames, without the names that a minifier gives. */
const placesOf = (stack) =>
  [...stack.matchAll(/[(\s]((?:file:|\/)[^()\s]*)\)?$/gm)].map(([, at]) => at);

test.each([
  ['inline', 'esm'],
  ['linked', 'esm'],
  ['inline', 'cjs'],
])('a minified bundle with its map %s, as %s', async (sourcemap, format) => {
  const error = await failureIn(bundle({ sourcemap, format }));
  expect(error).toBeInstanceOf(RangeError);
  expect(placesOf(error.stack).slice(0, 4)).toEqual([
    `${urlOf('deep.ts')}:7:11`,
    expect.stringContaining(`${urlOf('middle.ts')}:2:`),
    // `map` itself has no place.
    expect.stringContaining(`${urlOf('middle.ts')}:2:`),
    expect.stringContaining(`${urlOf('main.ts')}:4:`),
  ]);
  expect(placesOf(error.cause.stack)).toContain(`${urlOf('deep.ts')}:5:17`);
});

test('a file that changed has another map', async () => {
  const first = `    at x (${urlOf('out.mjs')}:1:1)`;
  writeFileSync(file('out.mjs'), 'throw 1;\n');
  expect(mapStack(first)).toBe(first);
  bundle({ sourcemap: 'inline', format: 'esm' });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(mapStack(first)).not.toBe(first);
});

describe('what is wrong changes nothing', () => {
  const frame = (name) => `Error: x\n    at f (${urlOf(name)}:1:7)`;

  test.each([
    ['no comment', 'f();'],
    ['no such map', 'f();\n//# sourceMappingURL=missing.map'],
    ['another host', 'f();\n//# sourceMappingURL=https://example.com/x.map'],
    ['no JSON', 'f();\n//# sourceMappingURL=data:application/json,nonsense'],
    ['bad escapes', 'f();\n//# sourceMappingURL=data:application/json,%'],
    ['no map', 'f();\n//# sourceMappingURL=data:application/json,7'],
    ['a folder', 'f();\n//# sourceMappingURL=.'],
  ])('%s', (name, text) => {
    const path = `${name.replaceAll(' ', '-')}.mjs`;
    writeFileSync(file(path), text);
    expect(mapStack(frame(path))).toBe(frame(path));
  });

  test('nor a missing file, nor what only looks like a frame', () => {
    for (const stack of [
      frame('missing.mjs'),
      'Error: at /etc/passwd:1:1',
      '    at file://host/share/x.js:1:1',
      '    at sloppy:pool/job:1:1',
      '    at node:internal/main:1:1',
      '',
    ]) {
      expect(mapStack(stack)).toBe(stack);
    }
  });

  test('an error a thousand frames deep is mapped in a moment', () => {
    const line = `    at a (${urlOf('missing.mjs')}:1:1)\n`;
    const stack = `Error\n${line.repeat(1000)}`;
    expect(mapStack(stack)).toBe(stack);
  });
});

test('a comment inside the code is not the map', () => {
  bundle({ sourcemap: 'inline', format: 'esm' });
  const text = readFileSync(file('out.mjs'), 'utf8');
  writeFileSync(file('both.mjs'), `//# sourceMappingURL=first.map\n${text}`);
  const frame = `    at x (${urlOf('both.mjs')}:1:1)`;
  expect(mapStack(frame)).not.toBe(frame);
});

describe('what a worker reads of its own stacks', () => {
  const MAIN = `import { all } from './middle';
import { inspect } from 'node:util';

export function run() {
  try {
    return [all(['{'])];
  } catch (error) {
    return [(error as Error).stack, inspect(error)];
  }
}

export function fail(first: boolean) {
  try {
    all(['{']);
  } catch (error) {
    if (first) void (error as Error).stack;
    throw error;
  }
}
`;

  function pooled(options, main = MAIN) {
    SOURCES['main.ts'] = main;
    const pool = WorkerPool.create('maps', { module: bundle(options) });
    pools.push(pool);
    return pool;
  }

  const { 'main.ts': before } = SOURCES;
  afterEach(() => {
    SOURCES['main.ts'] = before;
  });

  const places = (text) => placesOf(text).filter((at) => !/out\./.test(at));

  test.each([
    ['inline', 'esm'],
    ['linked', 'esm'],
    ['inline', 'cjs'],
    ['linked', 'cjs'],
  ])('a map %s, as %s', async (sourcemap, format) => {
    const pool = pooled({ sourcemap, format });
    const [stack, inspected] = await pool.invoke('run', null);
    expect(places(stack)).toEqual([
      `${urlOf('deep.ts')}:7:11`,
      expect.stringContaining(`${urlOf('middle.ts')}:2:`),
      expect.stringContaining(`${urlOf('middle.ts')}:2:`),
      `${urlOf('main.ts')}:6:13`,
    ]);
    expect(stack).not.toMatch(/out\.[mc]js/);
    expect(inspected).toContain(`${urlOf('deep.ts')}:7:11`);
    expect(inspected).toMatch(/\[cause\]: SyntaxError/);
    expect(inspected).toContain(`${urlOf('deep.ts')}:5:17`);
  });

  test.each([true, false])(
    'and its caller sees them too: %p',
    async (first) => {
      const pool = pooled({ sourcemap: 'linked', format: 'esm' });
      const { cause } = await pool.invoke('fail', first).catch((e) => e);
      expect(placesOf(cause.stack)[0]).toBe(`${urlOf('deep.ts')}:7:11`);
    },
  );

  test('a place in a file of the same name is not looked up again', async () => {
    // Line 1 is from 3:5 of a file with its own name, line 3 from 7:11.
    const map = {
      version: 3,
      sources: ['same.mjs'],
      names: [],
      mappings: 'AAEI;;AAIM',
    };
    const json = Buffer.from(JSON.stringify(map)).toString('base64');
    writeFileSync(
      file('same.mjs'),
      `export const run = () => { const e = new Error('x'); void e.stack; throw e; };
//# sourceMappingURL=data:application/json;base64,${json}`,
    );
    const { stack } = await failureIn(file('same.mjs'));
    expect(placesOf(stack)[0]).toBe(`${urlOf('same.mjs')}:3:5`);
  });

  test('prepareStackTrace has the frames as they run', async () => {
    const pool = pooled(
      { sourcemap: 'linked', format: 'esm' },
      `Error.prepareStackTrace = (_, sites) => sites.map((s) => s.getLineNumber() + ':' + s.getFileName());
       export const run = () => (new Error('x') as any).stack;`,
    );
    expect((await pool.invoke('run', null))[0]).toBe(`1:${urlOf('out.mjs')}`);
  });

  test.each([
    ['no such map', 'missing.map'],
    ['another host', 'https://example.com/x.map'],
    ['nonsense', 'data:application/json,nonsense'],
    ['a folder', '.'],
    ['a file that is no map', 'out.mjs'],
  ])('%s changes nothing', async (_, url) => {
    writeFileSync(
      file('out.mjs'),
      `export const run = () => new Error('x').stack;\n//# sourceMappingURL=${url}`,
    );
    const pool = WorkerPool.create('maps', { module: file('out.mjs') });
    pools.push(pool);
    expect(placesOf(await pool.invoke('run', null))[0]).toBe(
      `${urlOf('out.mjs')}:1:26`,
    );
  });

  test('a map that the heap has no room for is left alone', async () => {
    const lines = `${'CAAC,'.repeat(20)}CAAC;`.repeat(20_000);
    const map = { version: 3, sources: ['a.ts'], names: [], mappings: lines };
    writeFileSync(file('out.mjs.map'), JSON.stringify(map));
    writeFileSync(
      file('out.mjs'),
      `export const run = () => new Error('x').stack;
//# sourceMappingURL=out.mjs.map`,
    );
    const pool = WorkerPool.create('maps', {
      module: file('out.mjs'),
      memoryLimitMb: 16,
    });
    pools.push(pool);
    expect(placesOf(await pool.invoke('run', null))[0]).toBe(
      `${urlOf('out.mjs')}:1:26`,
    );
  });

  test('built-ins that code has changed do not matter', async () => {
    const pool = pooled(
      { sourcemap: 'linked', format: 'esm' },
      `Map.prototype.get = WeakSet.prototype.add = JSON.parse = () => { throw 1; };
       String.prototype.lastIndexOf = () => 0;
       export const run = () => new Error('x').stack;`,
    );
    const stack = await pool.invoke('run', null);
    expect(stack).toMatch(/^Error: x\n {4}at .*(main\.ts|out\.mjs):\d+:\d+/);
  });
});
