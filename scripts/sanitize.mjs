// Sanitizer runs (gcc, Linux):
//   node scripts/sanitize.mjs [--short | --debuggers <seconds>] [asan] [tsan]
//
// asan: the core's tests, and the addon's tests, scenarios and rounds of chaos
// inside node, by preloading the runtimes; tests of sandboxes, whose processes
// have one thread each, so that tsan would find nothing in them. tsan: the core's
// tests, the chaos of its queue among them, and inside node rounds of chaos and
// of random debuggers. Node itself is not instrumented,
// which the suppressions in test/sanitizers/ account for. --short, for each change:
// under asan scenarios of native code of ours only, under tsan the core's tests
// only. --debuggers: only those, for that long each.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { main, Problem } from './lib/fail.mjs';
import { runGoogleTest } from './lib/gtest.mjs';
import { buildDir, root } from './lib/paths.mjs';
import { report } from './lib/results.mjs';
import { capture, passThrough } from './lib/run.mjs';

const abi = process.versions.modules;
const compiler = process.env.CXX ?? 'c++';
const suppressions = (name) => join(root, 'test/sanitizers', name);

/** V8's and the sanitizers' address layouts only agree without randomness. */
function withFixedLayout(command) {
  const { status } = capture('setarch', ['-R', 'true']);
  return status === 0 ? ['setarch', '-R', ...command] : command;
}

function runtimeLibrary(name) {
  const { stdout } = capture(compiler, [`-print-file-name=${name}`]);
  if (stdout.trim() !== name) return stdout.trim();
  throw new Problem(`${compiler} has no ${name}; use g++ 12 or newer`);
}

const asanOptions = [
  // V8 handles its own faults, and its heap looks like leaks.
  'handle_segv=0',
  'allow_user_segv_handler=1',
  'detect_leaks=0',
  'abort_on_error=0',
  // A scenario runs out of memory on purpose.
  'allocator_may_return_null=1',
  // Freed memory that is kept back counts as growth in the scenarios.
  'quarantine_size_mb=8',
  'exitcode=99',
];

