'use strict';
// The only place that loads the addon.

const { existsSync, readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, isAbsolute, join, relative } = require('node:path');

const { version } = require('../../package.json');
const { workerError } = require('../protocol/sloppy-worker-error.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { Build } = require('../protocol/wire.gen.js');
const {
  PLATFORMS,
  binaryOf,
  muslLoader,
  packageOf,
  platformId,
} = require('./platforms.js');

const root = join(__dirname, '..', '..');
const abi = process.versions.modules;
// Bundlers ignore a require made by createRequire, and so leave the binary
// alone. A bundle of ES modules has no __filename.
const load = createRequire(
  typeof __filename === 'string' && isAbsolute(__filename)
    ? __filename
    : join(process.cwd(), 'index.js'),
);

/** Thrown inside this file: the reason why a candidate is unusable. */
class Unfit extends Error {}

const thisPlatform = (libc) => platformId(process.platform, process.arch, libc);

// Loaded only where it matters, because the package takes longer to load than a
// worker to start.
function currentPlatform() {
  const { familySync } = require('detect-libc');
  return thisPlatform(familySync());
}

/** A file that Node's permission model hides counts as missing. */
function isThere(file) {
  try {
    return existsSync(file);
  } catch {
    return false;
  }
}

/** Node hardly runs on musl without musl's loader in its usual place. */
function likelyPlatform() {
  if (process.platform !== 'linux') return thisPlatform();
  return isThere(muslLoader(process.arch))
    ? currentPlatform()
    : thisPlatform('glibc');
}

/** @returns {string | undefined} the manifest of a platform's package */
function manifestOf(id) {
  try {
    return load.resolve(`${packageOf(id)}/package.json`);
  } catch {
    return undefined;
  }
}

/** A binary that the environment names, or that was built in this folder. */
function fromFile(file, name) {
  return {
    name: () => name,
    find() {
      if (!existsSync(file)) throw new Unfit('no such file');
      return file;
    },
  };
}

/** The binary in the optional dependency for this platform. */
const fromPackage = {
  name: () => `${packageOf(currentPlatform())}/${binaryOf(abi)}`,
  find() {
    const here = PLATFORMS.filter(
      ({ os, cpu }) => os === process.platform && cpu === process.arch,
    );
    if (here.length === 0) {
      throw new Unfit('there is no package for this platform');
    }
    let manifest = manifestOf(likelyPlatform());
    // The guess may be wrong while another package fits.
    if (
      manifest === undefined &&
      here.some(({ id }) => manifestOf(id) !== undefined)
    ) {
      manifest = manifestOf(currentPlatform());
    }
    if (manifest === undefined) throw new Unfit('not installed');
    // Both sides of the codec come from one build.
    const found = load(manifest).version;
    if (found !== version) {
      throw new Unfit(`is version ${found}, ${version} is needed`);
    }
    const file = join(dirname(manifest), binaryOf(abi));
    if (!existsSync(file)) throw new Unfit('no binary for this Node');
    return file;
  },
};

function fromBuild(preset) {
  const path = join('build', `abi${abi}`, preset, 'sloppy_workers.node');
  return fromFile(join(root, path), path);
}

/** The places where a binary may be, in the order of preference. */
function candidates() {
  const { SLOPPY_WORKERS_BINARY: file, SLOPPY_WORKERS_PRESET: preset } =
    process.env;
  // A named binary has no fallback.
  if (file) return [fromFile(file, 'SLOPPY_WORKERS_BINARY')];
  if (preset) return [fromBuild(preset)];
  return [fromPackage, fromBuild('release')];
}

/** The command that builds from source, relative to the working directory. */
function buildCommand() {
  const script = join(root, 'scripts', 'build.mjs');
  const near = relative(process.cwd(), script);
  // No relative path leads to another Windows drive.
  const path = isAbsolute(near) ? script : near;
  return `node ${path.includes(' ') ? JSON.stringify(path) : path}`;
}

/** The reason without the file's full path, which Windows adds on a line. */
const reasonOf = (error, file) =>
  String(error.message).split('\n', 1)[0].trimEnd().replaceAll(`${file}: `, '');

const OUT_OF_BUNDLE =
  'This code is inside a bundle, which leaves the binaries behind: name ' +
  'sloppy-workers among the external packages (serverExternalPackages in ' +
  'Next.js, external in esbuild, Rollup and Vite, externals in webpack), or ' +
  'name a binary in SLOPPY_WORKERS_BINARY';

function remedyFor(attempts) {
  if (attempts.some(({ error }) => error.code === 'ERR_DLOPEN_DISABLED')) {
    return (
      'Addons are off: start Node without --no-addons, and under its ' +
      'permission model with --allow-addons'
    );
  }
  if (attempts.some(({ error }) => error.code === 'ERR_NODE_SNAPSHOT')) {
    return (
      'Start Node with --no-node-snapshot, use a newer Node, or run on ' +
      "Node's threads with runtime: 'thread'"
    );
  }
  if (attempts.some(({ error }) => error.code === 'ERR_ACCESS_DENIED')) {
    return (
      "Node's permission model hides the binary: start Node with " +
      '--allow-addons and --allow-fs-read for the folder it is in'
    );
  }
  if (!isThere(join(root, 'package.json'))) return OUT_OF_BUNDLE;
  return `Build it from source with: ${buildCommand()}`;
}

function failureOf(attempts) {
  const tried = attempts.map(
    ({ name, error, file }) => `${name()}: ${reasonOf(error, file)}`,
  );
  return (
    `worker bridge is unavailable: no binary for ${currentPlatform()} with ` +
    `Node ${process.version} (ABI ${abi}); tried ${tried.join('; ')}. ` +
    remedyFor(attempts)
  );
}

/**
 * Bun and Deno give Node's version and ABI, but have not its V8. Electron gives
 * Node's version with an ABI of its own, also with ELECTRON_RUN_AS_NODE: its V8
 * has other pointers, so what is built from source here does not fit either.
 */
const otherRuntime = () =>
  ['bun', 'deno', 'electron'].find(
    (name) => process.versions[name] !== undefined,
  );

const unlikeNode = (name) =>
  "worker bridge is unavailable: isolates need Node's own V8, which " +
  `${name} ${process.versions[name]} does not have. Run in Node, or on ` +
  "threads with runtime: 'thread'";

let binary;
let binaryPath;
let functions;
let failure;

function loadFirst() {
  const other = otherRuntime();
  if (other !== undefined) {
    failure = unlikeNode(other);
    return undefined;
  }
  const attempts = [];
  for (const { name, find } of candidates()) {
    let file;
    try {
      file = find();
      const loaded = load(file);
      // A job of another build would wait for ever, or be read wrongly.
      if (loaded.build !== Build.Digest) {
        throw new Unfit(`was not built with this sloppy-workers ${version}`);
      }
      binary = loaded;
      const opened = binary.open();
      binaryPath = file;
      return opened;
    } catch (error) {
      attempts.push({ name, error, file });
    }
  }
  failure = failureOf(attempts);
  return undefined;
}

/**
 * The functions of the addon for this copy of the JavaScript layer.
 *
 * @returns {object} see binding/pool_calls.cc and binding/delivery.cc
 * @throws {SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE} lists the candidates and how to
 *   build from source
 */
function loadNative() {
  if (failure === undefined) functions ??= loadFirst();
  if (functions === undefined) {
    throw workerError(Code.BridgeUnavailable, failure);
  }
  return functions;
}

/**
 * @returns {string | undefined} the addon's file: the one that was loaded, or
 *   that would be tried first
 */
function binaryFile() {
  if (binaryPath !== undefined) return binaryPath;
  for (const { find } of candidates()) {
    try {
      return find();
    } catch {
      // The next.
    }
  }
  return undefined;
}

/**
 * @returns {object} the functions of the addon that belong to no copy of the
 *   JavaScript layer, see binding/addon.cc
 * @throws {unknown} there is none, or it is forbidden
 */
const looseFunctions = () => load(binaryFile());

/**
 * Counts of live isolates and other objects of the process (src/base/live.h).
 */
const liveCounts = () => loadNative() && binary.live();

/**
 * The process's calls for debuggers and coverage.
 *
 * @returns {object} see binding/debug_calls.cc
 * @throws as loadNative
 */
const debugCalls = () => loadNative() && binary.debug;

/**
 * Never called, but read by tools that trace files. They read what a path leads
 * to, where bundlers do not. @vercel/nft goes on from the first file, and so
 * finds packages wherever they are installed; Turbopack does not, and takes the
 * others, which are beside this package. A published bundle, which this file is
 * moved into, lies as deep as it does.
 */
const tracedFiles = (platform, file) => [
  readFileSync(join(__filename, '../../addon/traced-files.js')),
  readFileSync(join(__filename, '../../../../@sloppy-workers', platform, file)),
  readFileSync(join(__filename, '../../../../acorn/package.json')),
  readFileSync(join(__filename, '../../../../acorn/dist/acorn.js')),
  readFileSync(join(__filename, '../../../../amaro/package.json')),
  readFileSync(join(__filename, '../../../../amaro/dist/package.json')),
  readFileSync(join(__filename, '../../../../amaro/dist/index.js')),
];

module.exports = {
  binaryFile,
  debugCalls,
  liveCounts,
  looseFunctions,
  loadNative,
  tracedFiles,
};
