// Kills mutants of the core in C++: by its unit tests, then by simulated worlds.
// Only in .cc files, because a header's mutant compiles most of the tests anew.

import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../lib/fail.mjs';
import { root } from '../lib/paths.mjs';

export { mutantsOf } from './mutants-cc.mjs';

/** The verdict on a mutant that does not compile. */
export const NOT_BUILT = Symbol('not built');

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
  runs: [['--gtest_brief=1']],
  limitMs: 240_000,
};
const SIM = {
  name: 'simulation',
  flags: ['-Itest/sim/shadow', ...FLAGS],
  sources: [...CORE, 'test/sim'],
  libraries: [],
  runs: [['--random', '20000'], ['--bounded']],
  limitMs: 240_000,
};
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

/** Compiles what no mutant changes, once. */
export function prepare() {
  for (const program of PROGRAMS) {
    const folder = objects(program);
    mkdirSync(folder, { recursive: true });
    const list = sourcesOf(program)
      .map((source) => [source, join(folder, nameOf(source))])
      .filter(([, object]) => !existsSync(object))
      .map((pair) => pair.join('\0'));
    if (list.length === 0) continue;
    const jobs = String(availableParallelism());
    const line = [compiler, ...program.flags, '"$0" -o "$1"'].join(' ');
    const args = ['-0', '-n2', '-P', jobs, 'sh', '-c', line];
    const made = spawnSync('xargs', args, {
      cwd: root,
      input: list.join('\0'),
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Problem(made.stderr.slice(0, 2000));
  }
}

/** Makes a place for one mutant at a time: its file alone is a copy. */
export function open(folder) {
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true });
  symlinkSync(join(root, 'test'), join(folder, 'test'));
  return folder;
}

function run(command, args, cwd, limitMs) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: 'ignore' });
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

async function build(folder, program, file) {
  const object = join(folder, 'mutant.o');
  const compile = [...program.flags, '-w', file, '-o', object];
  if (!(await run(compiler, compile, folder, 300_000))) return undefined;
  const others = readdirSync(objects(program))
    .filter((name) => name !== nameOf(file))
    .map((name) => join(objects(program), name));
  const output = join(folder, 'program');
  const link = [object, ...others, ...program.libraries, '-o', output];
  const isLinked = await run(compiler, link, folder, 300_000);
  return isLinked ? output : undefined;
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
        if (!(await run(made, args, folder, program.limitMs))) {
          return program.name;
        }
      }
    }
    return undefined;
  } finally {
    writeFileSync(path, text);
  }
}
