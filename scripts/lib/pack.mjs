// The folders that become tarballs: the main package as it is published, and
// one package for each platform.

import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Problem } from './fail.mjs';
import { otherNode } from './fetch-node.mjs';
import { bundleLibrary } from './library-bundle.mjs';
import { needsOf } from './needs.mjs';
import { root } from './paths.mjs';
import { must } from './run.mjs';
import { makeBundles } from './runtime-bundles.mjs';
import { archiveScripts } from './script-archive.mjs';

const require = createRequire(import.meta.url);
const { ABIS, PLATFORMS, packageOf } = require('../../lib/addon/platforms.js');

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const writeJson = (path, value) =>
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

/** Provenance is refused unless the manifest names what builds it. */
function repositoryOf({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name }) {
  if (!server || !name) return {};
  return { repository: { type: 'git', url: `git+${server}/${name}.git` } };
}

const manifest = {
  ...readJson(join(root, 'package.json')),
  ...repositoryOf(process.env),
};

/** Packs a folder and returns the tarball's path. */
export function npmPack(folder, destination) {
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error'];
  const to = ['--pack-destination', destination];
  const stdout = must('npm', [...args, ...to], folder);
  return join(destination, JSON.parse(stdout)[0].filename);
}

/**
 * The manifest of the main package as it is published. The platform packages
 * are its optional dependencies only there: as long as a version of them is
 * not in the registry, `npm ci` in the repository could not resolve them.
 */
function publishedManifest() {
  const { devDependencies, scripts, ...rest } = manifest;
  return {
    ...rest,
    scripts: { build: scripts.build },
    optionalDependencies: Object.fromEntries(
      PLATFORMS.map(({ id }) => [packageOf(id), manifest.version]),
    ),
  };
}

/** A Node of each ABI, for its library, as far as they can be had. */
function nodesOfAll() {
  return Object.keys(ABIS).flatMap((major) => {
    try {
      const other = otherNode(major);
      return other ? [join(other, 'bin/node')] : [process.execPath];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      console.log(`left out Node ${major}: ${error.message.split('\n')[0]}`);
      return [];
    }
  });
}

/** Packs the main package as it is published. */
export function packMain(stage, destination) {
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  makeBundles(nodesOfAll());
  const raw = npmPack(root, stage);
  must('tar', ['-xzf', raw], stage);
  const folder = join(stage, 'package');
  bundleLibrary(folder);
  archiveScripts(join(folder, 'src/runtime/gen'));
  writeJson(join(folder, 'package.json'), publishedManifest());
  return npmPack(folder, destination);
}

/** The manifest of one platform's package. */
export function platformManifest({ id, os, cpu, libc }) {
  const { version, license, engines, repository, publishConfig } = manifest;
  return {
    name: packageOf(id),
    version,
    description: `The binaries of ${manifest.name} for ${id}`,
    license,
    ...(repository && { repository }),
    os: [os],
    cpu: [cpu],
    ...(libc && { libc: [libc] }),
    engines,
    files: ['*.node', 'THIRD_PARTY.txt'],
    preferUnplugged: true,
    publishConfig,
  };
}

function describeNeeds({ libc }, needs) {
  if (libc === 'musl') return 'They need musl and libstdc++.';
  if (libc !== 'glibc' || !needs?.glibc) return '';
  const { glibc, libstdcxx } = needs;
  if (!libstdcxx) return `They need glibc ${glibc} or newer.`;
  return `They need glibc ${glibc} and libstdc++ with GLIBCXX_${libstdcxx}, or newer.`;
}

function readmeOf(platform, binaries, needs) {
  const majors = Object.keys(ABIS).filter((major) =>
    binaries.includes(`abi${ABIS[major]}.node`),
  );
  return [
    `# ${packageOf(platform.id)}`,
    '',
    `The binaries of [${manifest.name}](https://www.npmjs.com/package/${manifest.name})`,
    `for ${platform.id}: one for each ABI of Node (${majors.join(', ')}).`,
    describeNeeds(platform, needs),
    'Installed by that package where it fits; there is nothing to import here.',
    '',
  ].join('\n');
}

/**
 * Packs the binaries of one platform.
 *
 * @param {object} platform a row of PLATFORMS
 * @param {string} binaries the folder with its abi<N>.node files
 * @param {{ stage: string, destination: string, maxGlibc?: string }} options
 * @throws {Problem} when a binary needs a newer glibc than `maxGlibc`
 */
export function packPlatform(platform, binaries, options) {
  const folder = join(options.stage, platform.id);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const names = readdirSync(binaries).filter((name) => name.endsWith('.node'));
  for (const name of names) {
    copyFileSync(join(binaries, name), join(folder, name));
  }
  const needs =
    platform.libc === 'glibc'
      ? needsOf(names.map((name) => join(folder, name)))
      : undefined;
  writeJson(join(folder, 'package.json'), platformManifest(platform));
  writeFileSync(join(folder, 'README.md'), readmeOf(platform, names, needs));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  // The binary holds the libraries of the isolates' runtime.
  copyFileSync(
    join(root, 'src/runtime/gen/LICENSES.gen.txt'),
    join(folder, 'THIRD_PARTY.txt'),
  );
  const tarball = npmPack(folder, options.destination);
  return { tarball, names, needs };
}
