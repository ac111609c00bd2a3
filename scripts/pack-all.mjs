// Makes every tarball that this machine can: node scripts/pack-all.mjs
//
//   --platforms <ids>    of lib/addon/platforms.js, cross-compiled; `here`
//                        is this one with its own compiler; default all, of
//                        which those that cannot be built are named
//   --nodes <majors>     build for these Nodes, fetched from npm unless one is
//                        the running Node; default those of 20,22,24,26 that
//                        can be had
//   --out <dir>          default build/pack
//   --only-binaries      stop after <out>/binaries/<platform>/abi<N>.node
//   --binaries <dir>     build nothing: pack the binaries of all platforms in
//                        <dir>, laid out as above
//   --complete           fail unless every platform has every ABI
//   --max-glibc <x.y>    fail when a glibc binary needs a newer one
//
// The release workflow runs --only-binaries on each platform and --binaries
// on all of them together.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ALL_IDS, whyNot } from './lib/cross.mjs';
import { main, Problem } from './lib/fail.mjs';
import { fetchNode, otherNode, readMajors } from './lib/fetch-node.mjs';
import { inspectBinary } from './lib/inspect.mjs';
import { compareVersions } from './lib/needs.mjs';
import { describeForeignNode, describeNode } from './lib/node-target.mjs';
import { packMain, packPlatform } from './lib/pack.mjs';
import { addonPath, root, which } from './lib/paths.mjs';
import { must, passThrough } from './lib/run.mjs';

const require = createRequire(import.meta.url);
const { familySync } = require('detect-libc');
const {
  ABIS,
  PLATFORMS,
  binaryOf,
  platformId,
} = require('../lib/addon/platforms.js');

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string' },
    platforms: { type: 'string' },
    out: { type: 'string', default: join(root, 'build/pack') },
    'only-binaries': { type: 'boolean', default: false },
    binaries: { type: 'string' },
    complete: { type: 'boolean', default: false },
    'max-glibc': { type: 'string' },
  },
});
const out = resolve(options.out);

function stripped(file) {
  // Only the table for debuggers goes; what the loader reads stays.
  if (process.platform === 'win32' || !which('strip')) return;
  const flags = process.platform === 'darwin' ? ['-x'] : ['--strip-unneeded'];
  must('strip', [...flags, file]);
}

async function buildFor(other, folder) {
  const args = other ? ['--target-node', other] : [];
  const script = join(root, 'scripts/build.mjs');
  const { abi, version } = describeNode(other);
  const status = await passThrough(process.execPath, [script, ...args]);
  if (status !== 0) throw new Problem(`the build for ${version} failed`);
  const file = join(folder, binaryOf(abi));
  copyFileSync(addonPath(abi), file);
  stripped(file);
}

const majors = () =>
  options.nodes
    ? readMajors(options.nodes.split(','), '--nodes 20,22')
    : Object.keys(ABIS);

/** The folders of the Nodes to build for; undefined stands for this one. */
function targets(find) {
  if (options.nodes) return majors().map(find);
  return majors().flatMap((major) => {
    try {
      return [find(major)];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      console.log(`left out Node ${major}: ${error.message.split('\n')[0]}`);
      return [];
    }
  });
}

function folderOf(id) {
  const folder = join(out, 'binaries', id);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function buildHere() {
  const id = platformId(process.platform, process.arch, familySync());
  const folder = folderOf(id);
  for (const other of targets(otherNode)) await buildFor(other, folder);
}

/** As buildFor, for another platform; and looks at what came of it. */
async function crossBuild(platform, node, folder) {
  const { id } = platform;
  const script = join(root, 'scripts/build.mjs');
  const { abi, version, execPath } = describeForeignNode(node);
  const args = [script, '--platform', id, '--target-node', node];
  if ((await passThrough(process.execPath, args)) !== 0) {
    throw new Problem(`the build of ${id} for ${version} failed`);
  }
  const file = join(folder, binaryOf(abi));
  copyFileSync(addonPath(abi, 'release', id), file);
  const { problems, notes } = inspectBinary(platform, file, execPath);
  if (problems.length > 0) {
    throw new Problem(`${id} for ${version}: ${problems.join('; ')}`);
  }
  console.log(`checked ${id} for ${version}: ${notes.join(', ')}`);
}

function platformsToBuild() {
  if (!options.platforms) {
    const reasons = new Map(ALL_IDS.map((id) => [id, whyNot(id)]));
    for (const [id, reason] of reasons) {
      if (reason) console.log(`left out ${id}: ${reason}`);
    }
    return PLATFORMS.filter(({ id }) => !reasons.get(id));
  }
  return options.platforms.split(',').map((id) => {
    const platform = PLATFORMS.find((row) => row.id === id);
    if (platform) return platform;
    const known = PLATFORMS.map((row) => row.id).join(', ');
    throw new Problem(`--platforms: ${id} is none of here, ${known}`);
  });
}

async function buildBinaries() {
  if (options.platforms === 'here') await buildHere();
  else {
    for (const platform of platformsToBuild()) {
      const machine = `${platform.os}-${platform.cpu}`;
      const folder = folderOf(platform.id);
      for (const node of targets((major) => fetchNode(major, machine))) {
        await crossBuild(platform, node, folder);
      }
    }
  }
  return join(out, 'binaries');
}

function requireAll(binaries) {
  const missing = PLATFORMS.flatMap(({ id }) =>
    Object.values(ABIS).map((abi) => join(id, binaryOf(abi))),
  ).filter((file) => !existsSync(join(binaries, file)));
  if (missing.length > 0) throw new Problem(`missing: ${missing.join(', ')}`);
}

const tell = (tarball, more = '') => {
  const kilobytes = Math.ceil(statSync(tarball).size / 1000);
  console.log(`${basename(tarball)}: ${kilobytes} kB${more}`);
};

function packPlatforms(binaries) {
  const ids = readdirSync(binaries);
  for (const platform of PLATFORMS.filter(({ id }) => ids.includes(id))) {
    const folder = join(binaries, platform.id);
    const { tarball, names, needs } = packPlatform(platform, folder, {
      stage: join(out, 'stage'),
      destination: out,
    });
    tell(
      tarball,
      `, ${names.length} ABIs${needs ? `, glibc ${needs.glibc}, GLIBCXX ${needs.libstdcxx ?? 'inside'}` : ''}`,
    );
    const limit = options['max-glibc'];
    if (!limit || platform.libc !== 'glibc') continue;
    if (!needs?.glibc || compareVersions(needs.glibc, limit) > 0) {
      throw new Problem(
        `${platform.id} needs glibc ${needs?.glibc}, newer than ${limit}`,
      );
    }
  }
}

await main(async () => {
  mkdirSync(out, { recursive: true });
  const binaries = options.binaries
    ? resolve(options.binaries)
    : await buildBinaries();
  if (options.complete) requireAll(binaries);
  if (options['only-binaries']) return;
  for (const name of readdirSync(out)) {
    if (name.endsWith('.tgz')) rmSync(join(out, name));
  }
  packPlatforms(binaries);
  tell(packMain(join(out, 'stage/main'), out));
});
