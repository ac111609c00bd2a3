'use strict';
// Errors of bundled and minified files point at their sources.

const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { buildSync } = require('esbuild');
const { WorkerPool } = require('../../../lib/index.js');
const { mapStack } = require('../../../lib/internal/source-maps.js');

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

/** Where the frames are, without the names that a minifier gives. */
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
