// The packages as their users meet them: npm run test:package -- [major]...
//
// Packs everything, unless --packed names a folder of tarballs, and installs it
// by name from a registry on this machine into empty folders, with install
// scripts off and neither a compiler nor a network in reach, on each of the
// Nodes; default the running one. Then runs test/package and README's programs
// there.

import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { main, Problem } from './lib/fail.mjs';
import { otherNode, readMajors } from './lib/fetch-node.mjs';
import { readManifest, serveTarballs } from './lib/local-registry.mjs';
import { npmPack, platformManifest } from './lib/pack.mjs';
import { root, which } from './lib/paths.mjs';
import { programsOf, tryProgram } from './lib/programs.mjs';
import { report, skip } from './lib/results.mjs';
import { passThrough } from './lib/run.mjs';

const require = createRequire(import.meta.url);
const { familySync } = require('detect-libc');
const {
  PLATFORMS,
  packageOf,
  platformId,
} = require('../lib/addon/platforms.js');
const execute = promisify(execFile);

/** The main tarball may grow to this before somebody has to think about it. */
const SIZE_BUDGET_KB = 1500;

const id = platformId(process.platform, process.arch, familySync());
const counts = { passed: 0, failed: 0 };

async function check(name, body) {
  try {
    await body();
    counts.passed += 1;
    console.log(`  pass ${name}`);
  } catch (error) {
    counts.failed += 1;
    const { stdout = '', stderr = '' } = error;
    console.log(`  FAIL ${name}\n${error.message}\n${stdout}${stderr}`);
  }
}

/** The executable of a major version of Node. */
function nodeOf(major) {
  const other = otherNode(major);
  return realpathSync(other ? join(other, 'bin/node') : process.execPath);
}

/** npm, node and a shell; no compiler, no cmake. */
function makeBarePath(folder, node) {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(node, join(bin, 'node'));
  symlinkSync(which('sh'), join(bin, 'sh'));
  return bin;
}

class Place {
  constructor(parent, name, node, registry) {
    this.folder = join(parent, name);
    this.node = node;
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(join(this.folder, 'package.json'), '{ "private": true }\n');
    this.env = {
      HOME: this.folder,
      PATH: makeBarePath(this.folder, node),
      npm_config_registry: registry,
      npm_config_cache: join(parent, 'cache'),
      npm_config_userconfig: join(this.folder, 'npmrc'),
      npm_config_ignore_scripts: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    };
  }

  run(file, args, env = this.env) {
    return execute(file, args, { cwd: this.folder, env, timeout: 300_000 });
  }

  async npm(...args) {
    const cli = realpathSync(which('npm'));
    await this.run(this.node, [cli, ...args]);
  }

  /** Runs a file of test/package and returns the last line it printed. */
  async use(name) {
    const file = join(this.folder, name);
    if (!existsSync(file)) cpSync(join(root, 'test/package', name), file);
    const { stdout } = await this.run(this.node, [file]);
    return stdout.trimEnd().split('\n').at(-1);
  }
}

function requireEqual(actual, expected) {
  if (actual === expected) return;
  throw new Error(
    `${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`,
  );
}

async function checkInstalled(place, label) {
  await check(`${label}: npm install, scripts off, no compiler`, async () => {
    await place.npm('install', 'sloppy-workers');
    const scope = dirname(packageOf(id));
    const there = readdirSync(join(place.folder, 'node_modules', scope));
    requireEqual(there.join(), id);
  });
  await check(`${label}: require and import give one instance`, async () => {
    requireEqual(await place.use('use.cjs'), 'pass');
  });
  await check(`${label}: npx sloppy-workers doctor`, async () => {
    await place.npm('exec', '--', 'sloppy-workers', 'doctor', '--json');
  });
  for (const program of programsOf('README.md')) {
    await check(`${label}: ${program.name}`, async () => {
      const { node, env } = place;
      const problem = await tryProgram(program, place.folder, { node, env });
      if (problem) throw new Error(problem);
    });
  }
}

/** Lines that a user adds to see that the program's one job has run, and to end. */
const ONCE = `
while ((await queue.getJobCounts('completed')).completed < 1) {
  await new Promise((resolve) => setTimeout(resolve, 10));
}
console.log((await queue.getCompleted())[0].returnvalue);
await run.stop();
await queue.close();
`;
const TASKS = 'export const resize = ({ data }) => data.width / 2;\n';

