// Kills mutants of the core in C++: by its unit tests, then by simulated worlds.
// Only in .cc files, because a header's mutant compiles most of the tests anew.

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../lib/fail.mjs';
import { root } from '../lib/paths.mjs';
import { FAILED, LATE, PASSED, run, start } from './run.mjs';

export { mutantsOf } from './mutants-cc.mjs';

/** Of a mutant that does not compile, or that was late where all are. */
export const NOT_BUILT = Symbol('not built');

const BASE = /^src\/base\//;
const compiler = process.env.CXX ?? 'c++';
const CORE = ['src/base', 'src/payload', 'src/job', 'src/pool'];
const TESTS = ['test/unit/pool', 'test/unit/payload', 'test/unit/job'];
const FLAGS = ['-std=gnu++20', '-O1', '-c', '-Isrc', '-I.'];
// Two programs of the same core.
const UNIT = {
  name: 'unit tests',
  flags: FLAGS,
  sources: [...CORE, ...TESTS, 'test/unit/base', 'test/unit'],
  libraries: ['-lgtest', '-lpthread'],
  runs: [['--gtest_brief=1', '--gtest_fail_fast']],
};
const SIM = {
  name: 'simulation',
  flags: ['-Itest/sim/shadow', ...FLAGS],
  sources: [...CORE, 'test/sim'],
  libraries: [],
  // All that departs twice from the first schedule takes minutes for each.
  runs: [
    ['--random', '20000'],
    ['--bounded', '--departures', '1', '--most', '3000'],
  ],
};
// Seconds of the processor.
const LIMIT_S = 90;
const PROGRAMS = [UNIT, SIM];
// The simulation has its own clock.
const isOf = (program, source) =>
  program === UNIT || !/base\/(clock|cpu)\.cc$/.test(source);

const objects = (program) =>
  join(root, 'build', 'mutation', program.name.replace(' ', '-'));
const nameOf = (source) => `${source.replaceAll('/', '-')}.o`;

function sourcesOf(program) {
  return program.sources
    .flatMap((folder) =>
      readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
    )
    .filter((name) => name.endsWith('.cc') && isOf(program, name));
}

const timeOf = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

function newestHeader() {
  const times = ['src', 'test/unit', 'test/sim'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('.h'))
      .map((name) => timeOf(join(root, folder, name))),
  );
  return Math.max(...times);
}

/** Compiles what no mutant changes, unless it is there. */
export async function prepare() {
  const header = newestHeader();
  for (const program of PROGRAMS) {
    const folder = objects(program);
    mkdirSync(folder, { recursive: true });
    const list = sourcesOf(program)
      .map((source) => [source, join(folder, nameOf(source))])
      .filter(
        ([source, object]) =>
          timeOf(object) < Math.max(header, timeOf(join(root, source))),
      )
      .map((pair) => pair.join('\0'));
    if (list.length === 0) continue;
    const jobs = String(availableParallelism());
    const line = [compiler, ...program.flags, '"$0" -o "$1"'].join(' ');
    const args = ['-0', '-n2', '-P', jobs, 'sh', '-c', line];
    const { child, ended } = start('xargs', args, {
      cwd: root,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    child.stdin.end(list.join('\0'));
    const [code] = await ended;
    if (code !== 0) throw new Problem('the core does not compile');
  }
}

/** Makes a place for one mutant at a time: its file alone is a copy. */
export function open(folder) {
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true });
  symlinkSync(join(root, 'test'), join(folder, 'test'));
  return folder;
}

const others = (program, file) =>
  readdirSync(objects(program))
    .filter((name) => name !== nameOf(file))
    // No mutant of a layer above it fails them, and they take the longest.
    .filter((name) => BASE.test(file) || !name.startsWith('test-unit-base-'))
    .map((name) => join(objects(program), name));

async function link(program, inputs, output, cwd) {
  const args = [...inputs, ...program.libraries, '-o', output];
  return (await run(compiler, args, cwd, LIMIT_S)) === PASSED;
}

/** @returns {Promise<string | undefined>} the program with the mutant */
async function build(folder, program, file) {
  const object = join(folder, 'mutant.o');
  const compile = [...program.flags, '-w', file, '-o', object];
  if ((await run(compiler, compile, folder, LIMIT_S)) !== PASSED) {
    return undefined;
  }
  const output = join(folder, 'program');
  const inputs = [object, ...others(program, file)];
  return (await link(program, inputs, output, folder)) ? output : undefined;
}

/** Whether the tests end in time without the mutant, on a machine so busy. */
async function isLateAnyway(folder, program, file, args) {
  const output = join(folder, 'sound');
  const sound = join(objects(program), nameOf(file));
  await link(program, [sound, ...others(program, file)], output, folder);
  return (await run(output, args, folder, LIMIT_S)) !== PASSED;
}

/** @returns {Promise<string | symbol | undefined>} what has killed the mutant */
export async function kill(folder, { file, start, end, by }) {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.slice(0, start) + by + text.slice(end));
  try {
    for (const program of PROGRAMS) {
      const made = await build(folder, program, file);
      if (made === undefined) return NOT_BUILT;
      for (const args of program.runs) {
        const end = await run(made, args, folder, LIMIT_S);
        if (end === FAILED) return program.name;
        if (end !== LATE) continue;
        const isLate = await isLateAnyway(folder, program, file, args);
        return isLate ? NOT_BUILT : `${program.name}, ${LATE}`;
      }
    }
    return undefined;
  } finally {
    writeFileSync(path, text);
  }
}