const { values, positionals } = parseArgs({
  options: {
    debuggers: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const onlyDebuggers = values.debuggers !== undefined;
/** Only the targets that each runs, because these builds take minutes. */
const TARGETS = {
  asan: ['sloppy_workers', 'sloppy_workers_native_tests', 'sw_unit_tests'],
  tsan: [...(values.short ? [] : ['sloppy_workers']), 'sw_unit_tests'],
};
const SHORT_S = 5;
/** They take long, and what they try is hardly native code of ours. */
const LONG_WITHOUT_OURS = [
  'scenario/cli-resume-random.mjs',
  'scenario/core-node-flags.mjs',
  'scenario/core-threads-memory.js',
  'scenario/core-threads-terminated.js',
  'scenario/dashboard-in-browser.js',
  'scenario/hooks-in-system-calls.js',
  'scenario/neighbours-end-unasked.mjs',
  'scenario/servers-odd-clients.js',
];

async function build(preset) {
  const args = [join(root, 'scripts/build.mjs'), '--preset', preset];
  if (!onlyDebuggers) {
    const targets = TARGETS[preset].flatMap((name) => ['--target', name]);
    args.push('--tests', ...targets);
  }
  const status = await passThrough(process.execPath, args, { cwd: root });
  if (status !== 0) report(`build ${preset}`, { failed: 1 });
  return status === 0;
}

async function runUnit(preset, env) {
  const file = join(buildDir(abi, preset), 'sw_unit_tests');
  const built = { file, abi, preset, env };
  await runGoogleTest(`unit under ${preset}`, withFixedLayout([file]), built);
}

async function asan() {
  if (!(await build('asan'))) return;
  const preset = 'asan';
  const env = {
    LD_PRELOAD: ['libasan.so', 'libubsan.so'].map(runtimeLibrary).join(':'),
    ASAN_OPTIONS: asanOptions.join(':'),
    UBSAN_OPTIONS: 'print_stacktrace=1',
  };
  if (onlyDebuggers) {
    await debuggers(preset, values.debuggers, env);
    return;
  }
  await runUnit(preset, {
    ASAN_OPTIONS: 'detect_leaks=1:exitcode=99',
    UBSAN_OPTIONS: 'print_stacktrace=1',
  });
  const file = join(buildDir(abi, preset), 'sloppy_workers_native_tests.node');
  const runner = join(root, 'test/native/run.cjs');
  const inNode = withFixedLayout([process.execPath, runner, file]);
  await runGoogleTest('native under asan', inNode, { file, abi, preset, env });
  await scenarios(env);
  await chaos('asan', 1, env);
  await sandboxes(env);
}

/**
 * The tests of sandboxes, whose processes alone are instrumented: all but those
 * of calls and crashes, which need another addon and end processes themselves.
 */
async function sandboxes({ ASAN_OPTIONS, LD_PRELOAD, UBSAN_OPTIONS }) {
  const suite = 'sandboxes under asan';
  const folder = buildDir(abi, 'asan');
  const stack = join(folder, 'no-alternate-stack.so');
  const source = join(root, 'test/sanitizers/no-alternate-stack.c');
  capture(process.env.CC ?? 'cc', ['-shared', '-fPIC', '-o', stack, source]);
  const ends = join(folder, 'sandbox-ends.txt');
  writeFileSync(ends, '');
  const more = ['verify_asan_link_order=0', 'handle_abort=0'];
  const host = {
    code: 99,
    env: {
      LD_PRELOAD: `${stack}:${LD_PRELOAD}:${join(folder, 'sloppy_workers.node')}`,
      ASAN_OPTIONS: `${ASAN_OPTIONS}:${more.join(':')}`,
      UBSAN_OPTIONS: `${UBSAN_OPTIONS}:halt_on_error=1:exitcode=99`,
    },
  };
  const names = 'hostile-programs|sandbox\\.test|modules|life|output|own-code';
  const [program, ...args] = withFixedLayout([
    ...[process.execPath, join(root, 'node_modules/jest/bin/jest.js')],
    `test/js/executors/sandbox/(${names})`,
  ]);
  const status = await passThrough(program, args, {
    cwd: root,
    env: {
      ...process.env,
      NODE_OPTIONS: `--require ${join(root, 'test/sanitizers/sandbox-host.cjs')}`,
      SW_SANITIZED_ENDS: ends,
      SW_SANITIZED_HOST: JSON.stringify(host),
    },
  });
  const found = readFileSync(ends, 'utf8');
  if (found !== '') console.error(found);
  const isGood = status === 0 && found === '';
  report(suite, isGood ? { passed: 1 } : { failed: 1 });
}

/** One of the scenarios, for longer. */
async function debuggers(preset, seconds, env) {
  const script = join(root, 'test/scenario/core-inspector-churn.js');
  const [program, ...args] = withFixedLayout([
    ...[process.execPath, script, 'Infinity'],
    ...[String(Date.now() % 2 ** 31), String(seconds)],
    ...(onlyDebuggers ? ['steps'] : []),
  ]);
  const status = await passThrough(program, args, {
    cwd: root,
    env: { ...process.env, ...env, SLOPPY_WORKERS_PRESET: preset },
  });
  const counts = status === 0 ? { passed: 1 } : { failed: 1 };
  report(`debuggers under ${preset}`, counts);
}

async function chaos(preset, minutes, env) {
  const suite = `chaos under ${preset}`;
  const script = join(root, 'test/chaos/main.js');
  const [program, ...args] = withFixedLayout([
    ...[process.execPath, script],
    ...['--minutes', String(minutes), '--suite', suite],
  ]);
  const status = await passThrough(program, args, {
    cwd: root,
    env: { ...process.env, ...env, SLOPPY_WORKERS_PRESET: preset },
  });
  if (status !== 0) report(suite, { failed: 1 });
}

async function scenarios(env) {
  const script = join(root, 'scripts/run-scenarios.mjs');
  const [program, ...args] = withFixedLayout([process.execPath, script]);
  const status = await passThrough(program, args, {
    cwd: root,
    env: {
      ...process.env,
      SW_SUITE_SUFFIX: ' under asan',
      SW_LEFT_OUT: values.short ? LONG_WITHOUT_OURS.join(' ') : '',
      SW_SCENARIO_ENV: JSON.stringify(env),
      SLOPPY_WORKERS_PRESET: 'asan',
    },
  });
  if (status !== 0) process.exitCode = 1;
}

async function tsan() {
  if (!(await build('tsan'))) return;
  const options = 'halt_on_error=0:exitcode=98:second_deadlock_stack=1';
  const env = {
    LD_PRELOAD: runtimeLibrary('libtsan.so'),
    TSAN_OPTIONS: `suppressions=${suppressions('tsan.txt')}:${options}`,
  };
  if (!onlyDebuggers) {
    await runUnit('tsan', { TSAN_OPTIONS: options });
    if (values.short) return;
    await chaos('tsan', 0.5, env);
  }
  await debuggers('tsan', values.debuggers ?? SHORT_S, env);
}

await main(async () => {
  const known = { asan, tsan };
  const wanted = positionals.length > 0 ? positionals : Object.keys(known);
  for (const name of wanted) {
    if (!known[name]) throw new Problem(`no sanitizer ${name}: asan or tsan`);
    console.log(`\n== ${name}`);
    await known[name]();
  }
});