/** The program of the docs' first page on queues, on a file. */
async function checkQueueProgram(place) {
  const [{ name, code }] = programsOf('docs/beyond-one-process.md');
  await check(name, async () => {
    await place.npm('install', 'sloppy-workers', 'bullmq');
    writeFileSync(join(place.folder, 'tasks.mjs'), TASKS);
    const program = { code: code + ONCE, output: '40\n' };
    const { node, env } = place;
    const problem = await tryProgram(program, place.folder, { node, env });
    if (problem) throw new Error(problem);
  });
}

/** Recipes that need no build, with the packages that they show. */
const RECIPES = {
  'bullmq-sqlite': ['bullmq'],
  'express-upload': ['express'],
  'fastify-upload': ['fastify'],
  'map-lines': [],
};

/** Each runs as a copy beside ours as installed and this repository's others. */
async function checkRecipes(place, major) {
  await check('install for the recipes', () =>
    place.npm('install', 'sloppy-workers'),
  );
  const examples = join(root, 'examples');
  for (const name of ['uploads.mjs', 'uploads-observer.mjs']) {
    cpSync(join(examples, name), join(place.folder, name));
  }
  for (const [name, packages] of Object.entries(RECIPES)) {
    if (name === 'bullmq-sqlite' && Number(major) < 22) {
      skip(`recipe ${name}`, `Node ${major} has no SQLite of its own`);
      continue;
    }
    await check(`recipe ${name}`, async () => {
      for (const path of packages.map((one) => join('node_modules', one))) {
        symlinkSync(join(root, path), join(place.folder, path));
      }
      const copy = join(place.folder, name);
      cpSync(join(examples, name), copy, { recursive: true });
      const { stdout } = await place.run(place.node, [join(copy, 'main.mjs')]);
      requireEqual(stdout.trimEnd().split('\n').at(-1), 'ok');
    });
  }
}

/** The compilers a user may have, with the resolutions each of them knows. */
const compilers = [
  {
    tsc: '@tsd/typescript/typescript/lib/tsc.js',
    resolutions: { node10: 'commonjs', node16: 'node16', bundler: 'esnext' },
  },
  {
    tsc: 'typescript/bin/tsc',
    resolutions: { node16: 'node16', bundler: 'esnext' },
  },
];

async function checkTypes(place) {
  for (const { tsc, resolutions } of compilers) {
    const { version } = require(
      `${tsc.startsWith('@') ? '@tsd/typescript' : 'typescript'}/package.json`,
    );
    for (const [resolution, module] of Object.entries(resolutions)) {
      await check(`TypeScript ${version}, ${resolution}`, async () => {
        cpSync(
          join(root, 'test/package/program.ts'),
          join(place.folder, 'program.ts'),
        );
        await place.run(place.node, [
          join(root, 'node_modules', tsc),
          'program.ts',
          '--strict',
          '--target',
          'es2022',
          '--module',
          module,
          '--moduleResolution',
          resolution,
          '--typeRoots',
          join(root, 'node_modules/@types'),
          '--types',
          'node',
        ]);
        if (module === 'esnext') return;
        const { stdout } = await place.run(place.node, ['program.js']);
        requireEqual(stdout, '3 4\n');
      });
    }
  }
}

async function checkWithoutBinary(place) {
  let message;
  await check('installed without optional dependencies', async () => {
    await place.npm('install', '--omit=optional', 'sloppy-workers');
    message = await place.use('no-binary.cjs');
  });
  await check('the command that the error names builds it', async () => {
    const [, script] = /Build it from source with: node (\S+)$/.exec(message);
    // Where a cache of compiled objects is asked for, it knows most of these.
    const env = { ...process.env, CCACHE_BASEDIR: place.folder };
    await place.run(place.node, [script], env);
    requireEqual(await place.use('use.cjs'), 'pass');
  });
}

const tool = (path, ...args) =>
  execute(process.execPath, [join(root, 'node_modules', path), ...args], {
    cwd: root,
  });

