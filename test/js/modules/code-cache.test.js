'use strict';

const {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { join } = require('node:path');

const { WorkerPool, Worker } = require('../../../lib/index.js');
const { runNode } = require('../support/run-node.js');
const { folderWith, removeFolders } = require('./support.js');

afterEach(removeFolders);
jest.setTimeout(120_000);

const PADDING = `/* ${'large '.repeat(4000)} */\n`;
// The function is too complicated for V8 to compile before it is called.
const moduleOf = (answer) => `${PADDING}
export function run() {
  const inner = () => ${JSON.stringify(answer)};
  return inner();
}
`;

/** Runs the module's job in a process of its own, which then ends `how`. */
function inProcess(how, folder, options = {}) {
  const settings = {
    module: join(folder, 'main.mjs'),
    codeCache: join(folder, 'cache'),
    ...options,
  };
  const printed = runNode([
    '-e',
    `const { WorkerPool } = require('./lib');
    const pool = WorkerPool.create('code', ${JSON.stringify(settings)});
    pool.invoke('run').then(async (answer) => {
      console.log(answer);
      ${how}
    });`,
  ]);
  return printed.trim();
}

/** The files in its cache that are of modules, or of the library's own code. */
function filesOf(folder, kind = 'module') {
  const cache = join(folder, 'cache');
  if (!existsSync(cache)) return [];
  return readdirSync(cache).filter((name) => {
    const isOwn = readFileSync(join(cache, name)).includes('\nbuiltin:');
    return isOwn === (kind === 'own');
  });
}

const ENDS = {
  'stop()': 'await pool.stop();',
  'stop() without waiting': 'await pool.stop({ drain: false, timeoutMs: 0 });',
  'an end of itself': '',
  'process.exit()': 'process.exit(0);',
};

test.each(Object.keys(ENDS))('code is there after %s', (name) => {
  const folder = folderWith({ 'main.mjs': moduleOf('one') });
  expect(inProcess(ENDS[name], folder)).toBe('one');
  expect(filesOf(folder)).toEqual([expect.stringMatching(/^\w{32}\.swcode$/)]);
});

// V8 compares nothing but the length of a text: whoever can write to the
// directory decides what runs. The test does so, with the file of one text
// under the name of another.
test('the next process runs the code that is there', () => {
  const folder = folderWith({ 'main.mjs': moduleOf('one') });
  expect(inProcess(ENDS['stop()'], folder)).toBe('one');
  const [one] = filesOf(folder);
  const stored = readFileSync(join(folder, 'cache', one));
  writeFileSync(join(folder, 'main.mjs'), moduleOf('two'));
  expect(inProcess(ENDS['stop()'], folder)).toBe('two');
  const two = filesOf(folder).find((name) => name !== one);
  const file = join(folder, 'cache', two);
  const swapped = withCodeOf(stored, readFileSync(file));
  writeFileSync(file, swapped);
  expect(inProcess(ENDS['stop()'], folder)).toBe('one');
  // A file that was used is not written again.
  expect(readFileSync(file).equals(swapped)).toBe(true);
});

/** The head of one file of code and the code of another. */
function withCodeOf(code, head) {
  const start = (file) => 32 + Number(file.readBigUInt64LE(16));
  const whole = Buffer.concat([
    head.subarray(0, start(head)),
    code.subarray(start(code)),
  ]);
  whole.writeBigUInt64LE(BigInt(code.length - start(code)), 24);
  whole.writeBigUInt64LE(checksumOf(whole), 8);
  return whole;
}

/** The checksum that src/isolate/code_directory.cc computes. */
function checksumOf(file) {
  const identityBytes = Number(file.readBigUInt64LE(16));
  const mask = (1n << 64n) - 1n;
  let hash = 1n;
  const take = (word) => {
    hash = ((hash ^ word) * 0x9e3779b97f4a7c15n) & mask;
    hash ^= hash >> 32n;
  };
  const mix = (bytes) => {
    let at = 0;
    for (; at + 8 <= bytes.length; at += 8) take(bytes.readBigUInt64LE(at));
    const rest = Buffer.alloc(8);
    bytes.copy(rest, 0, at);
    take(rest.readBigUInt64LE());
    take(BigInt(bytes.length - at));
  };
  mix(file.subarray(16, 24));
  mix(file.subarray(24, 32));
  mix(file.subarray(32, 32 + identityBytes));
  mix(file.subarray(32 + identityBytes));
  return hash;
}

test('what V8 refuses is compiled and written again', () => {
  const folder = folderWith({ 'main.mjs': moduleOf('one') });
  inProcess(ENDS['stop()'], folder);
  const file = join(folder, 'cache', filesOf(folder)[0]);
  const good = readFileSync(file);
  // Whole, and nothing that V8 has made.
  const bad = withCodeOf(
    Buffer.concat([Buffer.alloc(32), Buffer.alloc(good.length)]),
    good,
  );
  writeFileSync(file, bad);
  expect(inProcess(ENDS['stop()'], folder)).toBe('one');
  expect(readFileSync(file).equals(bad)).toBe(false);
});

test("the library's own code is kept as well, and written once", () => {
  const folder = folderWith({ 'main.mjs': 'export const run = () => "one";' });
  expect(inProcess(ENDS['stop()'], folder)).toBe('one');
  const times = () =>
    filesOf(folder, 'own').map((name) => [
      name,
      statSync(join(folder, 'cache', name)).mtimeMs,
    ]);
  const first = times();
  expect(first.length).toBeGreaterThan(0);
  expect(filesOf(folder)).toEqual([]);
  expect(inProcess(ENDS['an end of itself'], folder)).toBe('one');
  expect(times()).toEqual(first);
});

test.each([
  ['cut off', (bytes) => bytes.subarray(0, bytes.length / 2)],
  ['empty', () => Buffer.alloc(0)],
  ['other bytes', (bytes) => bytes.map((byte, at) => byte ^ (at & 1))],
])('a file that is %s is replaced', (_, damage) => {
  const folder = folderWith({ 'main.mjs': moduleOf('one') });
  inProcess(ENDS['stop()'], folder);
  const file = join(folder, 'cache', filesOf(folder)[0]);
  const { size } = statSync(file);
  writeFileSync(file, damage(readFileSync(file)));
  expect(inProcess(ENDS['stop()'], folder)).toBe('one');
  expect(statSync(file).size).toBe(size);
});

test('CommonJS is kept as well, by a key of its own', () => {
  const folder = folderWith({
    'main.mjs': `import one from './one.cjs'; ${moduleOf('x')}
      export const both = () => one;`,
    'one.cjs': `${PADDING}module.exports = 1;`,
  });
  inProcess(ENDS['stop()'], folder);
  expect(filesOf(folder)).toHaveLength(2);
});

const COUNTS = `
  const [{ codeCache }] = await pool.stats();
  console.log(JSON.stringify(codeCache));
  await pool.stop();`;
const counted = (hits, misses, refused) =>
  `one\n${JSON.stringify({ hits, misses, refused })}`;

test('stats() counts what was there, what was not and what V8 refused', () => {
  const folder = folderWith({ 'main.mjs': moduleOf('one') });
  expect(inProcess(COUNTS, folder)).toBe(counted(0, 1, 0));
  expect(inProcess(COUNTS, folder)).toBe(counted(1, 0, 0));
  const file = join(folder, 'cache', filesOf(folder)[0]);
  const good = readFileSync(file);
  const nothing = Buffer.alloc(32 + good.length);
  writeFileSync(file, withCodeOf(nothing, good));
  expect(inProcess(COUNTS, folder)).toBe(counted(0, 0, 1));
  // A damaged file counts as none.
  writeFileSync(file, good.subarray(0, 100));
  expect(inProcess(COUNTS, folder)).toBe(counted(0, 1, 0));
});

test('the counts are those of all realms of a worker', () => {
  const folder = folderWith({ 'main.mjs': moduleOf('one') });
  const how = `
    for (let n = 0; n < 5; n += 1) await pool.invoke('run');
    const rows = await pool.stats();
    console.log(JSON.stringify(rows.map(({ codeCache }) => codeCache)));
    await pool.stop();`;
  for (const isolation of ['context', 'isolate']) {
    const options = { isolation, workers: 1, codeCache: false };
    const [, line] = inProcess(how, folder, options).split('\n');
    const rows = JSON.parse(line);
    const sum = (key) => rows.reduce((count, row) => count + row[key], 0);
    // One that runs jobs, and one in reserve.
    expect(rows.length).toBeLessThanOrEqual(2);
    expect(sum('hits')).toBeGreaterThan(rows.length);
    expect(sum('hits') + sum('misses')).toBeGreaterThanOrEqual(6);
    expect(sum('refused')).toBe(0);
  }
});

// A worker is asked for memory, and so stores, a second after its last job if
// that has collected garbage.
test('what later jobs have had compiled is stored while the process lives', () => {
  const sums = Array.from(
    { length: 300 },
    (_, n) => `sum += Math.max(sum, ${n});`,
  );
  const folder = folderWith({
    'main.mjs': `${PADDING}
      const waste = () => Array.from({ length: 300_000 }, (_, n) => ({ n }));
      export const run = () => waste() && 'one';
      export function more() { let sum = 0; ${sums.join('\n')} waste(); return sum; }`,
  });
  const cache = JSON.stringify(join(folder, 'cache'));
  const how = `
    const { readdirSync, readFileSync } = require('node:fs');
    const bytes = () => {
      let sum = 0;
      for (const name of readdirSync(${cache})) {
        if (!name.endsWith('.swcode')) continue;
        const file = readFileSync(${cache} + '/' + name);
        if (!file.includes('\\nbuiltin:')) sum += file.length;
      }
      return sum;
    };
    const beyond = async (size) => {
      for (;;) {
        try {
          if (bytes() > size) return bytes();
        } catch {
          // The file is not made yet, or was replaced just now.
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const first = await beyond(0);
    await pool.invoke('more');
    const second = await beyond(first);
    console.log(second > 2 * first);
    await pool.stop();`;
  expect(inProcess(how, folder, { workers: 1 })).toBe('one\ntrue');
});

test('a pool of fresh isolates keeps what its first job has compiled', () => {
  const folder = folderWith({ 'main.mjs': moduleOf('one') });
  const how = `
    await pool.invoke('run');
    await pool.stop();`;
  expect(inProcess(how, folder, { isolation: 'isolate' })).toBe('one');
  expect(filesOf(folder)).toHaveLength(1);
});

test('no directory that cannot be used fails a job', async () => {
  const folder = folderWith({ 'main.mjs': moduleOf('one'), file: '' });
  const open = join(folder, 'open');
  mkdirSync(open);
  chmodSync(open, 0o777);
  for (const codeCache of [join(folder, 'file'), '/proc/none', open]) {
    expect(inProcess(ENDS['stop()'], folder, { codeCache })).toBe('one');
  }
  expect(readdirSync(open)).toEqual([]);
});

test('nothing is written without the option', () => {
  const folder = folderWith({ 'main.mjs': moduleOf('one') });
  inProcess(ENDS['stop()'], folder, { codeCache: false });
  expect(filesOf(folder)).toEqual([]);
});

test('a Worker has it too, and a path is against the working directory', async () => {
  const folder = folderWith({ 'main.mjs': moduleOf('one') });
  const printed = runNode([
    '-e',
    `const { Worker } = require('./lib');
     process.chdir(${JSON.stringify(folder)});
     Worker.start('./main.mjs', { codeCache: 'cache' }).then(async (worker) => {
       console.log(await worker.invoke('run'));
       await worker.stop();
     });`,
  ]);
  expect(printed.trim()).toBe('one');
  expect(filesOf(folder)).toHaveLength(1);
});

test.each([true, 1, '', 'a\0b', {}])('%j is no directory', (codeCache) => {
  expect(() => WorkerPool.create('code', { codeCache })).toThrow(
    new TypeError(
      'WorkerPool.codeCache must be the path of a directory, or false.',
    ),
  );
});

test('threads of Node have none', async () => {
  expect(() =>
    WorkerPool.create('code', { runtime: 'thread', codeCache: '/cache' }),
  ).toThrow(/WorkerPool\.codeCache needs isolates/);
  await expect(Worker.start(__filename, { codeCache: 7 })).rejects.toThrow(
    'Worker.codeCache must be the path of a directory',
  );
});
