'use strict';

const { realpathSync } = require('node:fs');
const { resolve } = require('node:path');
const { fileURLToPath } = require('node:url');

const { LAYERS } = require('../base/sandbox-layers.js');
const { otherThanNode } = require('../base/this-executable.js');
const { isPlainObject, ownOptions } = require('../base/validate.js');
const { withHint } = require('../errors/hint.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');
const { refuseMistaken } = require('./mistaken-options.js');
const { POOL, SANDBOX, WORKER } = require('./option-sets.js');

const REQUIRED = Object.freeze(['seccomp', 'limits']);
const ARCHITECTURES = ['x64', 'arm64'];
// The calls that V8 makes are not known of others.
const NODES = ['20', '22', '24', '26'];
// Limits that Node has not, and a sandbox has.
const OWN = ['allowEval', 'allowWasm'];

function whyNot() {
  const { arch, platform, versions } = process;
  if (platform !== 'linux') return `is for Linux, and this is ${platform}`;
  if (!ARCHITECTURES.includes(arch)) {
    return `is for ${ARCHITECTURES.join(' and ')}, and this is ${arch}`;
  }
  const other = otherThanNode();
  if (other !== undefined) return `starts node, and this is ${other}`;
  const [major] = versions.node.split('.');
  if (NODES.includes(major)) return undefined;
  return `is for Node ${NODES.join(', ')}, and this is ${versions.node}`;
}

function needPlatform(subject) {
  const why = whyNot();
  if (why === undefined) return;
  const error = workerError(
    Code.FeatureUnavailable,
    `${subject}.sandbox ${why}`,
  );
  const hint = 'run such code on another machine, or without the option';
  throw withHint(error, hint);
}

/** @throws {TypeError} for an option that isolates alone have, or threads */
function refuseOthers(subject, bag, runtime) {
  if (runtime !== 'isolate') {
    throw new TypeError(`${subject}.sandbox needs runtime "isolate".`);
  }
  for (const name of POOL.names) {
    const row = POOL.rows[name];
    const value = bag[name];
    const isHere = row.threads === undefined || OWN.includes(name);
    const isUsual = value === null || value === row.threads;
    if (value === undefined || (row.sandbox !== false && (isHere || isUsual)))
      continue;
    throw new TypeError(`${subject}.${name} does not go with sandbox.`);
  }
  if ((bag.concurrentJobsPerWorker ?? 1) !== 1) {
    throw new TypeError(
      `${subject}.concurrentJobsPerWorker does not go with sandbox.`,
    );
  }
  if (bag.payload === 'clone') {
    throw new TypeError(`${subject}.payload "clone" does not go with sandbox.`);
  }
}

function folder(name, given) {
  const isText = typeof given === 'string' && given !== '';
  try {
    if (isText && !given.includes('\0')) return realpathSync(resolve(given));
    if (given instanceof URL) return realpathSync(fileURLToPath(given));
  } catch (cause) {
    throw new TypeError(`${name} must name folders that exist.`, { cause });
  }
  throw new TypeError(`${name} must be paths or file: URLs of folders.`);
}

function list(name, given) {
  if (Array.isArray(given)) return [...given];
  throw new TypeError(`${name} must be an array.`);
}

function readRoots(name, given) {
  if (given === undefined) return [];
  return list(name, given).map((each) => folder(name, each));
}

function readRequired(name, given) {
  if (given === undefined) return REQUIRED;
  const layers = list(name, given);
  for (const each of layers) {
    if (LAYERS.includes(each)) continue;
    throw new TypeError(`${name} must be some of ${LAYERS.join(', ')}.`);
  }
  // The ones on which the others stand cannot be left out.
  return [...new Set([...REQUIRED, ...layers])];
}

/**
 * Reads the option `sandbox`, which was given.
 *
 * @param {string} subject `WorkerPool` or `Worker`, for error texts
 * @param {object} bag from `plainOptions`
 * @param {string} runtime
 * @returns {object} `{ jit, spares, maxProcesses, roots, require, isOfWorker }`,
 *   to which its executor adds what is its own
 * @throws {TypeError}
 * @throws {SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE} nowhere on this machine
 */
function readSandbox(subject, bag, runtime) {
  const name = `${subject}.sandbox`;
  const given = bag.sandbox === true ? {} : bag.sandbox;
  if (!isPlainObject(given)) {
    throw new TypeError(`${name} must be a boolean or a plain object.`);
  }
  const own = ownOptions(given);
  refuseMistaken(name, own, SANDBOX.names);
  refuseOthers(subject, bag, runtime);
  if (WORKER.read(subject, bag, 'runTimeoutMs') === Infinity) {
    throw new TypeError(
      `${name} needs runTimeoutMs: code in an endless loop takes a core until ` +
        'a limit of time ends it.',
    );
  }
  const sandbox = {
    __proto__: null,
    jit: SANDBOX.read(name, own, 'jit'),
    spares: SANDBOX.read(name, own, 'spares'),
    maxProcesses: SANDBOX.read(name, own, 'maxProcesses'),
    roots: readRoots(`${name}.roots`, own.roots),
    require: readRequired(`${name}.require`, own.require),
    isOfWorker: subject === 'Worker',
  };
  needPlatform(subject);
  return sandbox;
}

module.exports = { readSandbox };
