// Phases of imports, static and dynamic, from each place that code comes from,
// with each flag of V8's that has to do with imports. V8 asks the host for
// each phase in its own way, and ends the process when an answer is amiss.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import check from './support/check.js';

const { WorkerPool, assert, pass } = check;

const [, , child, dynamicDefer] = process.argv;
const DEFER_FLAG = '--js-defer-import-eval';
const EVALUATION = 'import';
const SOURCE = 'import.source';
const DEFER = 'import.defer';

const folder = mkdtempSync(path.join(tmpdir(), 'sw-phases-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const urlOf = (name) => pathToFileURL(path.join(folder, name)).href;

const CALL = "phase + '(' + JSON.stringify(target) + rest + ')'";
const ASK = '(phase, target, rest)';
const FILES = {
  'value.mjs': 'export const v = 1;',
  'value.cjs': 'exports.v = 1;',
  'value.json': '{"v":1}',
  'throws.mjs': "throw new Error('thrown'); export const v = 1;",
  'waits.mjs': 'export const v = await 1;',
  'some.wasm': Buffer.from([0, 97, 115, 109, 1, 0, 0, 0]),
  'place.mjs': `export const ask = ${ASK} => eval(${CALL});`,
  'place.cjs': `exports.ask = ${ASK} => eval(${CALL});`,
};
const TARGETS = [
  ...[
    'value.mjs',
    'value.cjs',
    'value.json',
    'throws.mjs',
    'waits.mjs',
    'some.wasm',
  ].map(urlOf),
  urlOf('missing.mjs'),
  'node:path',
  'data:text/javascript,export const v = 1;',
  'missing',
];
const RESTS = [
  '',
  ', undefined',
  ', {}',
  ", { with: { type: 'json' } }",
  ", { with: { a: 'b' } }",
  ', null',
];

// Functions are sent as text: nothing of this file is seen in them.
const BODY = `
  const say = (error) => [error?.name, error?.code].filter(Boolean).join(' ');
  try { return [typeof (await ask(phase, target, rest)).v]; }
  catch (error) { return say(error); }`;
const inPlace = (place) =>
  new Function(
    '{ input: { phase, target, rest } }',
    `return (async () => { ${place} ${BODY} })();`,
  );
const asModule = (text) => `data:text/javascript,${encodeURIComponent(text)}`;
const PLACES = {
  'a function that was sent': inPlace(`const ask = ${ASK} => eval(${CALL});`),
  'eval in the global scope': inPlace(
    `const ask = ${ASK} => (0, eval)(${CALL});`,
  ),
  'a function from text': inPlace(
    `const ask = ${ASK} => new Function('return ' + ${CALL})();`,
  ),
  'a module': inPlace(`const { ask } = await import('${urlOf('place.mjs')}');`),
  CommonJS: inPlace(`const { ask } = await import('${urlOf('place.cjs')}');`),
  'a data: module': inPlace(
    `const { ask } = await import(${JSON.stringify(asModule(FILES['place.mjs']))});`,
  ),
  'the top of a module': inPlace(
    `const ask = async ${ASK} =>
      (await import('data:text/javascript,' + encodeURIComponent(
        'export const got = await ' + ${CALL}))).got;`,
  ),
};

const STATIC = {
  'import source': (target) =>
    `import source x from '${target}'; export const v = typeof x;`,
  'import defer': (target) =>
    `import defer * as x from '${target}'; export const f = () => x.v; export const v = f();`,
  'import defer, never used': (target) =>
    `import defer * as x from '${target}'; export const v = 1;`,
  'import and import defer': (target) =>
    `import '${target}'; import defer * as x from '${target}'; export const v = x.v;`,
};

/** The flags that V8 has for imports, each as it is not by default. */
function flagsOfImports() {
  const list = execFileSync(process.execPath, ['--v8-options'], {
    encoding: 'utf8',
  });
  const rows = list.matchAll(
    /^ +--([\w-]*\bimport[\w-]*) [^\n]*\n +type: bool +default: --(no-)?/gm,
  );
  return [...rows]
    .filter(([, name]) => !/wasm/.test(name))
    .map(([, name, isOff]) => (isOff ? `--${name}` : `--no-${name}`));
}

// V8 14 itself ends the process at import.defer(), in Node's own code as well.
const survivesDefer = () =>
  spawnSync(
    process.execPath,
    [DEFER_FLAG, '-e', "import.defer('node:path').catch(() => {})"],
    { stdio: 'ignore' },
  ).status === 0;

async function tryPlaces(flag) {
  const pool = WorkerPool.create('places', { workers: 1, runtime: 'isolate' });
  const phases = [EVALUATION, SOURCE];
  if (flag !== DEFER_FLAG || dynamicDefer === 'survives') phases.push(DEFER);
  // import() takes one argument without attributes.
  const fine = new Set(
    /no-.*attributes/.test(flag) ? [''] : ['', ', undefined', ', {}'],
  );
  const seen = new Set();
  for (const [where, fn] of Object.entries(PLACES)) {
    for (const phase of phases) {
      for (const target of TARGETS) {
        for (const rest of target === TARGETS[0] ? RESTS : ['']) {
          const label = `${flag}: ${phase}(${target}${rest}) in ${where}`;
          const input = { phase, target, rest };
          const got = await pool.run(fn, { input, timeoutMs: 60_000 });
          const gives = Array.isArray(got);
          // No module has a source here, and none is left for later.
          if (phase !== EVALUATION) assert.ok(!gives, label);
          else if (target === TARGETS[0] && fine.has(rest)) {
            assert.deepEqual(got, ['number'], label);
          }
          seen.add(gives ? 'value' : got);
        }
      }
    }
  }
  assert.ok(seen.has('value'));
  await pool.stop();
  return seen;
}

async function tryStatic(flag) {
  const pool = WorkerPool.create('static', { workers: 1, runtime: 'isolate' });
  const ends = {};
  let made = 0;
  for (const [form, text] of Object.entries(STATIC)) {
    for (const target of TARGETS) {
      made += 1;
      const file = `static-${made}.mjs`;
      writeFileSync(path.join(folder, file), text(target));
      for (const module of [urlOf(file), asModule(text(target))]) {
        for (const how of ['import', 'require']) {
          if (how === 'require' && module.startsWith('data:')) continue;
          const end = await pool
            .run(
              new Function(
                '{ input: { module, how }, require }',
                `return (async () => {
                  if (how === 'import') return (await import(module)).v;
                  const { createRequire } = await import('node:module');
                  return createRequire(module)(new URL(module).pathname).v;
                })().then((v) => 'value ' + v, (error) => error?.name);`,
              ),
              { input: { module, how }, timeoutMs: 60_000 },
            )
            .catch((error) => error.code);
          assert.match(String(end), /^(value|\w*Error)/, `${flag} ${form}`);
          ends[`${form} ${target === TARGETS[0]}`] = end;
        }
      }
    }
  }
  const defers = ends['import defer true'];
  if (flag === DEFER_FLAG) assert.equal(defers, 'value 1');
  else assert.equal(defers, 'SyntaxError');
  assert.equal(ends['import source true'], 'SyntaxError');
  await pool.stop();
}

async function main() {
  if (child !== undefined) {
    for (const [name, text] of Object.entries(FILES)) {
      writeFileSync(path.join(folder, name), text);
    }
    const seen = await tryPlaces(child);
    if (child === 'none' && Number.parseInt(process.versions.v8, 10) >= 13) {
      assert.ok(seen.has('SyntaxError ERR_SOURCE_PHASE_NOT_DEFINED'));
    }
    await tryStatic(child);
    return;
  }
  const defer = survivesDefer() ? 'survives' : 'ends';
  for (const flag of ['none', ...flagsOfImports()]) {
    const flags = flag === 'none' ? [] : [flag];
    const { status, signal, stderr } = spawnSync(
      process.execPath,
      [...flags, fileURLToPath(import.meta.url), flag, defer],
      { encoding: 'utf8' },
    );
    assert.deepEqual({ status, signal }, { status: 0, signal: null }, stderr);
  }
  pass();
}

await main();
