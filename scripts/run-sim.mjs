// The pool in simulated worlds (test/sim), Linux:
//
//   npm run test:sim                      for CI: small worlds whole, many
//                                         random ones
//   npm run test:sim -- --random N --seed S, --replay S, …  as sw_sim takes them
//   npm run test:sim -- --faults [part]   each fault of planted-faults.json is
//                                         put into a copy, and must be found

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { main, Problem } from './lib/fail.mjs';
import { buildDir, root } from './lib/paths.mjs';
import { report, skip } from './lib/results.mjs';
import { passThrough } from './lib/run.mjs';

const RANDOM = ['--random', '200000', '--seed', '1'];
const TRIALS = [['--random', '10000'], ['--bounded'], ['--random', '100000']];
const compiler = process.env.CXX ?? 'c++';
const flags = [
  ...['-std=gnu++20', '-O1', '-fno-exceptions', '-fno-rtti', '-c'],
  ...['-Itest/sim/shadow', '-Isrc', '-I.'],
];

async function build() {
  const args = ['build.mjs', '--tests', '--target', 'sw_sim'];
  const [script, ...rest] = args;
  const command = [join(root, 'scripts', script), ...rest];
  if ((await passThrough(process.execPath, command, { cwd: root })) !== 0) {
    throw new Problem('sw_sim could not be built');
  }
  return join(buildDir(process.versions.modules, 'release'), 'sw_sim');
}

function coreSources(folder) {
  const listed = ['src/base', 'src/payload', 'src/job', 'src/pool', 'test/sim'];
  return listed
    .flatMap((name) =>
      readdirSync(join(folder, name)).map((file) => `${name}/${file}`),
    )
    .filter((name) => name.endsWith('.cc'))
    .filter((name) => !/base\/(clock|cpu)\.cc$/.test(name));
}

function compile(folder, sources, objects) {
  const objectOf = (source) => join(objects, `${basename(source)}.o`);
  const list = sources.map((source) => `${source}\0${objectOf(source)}`);
  const jobs = String(availableParallelism());
  const line = [compiler, ...flags, '"$0" -o "$1"'].join(' ');
  const made = spawnSync('xargs', ['-0', '-n2', '-P', jobs, 'sh', '-c', line], {
    cwd: folder,
    input: list.join('\0'),
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Problem(made.stderr.slice(0, 2000));
}

function isFound(folder, objects) {
  const program = join(folder, 'sw_sim');
  const files = readdirSync(objects).map((name) => join(objects, name));
  const linked = spawnSync(compiler, [...files, '-o', program]);
  if (linked.status !== 0) throw new Problem(String(linked.stderr));
  // Most are found by few random worlds, and small worlds take minutes.
  for (const args of TRIALS) {
    const ran = spawnSync(program, args, { encoding: 'utf8' });
    if (ran.status !== 0) {
      const line = /FAIL.*/.exec(ran.stdout)?.[0] ?? `signal ${ran.signal}`;
      return line;
    }
  }
  return undefined;
}

function plant(folder, { file, find, replace }) {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(find).length !== 2) {
    throw new Problem(`${file} has not once: ${find}`);
  }
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  return () => writeFileSync(path, text);
}

function faults(part = '') {
  const folder = mkdtempSync(join(tmpdir(), 'sw-faults-'));
  const counts = { passed: 0, failed: 0 };
  try {
    for (const name of ['src', 'test/sim', 'test/unit']) {
      cpSync(join(root, name), join(folder, name), { recursive: true });
    }
    const all = JSON.parse(
      readFileSync(join(root, 'test/sim/planted-faults.json'), 'utf8'),
    );
    const rows = all.filter(({ name }) => name.includes(part));
    const sources = coreSources(folder);
    const sound = join(folder, 'sound');
    mkdirSync(sound);
    compile(folder, sources, sound);
    for (const row of rows) {
      const objects = join(folder, 'objects');
      rmSync(objects, { recursive: true, force: true });
      cpSync(sound, objects, { recursive: true });
      const takeOut = plant(folder, row);
      const touched = row.file.endsWith('.h') ? sources : [row.file];
      compile(folder, touched, objects);
      const found = isFound(folder, objects);
      takeOut();
      counts[found ? 'passed' : 'failed'] += 1;
      console.log(`${found ? 'found' : 'MISSED'}: ${row.name}\n  ${found}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  report('planted faults', counts);
}

async function simulate(args) {
  const program = await build();
  const runs =
    args.length > 0
      ? [['simulation', args]]
      : [
          ['simulation of small worlds', ['--bounded']],
          ['simulation of random worlds', RANDOM],
        ];
  for (const [suite, options] of runs) {
    const status = await passThrough(program, options, { cwd: root });
    report(suite, status === 0 ? { passed: 1 } : { failed: 1 });
  }
}

await main(async () => {
  const args = process.argv.slice(2);
  if (process.platform !== 'linux') skip('simulation', 'Linux only');
  else if (args[0] === '--faults') faults(args[1]);
  else await simulate(args);
});
