// Tests Linux on arm64 on this machine: npm run test:arm64 -- [options]
//
//   --nodes <majors>  default 20,24
//   --suites <names>  of unit, native, scenario, killers, jest and jest-all;
//                     default all but jest-all
//
// The addon is the one of `pack:all`, compiled across; Node comes from npm and
// runs under qemu, 10 to 20 times slower than by itself.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { whyNot } from './lib/cross.mjs';
import { emulationEnv, emulationPrefix } from './lib/emulate.mjs';
import { main, Problem } from './lib/fail.mjs';
import { fetchNode, readMajors } from './lib/fetch-node.mjs';
import { runGoogleTest } from './lib/gtest.mjs';
import { fetchJestResolver } from './lib/jest-resolver.mjs';
import { describeForeignNode } from './lib/node-target.mjs';
import { addonPath, buildDir, root } from './lib/paths.mjs';
import { report, skip } from './lib/results.mjs';
import { passThrough } from './lib/run.mjs';

const ID = 'linux-arm64-gnu';

const LEFT_OUT = {
  // qemu 7.2 lets a load overtake a store before it, which ARMv8 forbids.
  unit: ['LightFence.TwoThreadsCannotBothMissTheOthersWrite'],
  // It takes address space from its own process, which is qemu's here.
  jest: ['codes.test.js: PoolUnavailable'],
};

// A part of each, because a process takes seconds to start here.
const SCENARIOS = ['garbage', 'memory.js', 'worker.js', 'messages', 'stopped'];
const KILLERS = [
  ...['regexNested', 'atomicsWaitLong', 'proxyChain', 'exit', 'wasmLoops'],
  ...['setTimeoutString', 'promiseSelf', 'thenableNever', 'stackGetter'],
  ...['structuredCloneBomb', 'wasmTraps', 'streamLoops', 'hostNever'],
  ...['revokedProxyResult', 'graceIsUsed', 'contextEats', 'isolateLoops'],
  ...['sharedLoop', 'workerLoops', 'workerExits'],
];

const ofConformance = ['pool-run', 'payload', 'worker', 'errors'];
const JEST = {
  // Runs isolates alone: threads have nothing that was compiled across.
  some: [
    '--ignoreProjects=runtime: thread',
    '--testPathPatterns',
    `test/js/conformance/(${ofConformance.join('|')})\\.test\\.js`,
  ],
  all: [
    '--testPathPatterns',
    'test/js/(conformance|runtime|runtime-in-isolate)/',
  ],
};
// A test, scenario or killer that hangs is ended after this: all are 20 times
// slower than by themselves.
const TEST_LIMIT_MS = 600_000;

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: '20,24' },
    suites: { type: 'string', default: 'unit,native,scenario,killers,jest' },
  },
});

async function build(node, targets) {
  const args = ['--platform', ID, '--target-node', node, '--tests'];
  for (const name of targets) args.push('--target', name);
  const script = join(root, 'scripts/build.mjs');
  return (await passThrough(process.execPath, [script, ...args])) === 0;
}

const googleTest = (suite, command, file, abi, env) =>
  runGoogleTest(suite, command, {
    file,
    abi,
    preset: 'release',
    platform: ID,
    env,
  });

/** Runs a script of the project with the other Node; it reports by itself. */
async function program(script, words, { prefix, execPath, env }) {
  const [command, ...args] = [
    ...prefix,
    execPath,
    join(root, script),
    ...words,
  ];
  const all = { ...process.env, ...env };
  if ((await passThrough(command, args, { cwd: root, env: all })) !== 0) {
    process.exitCode = 1;
  }
}

function jest(args, place) {
  const env = {
    ...place.env,
    NAPI_RS_NATIVE_LIBRARY_PATH: fetchJestResolver(ID),
    // This machine's, which every process here can start.
    ESBUILD_BINARY_PATH: join(
      root,
      'node_modules/@esbuild/linux-x64/bin/esbuild',
    ),
  };
  return program('scripts/run-js-tests.mjs', args, { ...place, env });
}

const SUITES = {
  async unit({ prefix, folder, abi, env }) {
    const file = join(folder, 'sw_unit_tests');
    for (const name of LEFT_OUT.unit) skip(name, 'qemu breaks it');
    const filter = `--gtest_filter=-${LEFT_OUT.unit.join(':')}`;
    await googleTest('unit', [...prefix, file, filter], file, abi, env);
  },
  async native({ prefix, folder, abi, env, execPath }) {
    const file = join(folder, 'sloppy_workers_native_tests.node');
    const runner = join(root, 'test/native/run.cjs');
    const command = [...prefix, execPath, runner, file];
    await googleTest('native', command, file, abi, env);
  },
  scenario: (place) =>
    program(
      'scripts/run-scenarios.mjs',
      SCENARIOS.map((name) => `core-${name}`),
      place,
    ),
  killers: (place) => program('test/killers/main.mjs', KILLERS, place),
  jest: (place) => jest(JEST.some, place),
  'jest-all'(place) {
    for (const name of LEFT_OUT.jest) skip(name, 'it would limit qemu');
    return jest(JEST.all, place);
  },
};

/**
 * The core knows nothing of Node: its tests run once. So do the few of Jest's,
 * of which `jest-all` has those of all by night.
 */
const suitesOf = (wanted, first) =>
  wanted.filter((name) => first || !['unit', 'jest'].includes(name));

async function testOn(major, wanted) {
  console.log(`\n== Node ${major} on ${ID}`);
  process.env.SW_SUITE_SUFFIX = ` on ${ID}, Node ${major}`;
  const node = fetchNode(major, 'linux-arm64');
  const { abi, execPath } = describeForeignNode(node);
  const prefix = emulationPrefix(execPath);
  const targets = ['sloppy_workers'];
  if (wanted.includes('unit')) targets.push('sw_unit_tests');
  if (wanted.includes('native')) targets.push('sloppy_workers_native_tests');
  if (!(await build(node, targets))) {
    report('build', { failed: 1 });
    return;
  }
  const env = {
    ...emulationEnv,
    SW_EMULATED: '1',
    SW_TEST_TIMEOUT_MS: String(TEST_LIMIT_MS),
    SLOPPY_WORKERS_BINARY: addonPath(abi, 'release', ID),
  };
  const folder = buildDir(abi, 'release', ID);
  const place = { prefix, folder, abi, env, execPath };
  for (const name of wanted) await SUITES[name](place);
}

function readSuites() {
  const names = options.suites.split(',');
  const unknown = names.find((name) => !Object.hasOwn(SUITES, name));
  if (unknown === undefined) return names;
  const known = Object.keys(SUITES).join(', ');
  throw new Problem(`--suites: ${unknown} is none of ${known}`);
}

await main(async () => {
  const usage = 'npm run test:arm64 -- --nodes 20,24';
  const majors = readMajors(options.nodes.split(','), usage);
  const wanted = readSuites();
  const reason = whyNot(ID);
  if (reason) throw new Problem(reason);
  for (const [i, major] of majors.entries()) {
    await testOn(major, suitesOf(wanted, i === 0));
  }
});
