// Makes every tarball that this machine can: node scripts/pack-all.mjs
//
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
import { main, Problem } from './lib/fail.mjs';
import { otherNode, readMajors } from './lib/fetch-node.mjs';
import { compareVersions } from './lib/needs.mjs';
import { describeNode } from './lib/node-target.mjs';
import { packMain, packPlatform } from './lib/pack.mjs';
import { addonPath, root, which } from './lib/paths.mjs';
import { capture, passThrough } from './lib/run.mjs';

const require = createRequire(import.meta.url);
const { familySync } = require('detect-libc');
const {
  ABIS,
  PLATFORMS,
  binaryOf,
  platformId,
} = require('../lib/internal/platforms.js');

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string' },
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
  const { status, output } = capture('strip', [...flags, file]);
  if (status !== 0) throw new Problem(`strip failed\n${output}`);
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

/** The folders of the Nodes to build for; undefined stands for this one. */
function targets() {
  if (options.nodes) {
    return readMajors(options.nodes.split(','), '--nodes 20,22').map(otherNode);
  }
  return Object.keys(ABIS).flatMap((major) => {
    try {
      return [otherNode(major)];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      console.log(`left out Node ${major}: ${error.message.split('\n')[0]}`);
      return [];
    }
  });
}

async function buildBinaries() {
  const id = platformId(process.platform, process.arch, familySync());
  const folder = join(out, 'binaries', id);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const other of targets()) await buildFor(other, folder);
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
      `, ${names.length} ABIs${needs ? `, glibc ${needs.glibc}, GLIBCXX ${needs.libstdcxx}` : ''}`,
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
