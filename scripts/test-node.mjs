// Node's own tests of its modules without I/O, each in an isolate of its own:
//   npm run test:node -- <folder of Node's tests> [--only <regexp>] [--names]
//
// The folder has `parallel`, `common` and `fixtures`. A file counts if it passes on that
// Node itself with our stand-ins for test/common and node:test. What may fail
// in an isolate stands with its reason in test/node/known-<major>.json; a file
// that is named there and passes is a failure too, so that the list stays true.
// --names prints what fails.

import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { main, Problem } from './lib/fail.mjs';
import { root } from './lib/paths.mjs';
import { report } from './lib/results.mjs';

// Modules that an isolate has, by the second word of a test's name.
const KINDS = [
  ...['abort', 'aborted', 'assert', 'async-local', 'atob', 'blob', 'btoa'],
  ...['buffer', 'compression', 'console', 'crypto', 'diagnostics-channel'],
  ...['event', 'events', 'event-emitter', 'eventtarget', 'global', 'icu'],
  ...['messagechannel', 'messageport', 'microtask', 'next-tick', 'path'],
  ...['performance', 'performanceobserver', 'promise', 'punycode'],
  ...['querystring', 'queue-microtask', 'readable', 'stream', 'streams'],
  ...['string-decoder', 'structuredClone', 'timers', 'tick', 'url', 'util'],
  ...['v8', 'vm', 'webcrypto', 'webstreams', 'whatwg', 'zlib'],
];
const KIND = new RegExp(`^test-(${KINDS.join('|')})[-.].*m?js$`);
// Flags of V8 and Node that an isolate cannot have.
const FLAGS = /^\/\/ Flags:\s*(.+)$/m;
const OF_COMMON = ['arraystream', 'countdown', 'crypto', 'gc', 'tick'];
const AT_ONCE = 2;
const LIMIT_MS = 30_000;
// Some make buffers of hundreds of MB.
const MEMORY_MB = 1024;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, names: { type: 'boolean' } },
});
// Files of any kind can be asked for by name.
const wanted = options.only === undefined ? KIND : new RegExp(options.only);
const base = join(root, 'build/node-tests');
const run = promisify(execFile);

/** All files below a folder, by their path from there. */
function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      relative(folder, join(entry.parentPath ?? entry.path, entry.name)),
    );
}

// Isolates have no files, so the texts and keys are in the stand-in itself.
function fixturesModule(folder) {
  const data = Object.fromEntries(
    filesBelow(folder)
      .filter((name) => !name.endsWith('.js'))
      .map((name) => [name, readFileSync(join(folder, name), 'base64')]),
  );
  return `'use strict';
const { join } = require('node:path');
const DATA = ${JSON.stringify(data)};
const fixturesDir = join(__dirname, '../fixtures');
function readSync(name, options) {
  const path = [name].flat().join('/');
  if (!(path in DATA)) throw new Error(\`no fixture \${path}\`);
  const bytes = Buffer.from(DATA[path], 'base64');
  const encoding = options?.encoding ?? options;
  return typeof encoding === 'string' ? bytes.toString(encoding) : bytes;
}
const readKey = (name, options) => readSync(\`keys/\${name}\`, options);
module.exports = {
  fixturesDir,
  path: (...parts) => join(fixturesDir, ...parts),
  readKey,
  readKeys: (options, ...names) => names.map((name) => readKey(name, options)),
  readSync,
  get utf8TestText() { return readSync('utf8_test_text.txt', 'utf8'); },
};
`;
}

