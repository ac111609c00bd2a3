'use strict';
// How a function of the caller's travels: as the text of an expression.

const vm = require('node:vm');

const { workerError } = require('../sloppy-worker-error.js');
const { DETAIL_TEXTS, Detail } = require('./details.js');
const { stringify } = require('./codec/captured.js');
const { Code } = require('./diagnostics.gen.js');
const {
  OwnMap,
  matchOf,
  sourceOf,
  textStartsWith,
} = require('./primordials.js');

const MAX_SOURCE_BYTES = 1024 * 1024;
const NATIVE_BODY = /\{\s*\[native code\]\s*\}\s*$/;
const CLASS = /^class\b/;
const ACCESSOR = /^[gs]et\s+[^\s(]/;
const { Script } = vm;

// By the source, the texts of those that stand in parentheses: parsing one
// takes longer than sending it.
const MAX_KNOWN = 256;
const MAX_KNOWN_LENGTH = 4096;
const known = new OwnMap();

function remember(source, expression) {
  if (source.length > MAX_KNOWN_LENGTH) return;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(source, expression);
}

function parses(text) {
  try {
    // Parsed only; its functions are compiled where they run.
    new Script(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The text that evaluates to the function: its source in parentheses, or for
 * a method in shorthand the object it could have stood in.
 *
 * @param {Function} fn
 * @returns {string}
 * @throws {SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD} native, bound or a class
 * @throws {SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED} over 1 MiB
 * @throws {SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED} not readable
 * @throws {SLOPPY_E_WORKER_CRASHED} it cannot stand by itself
 */
function functionSource(fn) {
  let source;
  try {
    source = sourceOf(fn);
  } catch {
    throw workerError(
      Code.SerializationFailed,
      'worker function source is unreadable',
    );
  }
  const checked = known.get(source);
  if (checked !== undefined) return checked;
  if (matchOf(NATIVE_BODY, source) !== null) {
    throw workerError(
      Code.UnsupportedPayload,
      'worker function is native or bound and has no source to send',
    );
  }
  if (matchOf(CLASS, source) !== null) {
    throw workerError(
      Code.UnsupportedPayload,
      'worker function is a class and cannot be called',
    );
  }
  if (source.length > MAX_SOURCE_BYTES) {
    throw workerError(
      Code.ResourceLimit,
      'worker function source is larger than 1 MiB',
    );
  }
  const expression = `(${source}\n)`;
  if (parses(expression)) {
    remember(source, expression);
    return expression;
  }
  const name = `${fn.name}`;
  const method = `({${source}\n})[${stringify(name)}]`;
  // An accessor, or a method named by a symbol, is not found by its name.
  const findable =
    matchOf(ACCESSOR, source) === null && !textStartsWith(name, '[');
  if (findable && parses(method)) return method;
  throw workerError(Code.Crashed, DETAIL_TEXTS[Detail.compileFailed]);
}

module.exports = { functionSource };
