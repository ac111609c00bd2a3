'use strict';
// Makes the error of a job that did not succeed.

const { SloppyWorkerError } = require('../protocol/sloppy-worker-error.js');
const { DETAIL_HINTS, DETAIL_TEXTS } = require('../protocol/details.js');
const { Code, codeById } = require('../protocol/diagnostics.gen.js');
const { Detail } = require('../protocol/wire.gen.js');
const { withHint } = require('./hint.js');
const { rebuildError } = require('./rebuild-error.js');
const { includes } = require('../base/primordials.js');
const { hasWord, isLetter, isSpace, isWord, skip } = require('../base/scan.js');

const NOT_DEFINED = ' is not defined';
const OWN_SCHEME = 'sloppy:';
const IMPORTED = ['__vite_ssr_import', '__vi_import'];
const NODE_NAMES = ['exports', 'require', 'module', '__dirname', '__filename'];
const NETWORK_NAMES = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];

const isOfName = (code) => !isSpace(code);
const isBlank = (code) => code === 32;

// The second line of a stack is its first frame.
function firstFrameOf(stack) {
  const line = stack.indexOf('\n') + 1;
  const at = skip(stack, line, isBlank);
  if (line === 0 || !stack.startsWith('at ', at)) return '';
  const end = stack.indexOf('\n', at);
  return stack.slice(at, end < 0 ? stack.length : end);
}

// The code of a sent function has a name of ours instead of a file's.
function isOfSentFunction({ stack }) {
  return typeof stack !== 'string' || hasWord(firstFrameOf(stack), OWN_SCHEME);
}

/** @returns {string | undefined} X of `X is not defined` */
function undefinedName({ message }) {
  if (typeof message !== 'string' || !message.endsWith(NOT_DEFINED)) {
    return undefined;
  }
  const name = message.slice(0, -NOT_DEFINED.length);
  const isOne = name !== '' && skip(name, 0, isOfName) === name.length;
  return isOne ? name : undefined;
}

// Names that compilers generate: __generator, _ref2, cov_1a2b.
function isCompiled(name) {
  if (skip(name, 0, isWord) !== name.length) return false;
  if (name.startsWith('cov_')) return name.length > 4;
  const start = name.startsWith('__') ? 2 : 1;
  return name[0] === '_' && isLetter(name.charCodeAt(start));
}

/** Advice for a name that does not exist in the worker. */
function missingNameHint(cause) {
  if (!(cause instanceof ReferenceError)) return undefined;
  const name = undefinedName(cause);
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
  if (IMPORTED.some((each) => name.startsWith(each))) {
    return (
      `"${name}" is an import that Vite or Vitest rewrote: use ` +
      '`await import(…)` in the function, or the option `modules`, or put the ' +
      'job in a file and make the pool with the option `module`'
    );
  }
  if (isCompiled(name)) {
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