async function checkTarball(tarball) {
  await check('publint', () =>
    tool('publint/src/cli.js', 'run', tarball, '--strict'),
  );
  await check('attw', () =>
    tool('@arethetypeswrong/cli/dist/index.js', tarball),
  );
  await check(`the main tarball has at most ${SIZE_BUDGET_KB} kB`, () => {
    const kilobytes = Math.ceil(statSync(tarball).size / 1000);
    console.log(`  (it has ${kilobytes} kB)`);
    if (kilobytes > SIZE_BUDGET_KB) throw new Error(`${kilobytes} kB`);
  });
}

async function packAll(out, majors) {
  const script = join(root, 'scripts/pack-all.mjs');
  const nodes = majors.join();
  const args = [script, '--platforms', 'here', '--nodes', nodes, '--out', out];
  const status = await passThrough(process.execPath, args);
  if (status !== 0) throw new Problem('pack-all failed');
}

/** The folders of what the main package depends on, at any depth. */
function runtimeDependencies() {
  const { packages } = require('../package-lock.json');
  return Object.keys(packages).filter((path) => {
    const { dev, peer, optional, devOptional } = packages[path];
    return path !== '' && !(dev || peer || optional || devOptional);
  });
}

/** The folders of a package and of all that it cannot do without. */
function dependenciesOf(name) {
  const { packages } = require('../package-lock.json');
  const found = new Set([`node_modules/${name}`]);
  for (const path of found) {
    for (const dependency of Object.keys(packages[path].dependencies ?? {})) {
      const own = `${path}/node_modules/${dependency}`;
      found.add(own in packages ? own : `node_modules/${dependency}`);
    }
  }
  return [...found];
}

/** Everything under our names, and what the main package depends on. */
async function packEverything(folder, majors, packed) {
  const out = join(folder, 'packed');
  if (packed) cpSync(resolve(packed), out, { recursive: true });
  else await packAll(out, majors);
  const ours = readdirSync(out)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => join(out, name));
  const mainTarball = ours.find((path) =>
    /^sloppy-workers-\d/.test(basename(path)),
  );
  const needed = [...runtimeDependencies(), ...dependenciesOf('bullmq')];
  const theirs = [...new Set(needed)].map((path) =>
    npmPack(join(root, path), out),
  );
  return { mainTarball, tarballs: [...ours, ...theirs] };
}

async function checkAll(folder, majors, packed) {
  const { mainTarball, tarballs } = await packEverything(
    folder,
    majors,
    packed,
  );
  await checkTarball(mainTarball);
  const packages = new Set(tarballs.map((path) => readManifest(path).name));
  const absent = PLATFORMS.map(platformManifest).filter(
    ({ name }) => !packages.has(name),
  );
  const registry = await serveTarballs(tarballs, absent);
  try {
    for (const major of majors) {
      const name = `node${major}`;
      const place = new Place(folder, name, nodeOf(major), registry.url);
      await checkInstalled(place, `Node ${major}`);
    }
    // One that there is a binary for: this one may not be among them.
    const node = nodeOf(majors[0]);
    const typed = new Place(folder, 'typed', node, registry.url);
    await check('install for TypeScript', () =>
      typed.npm('install', 'sloppy-workers'),
    );
    await checkTypes(typed);
    const newest = majors.at(-1);
    const own = nodeOf(newest);
    const recipes = new Place(folder, 'recipes', own, registry.url);
    await checkRecipes(recipes, newest);
    const major = majors.findLast((one) => Number(one) >= 22);
    if (major === undefined) {
      skip('queue program', 'Node 20 has no SQLite of its own');
    } else {
      const place = new Place(folder, 'queue', nodeOf(major), registry.url);
      await checkQueueProgram(place);
    }
    const alias = new Place(folder, 'alias', node, registry.url);
    await check('under the alias sloppy', async () => {
      await alias.npm('install', 'sloppy@npm:sloppy-workers');
      requireEqual(await alias.use('alias.cjs'), 'pass');
    });
    await checkWithoutBinary(new Place(folder, 'without', node, registry.url));
  } finally {
    registry.close();
  }
}

await main(async () => {
  const running = process.versions.node.split('.')[0];
  const { values, positionals: words } = parseArgs({
    allowPositionals: true,
    options: { packed: { type: 'string' } },
  });
  const majors = readMajors(
    words.length > 0 ? words : [running],
    'npm run test:package -- [major]...',
  );
  const folder = mkdtempSync(join(tmpdir(), 'sw-package-'));
  try {
    await checkAll(folder, majors, values.packed);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  report('package', counts);
});
