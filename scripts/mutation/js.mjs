// Kills mutants of JavaScript: by simulated worlds, then by the tests that call
// the mutated function.

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from '../lib/paths.mjs';
import { FAILED, LATE, PASSED, run, start } from './run.mjs';

// Those whose subject is elsewhere, or that take minutes.
const TESTS = [
  ...['admission', 'app', 'base', 'conformance', 'entries', 'errors'],
  ...['executors', 'observe', 'payload', 'pool', 'signals', 'timers'],
].map((name) => `test/js/${name}/`);
const LINKED = [
  'node_modules',
  'build',
  'src',
  'types',
  'bin',
  'examples',
  'docs',
];
const COPIED = ['lib', 'test', 'package.json', 'jest.config.js'];
const WORLDS = '250';
// Seconds of the processor.
const SIM_S = 40;
const JEST_S = 300;
// Milliseconds, in the run that looks at coverage, of the tests of one process.
// Survivors meet other worlds, because a busy machine looked at few.
const ROUND_MS = 60_000;
const MOST_ROUNDS = 4;

const COVERAGE = join(root, 'build', 'mutation', 'coverage');

export { mutantsOf } from './mutants-js.mjs';

/** The verdict on one whose tests fail without it, too: it does not count. */
export const NOT_BUILT = Symbol('not sound');

let coverage;

/** Looks which tests call which functions. */
export async function prepare() {
  coverage = await readCoverage();
}

/** Makes a copy of the package, for one mutant at a time. */
export function open(folder) {
  for (const name of COPIED) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  for (const name of LINKED) symlinkSync(join(root, name), join(folder, name));
  return folder;
}

const jest = (folder) => join(folder, 'node_modules', 'jest', 'bin', 'jest.js');

const { projects } = createRequire(import.meta.url)(
  join(root, 'jest.config.js'),
);

/** Jest's configuration of some of the projects, in a copy. */
const configOf = (folder, wants, setup) => ({
  maxWorkers: 2,
  testTimeout: 120_000,
  projects: projects.filter(wants).map((project) => ({
    ...project,
    rootDir: folder,
    setupFilesAfterEnv: setup === undefined ? [] : [setup],
  })),
});

/** The functions that each test calls; kept in `build` until it is deleted. */
async function readCoverage() {
  if (!existsSync(COVERAGE)) await lookAtCoverage();
  return readdirSync(COVERAGE).map((name) =>
    JSON.parse(
      readFileSync(join(COVERAGE, name), 'utf8').replaceAll('"#', '"'),
    ),
  );
}

async function lookAtCoverage() {
  console.log('looking which tests call which functions …');
  // A stopped look leaves a part, which must not be taken for all.
  const part = `${COVERAGE}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const setup = join(root, 'scripts', 'mutation', 'coverage-setup.cjs');
  const config = configOf(root, () => true, setup);
  const args = [jest(root), '--config', JSON.stringify(config), ...TESTS];
  const { ended } = start(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      SW_MUTATION_COVERAGE: part,
      SW_MUTATION_ROOT: root,
    },
    stdio: 'ignore',
  });
  await ended;
  renameSync(part, COVERAGE);
}

// Code of a worker's realm is called in threads and processes, where coverage
// does not look: all tests of the runtime may call it.
const RUNTIMES = {
  owned: ['executors/thread', 'executors/process', 'conformance'],
  thread: ['executors/thread', 'conformance'],
  process: ['executors/process'],
  sandbox: ['executors/sandbox'],
};

function isOfRuntime(file) {
  const [, name] = /^lib\/executors\/(\w+)\//.exec(file) ?? [];
  const folders = RUNTIMES[name] ?? [];
  return ({ test }) =>
    folders.some((folder) => test.startsWith(`test/js/${folder}/`));
}

// Worlds have neither.
const hasWorlds = (file) => !/\/(process|sandbox)\//.test(file);
const runsOnThreads = (file) => /\/(thread|owned)\//.test(file);

/**
 * @returns {string[][]} rounds of tests: those of its folder, then others, the
 *   shortest first
 */
function roundsFor({ file, within }) {
  const calls = ({ files }) =>
    files[file]?.includes(within) || (within === '' && file in files);
  const own = `${dirname(file).replace(/^lib/, 'test/js')}/`;
  const isOther = ({ test }) => (test.startsWith(own) ? 0 : 1);
  const called = coverage.filter(calls);
  const all = called.length > 0 ? called : coverage.filter(isOfRuntime(file));
  all.sort((a, b) => isOther(a) - isOther(b) || a.ms - b.ms);
  const rounds = [];
  let ms = Infinity;
  for (const row of all) {
    if (rounds.some((round) => round.includes(row.test))) continue;
    ms += row.ms;
    if (ms > ROUND_MS) {
      if (rounds.length === MOST_ROUNDS) break;
      rounds.push([]);
      ms = row.ms;
    }
    rounds.at(-1).push(row.test);
  }
  return rounds;
}

const sound = new Set();

/** Whether the tests pass without a mutant; known after the first time. */
async function isSound(tests, run) {
  const key = tests.join(' ');
  if (!sound.has(key) && (await run()) === PASSED) sound.add(key);
  return sound.has(key);
}

/** The mutant's file has its own text afterwards, if the tests kill it. */
async function killBy(tests, folder, { file }, text) {
  const onThreads = runsOnThreads(file);
  // The other project is the same on threads.
  const wants = ({ displayName }) => onThreads || displayName === undefined;
  const config = JSON.stringify(configOf(folder, wants));
  const how = ['--config', config, '-i', '--bail', '--silent'];
  const args = [jest(folder), ...how, '--runTestsByPath', ...tests];
  const test = () => run(process.execPath, args, folder, JEST_S);
  const ended = await test();
  if (ended === PASSED) return undefined;
  writeFileSync(join(folder, file), text);
  if (!(await isSound(tests, test))) return NOT_BUILT;
  return ended === LATE ? `tests, ${LATE}` : 'tests';
}

/** The mutant's file has its own text afterwards, if the worlds have no end. */
async function killByWorlds(folder, { file }, text) {
  const sim = ['test/sim-js/main.js', '--worlds', WORLDS];
  const simulate = () => run(process.execPath, sim, folder, SIM_S);
  const end = await simulate();
  if (end === FAILED) return 'simulation';
  if (end !== LATE) return undefined;
  writeFileSync(join(folder, file), text);
  return (await simulate()) === PASSED ? `simulation, ${LATE}` : NOT_BUILT;
}

/** @returns {Promise<string | undefined>} what has killed the mutant */
export async function kill(folder, mutant) {
  const path = join(folder, mutant.file);
  const text = readFileSync(path, 'utf8');
  const { start, end, by } = mutant;
  writeFileSync(path, text.slice(0, start) + by + text.slice(end));
  try {
    if (hasWorlds(mutant.file)) {
      const killer = await killByWorlds(folder, mutant, text);
      if (killer !== undefined) return killer;
    }
    for (const tests of roundsFor(mutant)) {
      const killer = await killBy(tests, folder, mutant, text);
      if (killer !== undefined) return killer;
    }
    return undefined;
  } finally {
    writeFileSync(path, text);
  }
}