/** Lays the tests out beside our stand-ins. @returns {string[]} their names */
function layOut(tests, work) {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'parallel'), { recursive: true });
  mkdirSync(join(work, 'common'));
  const own = join(root, 'scripts/node-tests');
  cpSync(join(own, 'entry.cjs'), join(work, 'entry.cjs'));
  cpSync(join(own, 'common.js'), join(work, 'common/index.js'));
  cpSync(join(own, 'test.js'), join(work, 'common/test.js'));
  writeFileSync(join(work, 'package.json'), '{"type":"commonjs"}');
  const shown = readFileSync(join(own, 'common.js'), 'utf8')
    .match(/^ {2}(?:get )?\w+(?=[,:(])/gm)
    .map((name) => name.trim().replace('get ', ''));
  writeFileSync(
    join(work, 'common/index.mjs'),
    `import all from './index.js';
export default all;
export const { ${[...new Set(shown)].filter((name) => name !== '__suite')} } = all;`,
  );
  for (const name of OF_COMMON) {
    const file = join(tests, 'common', `${name}.js`);
    if (existsSync(file)) cpSync(file, join(work, 'common', `${name}.js`));
  }
  const fixtures = join(tests, 'fixtures');
  writeFileSync(join(work, 'common/fixtures.js'), fixturesModule(fixtures));
  if (existsSync(fixtures)) {
    cpSync(fixtures, join(work, 'fixtures'), { recursive: true });
  }
  return readdirSync(join(tests, 'parallel'))
    .filter((name) => /^test-.*\.m?js$/.test(name) && wanted.test(name))
    .filter((name) => {
      const text = readFileSync(join(tests, 'parallel', name), 'utf8');
      if (FLAGS.test(text)) return false;
      const changed = text.replace(
        /(require\(|from )(['"])node:test\2/g,
        "$1'../common/test.js'",
      );
      writeFileSync(join(work, 'parallel', name), changed);
      return true;
    });
}

async function each(names, work) {
  const rest = [...names];
  const results = new Map();
  const go = async () => {
    while (rest.length > 0) {
      const name = rest.shift();
      results.set(name, await work(name));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, go));
  return results;
}

const firstLines = (error) =>
  String(error?.stack ?? error)
    .split('\n')
    .slice(0, 3)
    .join(' | ');

/** Asks a process of Node's own what is to be counted at all. */
const onNode = (entry, work) => async (name) => {
  const file = JSON.stringify(join(work, 'parallel', name));
  const program = `require(${JSON.stringify(entry)}).one({ input: ${file} })
    .then((said) => { console.log('\\nSAID ' + said); process.exit(0); });`;
  try {
    const { stdout } = await run(process.execPath, ['-e', program], {
      cwd: work,
      timeout: LIMIT_MS,
    });
    return /^SAID ok$/m.test(stdout);
  } catch {
    return false;
  }
};

const inIsolate = (WorkerPool, entry, work) => async (name) => {
  const pool = WorkerPool.create('node-tests', {
    module: entry,
    workers: 1,
    memoryLimitMb: MEMORY_MB,
  });
  try {
    const input = join(work, 'parallel', name);
    return await pool.invoke('one', { input }, { timeoutMs: LIMIT_MS });
  } catch (error) {
    return firstLines(error.cause ?? error);
  } finally {
    await pool.stop({ drain: false, timeoutMs: 2000 }).catch(() => {});
  }
};

/** Reasons by file. Nobody has looked yet at what other Nodes' tests say. */
function knownFailures() {
  const [major] = process.versions.node.split('.');
  const file = join(root, `test/node/known-${major}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

await main(async () => {
  const tests = resolve(positionals[0] ?? '');
  if (!existsSync(join(tests, 'parallel'))) {
    throw new Problem(
      "usage: npm run test:node -- <folder of Node's tests, with parallel>",
    );
  }
  const work = join(base, `run-${process.pid}`);
  const known = knownFailures();
  try {
    const names = layOut(tests, work);
    const entry = join(work, 'entry.cjs');
    const counts = await each(names, onNode(entry, work));
    const counted = names.filter((name) => counts.get(name));
    const { WorkerPool } = await import('../lib/index.js');
    const said = await each(counted, inIsolate(WorkerPool, entry, work));
    const skipped = counted.filter((name) => said.get(name).startsWith('skip'));
    const wrong = counted.filter((name) => {
      const passes = said.get(name) === 'ok';
      return !skipped.includes(name) && passes === (known[name] !== undefined);
    });
    for (const name of wrong) {
      const what =
        said.get(name) === 'ok' ? 'passes, is known to fail' : said.get(name);
      console.log(`FAIL ${name}: ${what.slice(0, 400)}`);
    }
    if (options.names) {
      for (const name of counted) {
        if (said.get(name) !== 'ok')
          console.log(`${name}: ${said.get(name).slice(0, 160)}`);
      }
    }
    console.log(`${names.length} files, ${counted.length} pass on Node itself`);
    report('node-tests', {
      passed: counted.filter((name) => said.get(name) === 'ok').length,
      failed: wrong.length,
      skipped:
        skipped.length +
        counted.filter(
          (name) => said.get(name) !== 'ok' && known[name] !== undefined,
        ).length,
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});
