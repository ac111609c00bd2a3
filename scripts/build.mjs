// Builds the addon: node scripts/build.mjs [options]
//
//   --preset <name>       release (default), debug, asan, tsan, thread-safety,
//                         includes, fuzz
//   --target-node <dir>   build for the Node in <dir>/bin, <dir>/include
//   --platform <id>       cross-compile for a platform of
//                         lib/addon/platforms.js, with --target-node
//   --jobs <n>            compile jobs; default one per core
//   --tests               also the GoogleTest executable and addon
//   --without-lto         links in a moment, as no published binary is
//   --target <name>       only this CMake target (repeatable)
//   --verbose             the compiler's output as it comes
//
// The result is build/abi<ABI>/<preset>/sloppy_workers.node, of another platform
// build/<platform>/abi<ABI>/<preset>/sloppy_workers.node.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { main, Problem } from './lib/fail.mjs';
import { withLock } from './lib/lock.mjs';
import {
  describeForeignNode,
  describeNode,
  findHeaders,
} from './lib/node-target.mjs';
import { buildDir, root } from './lib/paths.mjs';
import { logged, passThrough } from './lib/run.mjs';
import { makeBundles } from './lib/runtime-bundles.mjs';
import { takeScripts } from './lib/script-archive.mjs';
import * as toolchain from './lib/toolchain.mjs';

const clangPresets = ['thread-safety', 'includes', 'fuzz'];
const presets = ['release', 'debug', 'asan', 'tsan', ...clangPresets];

function readOptions() {
  const { values } = parseArgs({
    options: {
      preset: { type: 'string', default: 'release' },
      'target-node': { type: 'string' },
      platform: { type: 'string', default: '' },
      jobs: { type: 'string', default: String(availableParallelism()) },
      tests: { type: 'boolean', default: false },
      target: { type: 'string', multiple: true, default: [] },
      verbose: { type: 'boolean', default: false },
      'without-lto': { type: 'boolean', default: false },
    },
  });
  if (!presets.includes(values.preset)) {
    throw new Problem(`--preset must be one of ${presets.join(', ')}`);
  }
  if (values.platform && !values['target-node']) {
    throw new Problem("--platform needs --target-node, that platform's Node");
  }
  return values;
}

function readCache(dir) {
  const path = join(dir, 'CMakeCache.txt');
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, 'utf8').matchAll(/^(\w+):\w+=(.*)$/gm);
  return Object.fromEntries(
    Array.from(lines, ([, name, value]) => [name, value]),
  );
}

/** CMake refuses a folder that was configured for another place or tool. */
function dropForeignCache(dir, expected) {
  const cache = readCache(dir);
  if (!cache) return;
  const same = Object.entries(expected).every(
    ([name, value]) => cache[name] === value,
  );
  if (!same) rmSync(dir, { recursive: true, force: true });
}

function targetsOf(options) {
  if (options.target.length > 0) return options.target;
  if (options.tests || options.preset === 'fuzz') return ['all'];
  return ['sloppy_workers'];
}

/** The compiler's, which is tried first. */
async function toolchainDefines(options, target) {
  if (options.platform) {
    // A builder of the package for one platform has no other script than this.
    const { crossDefines } = await import('./lib/cross.mjs');
    return crossDefines(options.platform);
  }
  const clang = clangPresets.includes(options.preset);
  const compiler = process.env.CXX ?? (clang ? 'clang++' : 'c++');
  toolchain.requireCompiler(compiler, target.major);
  return { CMAKE_CXX_COMPILER: compiler };
}

function configureArguments(options, target, tools, generator) {
  const defines = {
    SW_NODE_EXECUTABLE: process.execPath,
    SW_BUILD_ADDON: 'ON',
    ...tools,
    SW_NODE_ABI: target.abi,
    SW_NODE_INCLUDE_DIR: findHeaders(target),
    SW_NODE_ADDON_API_DIR: toolchain.findNodeAddonApi(),
  };
  // Once on they stay configured, and are only built when asked for.
  if (options.tests) defines.SW_BUILD_TESTS = 'ON';
  // The preset says otherwise.
  if (options['without-lto']) defines.SW_LTO = 'OFF';
  return [
    '--preset',
    options.preset,
    '-G',
    generator,
    ...Object.entries(defines).map(([name, value]) => `-D${name}=${value}`),
  ];
}

function failure(step, log) {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  // The first error explains the rest; without one the end has to do.
  const first = lines.findIndex((line) => /\berror\b/i.test(line));
  const tail = first < 0 ? lines.slice(-25) : lines.slice(first, first + 25);
  return new Problem(
    `${tail.join('\n')}\n${step} failed; the whole log: ${relative(root, log)}`,
  );
}

/**
 * A clone makes the bundles; a tarball has them, and not what makes them: of
 * Node's library that of each ABI.
 */
async function refreshBundles(options, target) {
  if (existsSync(join(root, 'node_modules/esbuild'))) {
    return makeBundles([await nodeForText(options, target)]);
  }
  const gen = join(root, 'src/runtime/gen');
  if (takeScripts(gen, target.abi)) return;
  throw new Problem(
    existsSync(gen)
      ? `this package has no library for Node ${target.version} (ABI ${target.abi})`
      : 'src/runtime/gen is missing: run `npm ci`, which brings esbuild, and build again',
  );
}

/** A Node of the target's ABI that runs here: its text is the same. */
async function nodeForText(options, target) {
  if (!options.platform) return target.execPath;
  if (process.versions.modules === target.abi) return process.execPath;
  const { fetchNode } = await import('./lib/fetch-node.mjs');
  return join(fetchNode(String(target.major)), 'bin/node');
}

async function build(options, target) {
  const generator = toolchain.chooseGenerator();
  const tools = await toolchainDefines(options, target);
  const dir = buildDir(target.abi, options.preset, options.platform);
  const setup = configureArguments(options, target, tools, generator);
  dropForeignCache(dir, {
    CMAKE_HOME_DIRECTORY: root,
    CMAKE_GENERATOR: generator,
  });
  mkdirSync(dir, { recursive: true });
  const log = join(dir, 'build.log');
  rmSync(log, { force: true });
  const run = async (step, args) => {
    const cwd = {
      cwd: root,
      env: {
        ...process.env,
        SW_ABI: join(options.platform, `abi${target.abi}`),
      },
    };
    const status = options.verbose
      ? await passThrough('cmake', args, cwd)
      : logged('cmake', args, log, cwd);
    if (status === 0) return;
    throw options.verbose ? new Problem(`${step} failed`) : failure(step, log);
  };
  await run('cmake', setup);
  await run('the compilation', [
    '--build',
    dir,
    '--parallel',
    options.jobs,
    ...targetsOf(options).flatMap((name) => ['--target', name]),
  ]);
  return dir;
}

await main(async () => {
  const options = readOptions();
  toolchain.requireCmake();
  const describe = options.platform ? describeForeignNode : describeNode;
  const target = describe(options['target-node']);
  const place = options.platform && ` on ${options.platform}`;
  const label = `${options.preset} for Node ${target.version}${place}`;
  console.log(`building ${label}`);
  const started = process.hrtime.bigint();
  await refreshBundles(options, target);
  const folder = buildDir(target.abi, options.preset, options.platform);
  const lock = `${folder}.lock`;
  const dir = await withLock(lock, () => build(options, target));
  const seconds =
    Number((process.hrtime.bigint() - started) / 10_000_000n) / 100;
  console.log(`built ${relative(root, dir)} in ${seconds.toFixed(1)} s`);
});
