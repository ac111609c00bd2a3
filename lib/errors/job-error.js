'use strict';
// Makes the error of a job that did not succeed.

const { SloppyWorkerError } = require('../protocol/sloppy-worker-error.js');
const { DETAIL_HINTS, DETAIL_TEXTS } = require('../protocol/details.js');
const { Code, codeById } = require('../protocol/diagnostics.gen.js');
const { Detail } = require('../protocol/wire.gen.js');
const { withHint } = require('./hint.js');
const { rebuildError } = require('./rebuild-error.js');
const { includes, matchOf } = require('../base/primordials.js');

const NOT_DEFINED = /^(\S+) is not defined$/;
// Names that compilers generate: __vite_ssr_import_0__; __generator, _ref2.
const IMPORTED = /^__(?:vite_ssr|vi)_import/;
const COMPILED = /^(?:__?[a-zA-Z]\w*|cov_\w+)$/;
const FIRST_FRAME = /^[^\n]*\n *at [^\n]*\bsloppy:/;
const NODE_NAMES = ['exports', 'require', 'module', '__dirname', '__filename'];
const NETWORK_NAMES = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];

// The code of a sent function has a name of ours instead of a file's.
function isOfSentFunction({ stack }) {
  return typeof stack !== 'string' || matchOf(FIRST_FRAME, stack) !== null;
}

/** Advice for a name that does not exist in the worker. */
function missingNameHint(cause) {
  if (!(cause instanceof ReferenceError)) return undefined;
  const name = matchOf(NOT_DEFINED, cause.message)?.[1];
  if (name === undefined) return undefined;
  const isSent = isOfSentFunction(cause);
  if (includes(NODE_NAMES, name)) {
    if (!isSent) {
      return (
        `"${name}" exists in CommonJS files only, and this one is an ES ` +
        'module: name it .cjs, or use import and export'
      );
    }
    return (
      `"${name}" exists in CommonJS files only: put the job in a file and ` +
      'make the pool with the option `module`, or use `await import(…)`'
    );
  }
  if (includes(NETWORK_NAMES, name)) {
    return (
      `"${name}" does not exist in the worker, which has no network: call it ` +
      'in the owner, and hand it in as a host function (the option `host`)'
    );
  }
  if (!isSent) return undefined;
  if (matchOf(IMPORTED, name) !== null) {
    return (
      `"${name}" is an import that Vite or Vitest rewrote: use ` +
      '`await import(…)` in the function, or the option `modules`, or put the ' +
      'job in a file and make the pool with the option `module`'
    );
  }
  if (matchOf(COMPILED, name) !== null) {
    return (
      `"${name}" is what a compiler (TypeScript, Babel, esbuild, Jest) moved ` +
      'out of the function: compile for es2022 or newer, or put the job in a ' +
      'file and make the pool with the option `module`'
    );
  }
  return (
    `"${name}" does not exist in the worker: functions are sent as source, ` +
    'without the variables around them; pass it through `input`'
  );
}

/** Advice for a package that an isolate does not find. */
function missingPackageHint(described) {
  const { pnp } = process.versions;
  if (pnp === undefined) return undefined;
  if (described?.props?.code !== 'ERR_MODULE_NOT_FOUND') return undefined;
  return (
    "isolates find packages in node_modules, which Yarn's Plug'n'Play has not: " +
    'bundle the tasks file, or unplug the package and name its file in the ' +
    "option `modules`, or use runtime: 'thread', or nodeLinker: node-modules"
  );
}

/**
 * @param {number} status id of a diagnostic
 * @param {number} detail job/job.h
 * @param {object | string} [described] the thrown value, as rebuildError()
 *   reads it; for a refused result the place in it
 * @param {Function} [hook] the option `rebuildError`
 * @returns {SloppyWorkerError}
 */
function errorOf(status, detail, described, hook = undefined) {
  // Only a refused result comes with a text, its place.
  if (typeof described === 'string') {
    const refused = new SloppyWorkerError(
      codeById(status),
      DETAIL_TEXTS[detail],
    );
    return withHint(refused, described);
  }
  const cause =
    described === undefined ? undefined : rebuildError(described, hook);
  const error = new SloppyWorkerError(
    codeById(status),
    DETAIL_TEXTS[detail] || undefined,
    described === undefined ? undefined : { cause },
  );
  const hint =
    DETAIL_HINTS[detail] ??
    missingNameHint(cause) ??
    missingPackageHint(described);
  return withHint(error, hint);
}

/** The error of a worker that has ended by its memory limit, without a job. */
function memoryLimitError(cause = undefined) {
  const options = cause === undefined ? undefined : { cause };
  const text = DETAIL_TEXTS[Detail.MemoryLimit];
  const error = new SloppyWorkerError(Code.ResourceLimit, text, options);
  return withHint(error, DETAIL_HINTS[Detail.MemoryLimit]);
}

module.exports = { errorOf, memoryLimitError };
