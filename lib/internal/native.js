'use strict';
// The only place that loads the addon.

const { existsSync } = require('node:fs');
const { dirname, isAbsolute, join, relative } = require('node:path');

const { familySync } = require('detect-libc');

const { version } = require('../../package.json');
const { workerError } = require('../sloppy-worker-error.js');
const { Code } = require('./diagnostics.gen.js');
const {
  PLATFORMS,
  binaryOf,
  packageOf,
  platformId,
} = require('./platforms.js');

const root = join(__dirname, '..', '..');
const abi = process.versions.modules;

/** Thrown inside this file: why a candidate is no use. */
class Unfit extends Error {}

const currentPlatform = () =>
  platformId(process.platform, process.arch, familySync());

/** A binary that somebody named, or built in this folder. */
function fromFile(file, name) {
  return {
    name,
    find() {
      if (!existsSync(file)) throw new Unfit('no such file');
      return file;
    },
  };
}

/** The binary in the optional dependency for this platform. */
function fromPackage(id) {
  const name = packageOf(id);
  return {
    name: `${name}/${binaryOf(abi)}`,
    find() {
      if (!PLATFORMS.some((platform) => platform.id === id)) {
        throw new Unfit('there is no package for this platform');
      }
      let manifest;
      try {
        manifest = require.resolve(`${name}/package.json`);
      } catch {
        throw new Unfit('not installed');
      }
      // Both sides of the codec come from one build.
      const found = require(manifest).version;
      if (found !== version) {
        throw new Unfit(`is version ${found}, ${version} is needed`);
      }
      const file = join(dirname(manifest), binaryOf(abi));
      if (!existsSync(file)) throw new Unfit('no binary for this Node');
      return file;
    },
  };
}

function fromBuild(preset) {
  const path = join('build', `abi${abi}`, preset, 'sloppy_workers.node');
  return fromFile(join(root, path), path);
}

/** Where a binary may be, in the order of preference. */
function candidates() {
  const { SLOPPY_WORKERS_BINARY: file, SLOPPY_WORKERS_PRESET: preset } =
    process.env;
  // Who asks for one binary is not served with another.
  if (file) return [fromFile(file, 'SLOPPY_WORKERS_BINARY')];
  if (preset) return [fromBuild(preset)];
  return [fromPackage(currentPlatform()), fromBuild('release')];
}

/** Builds from source, wherever and under whatever name this is installed. */
function buildCommand() {
  const script = join(root, 'scripts', 'build.mjs');
  const near = relative(process.cwd(), script);
  // On another Windows drive there is no relative path.
  const path = isAbsolute(near) ? script : near;
  return `node ${/\s/.test(path) ? JSON.stringify(path) : path}`;
}

/** What the system says about a file names it in full: that goes. */
const reasonOf = (error, file) =>
  String(error.message).split('\n', 1)[0].replaceAll(`${file}: `, '');

const failureOf = (tried) =>
  `worker bridge is unavailable: no binary for ${currentPlatform()} with ` +
  `Node ${process.version} (ABI ${abi}); tried ${tried.join('; ')}. ` +
  `Build it from source with: ${buildCommand()}`;

let binary;
let functions;
let failure;

function load() {
  const tried = [];
  for (const { name, find } of candidates()) {
    let file;
    try {
      file = find();
      binary = require(file);
      return binary.open();
    } catch (error) {
      tried.push(`${name}: ${reasonOf(error, file)}`);
    }
  }
  failure = failureOf(tried);
  return undefined;
}

/**
 * The functions of the addon for this copy of the JavaScript layer.
 *
 * @returns {object} see binding/pool_calls.cc and binding/delivery.cc
 * @throws {SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE} says what was tried and how to
 *   build from source
 */
function loadNative() {
  if (failure === undefined) functions ??= load();
  if (functions === undefined) {
    throw workerError(Code.BridgeUnavailable, failure);
  }
  return functions;
}

/** How many isolates and the like there are in the process (src/base/live.h). */
const liveCounts = () => loadNative() && binary.live();

module.exports = { liveCounts, loadNative };
