'use strict';
// Turns a function of the caller's into the text of an expression.

const vm = require('node:vm');

const { withHelpers } = require('./compiler-helpers.js');
const { withHint } = require('../errors/hint.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');
const { DETAIL_TEXTS } = require('../protocol/details.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { sourceOf } = require('../base/primordials.js');
const { skipSpaces, skipSpacesBack } = require('../base/scan.js');
const { needMuchRoom } = require('../base/stack-room.js');
const { Detail } = require('../protocol/wire.gen.js');

const MAX_SOURCE_BYTES = 1024 * 1024;
// The beginning of a key that follows `get` or `set` without a space: a
// computed one, a text, or a number.
const KEYS = '[\'".';
/** The parts of a native function's body, the last first. */
const NATIVE_END = ['}', '[native code]', '{'];
const NATIVE_HINT =
  'send a function that calls it there, ({ input }) => Math.sqrt(input), or an ' +
  "export of a module; what was bound travels as the call's input";
const CLASS_HINT =
  'send a function that makes the object and calls its method, or put the class ' +
  'into a module and export such a function; results are plain data';
const { Script } = vm;

// Texts in parentheses by source, because parsing takes longer than sending.
const MAX_KNOWN = 256;
const MAX_KNOWN_LENGTH = 4096;
const known = new Map();
// The last of them, because comparing takes half as long as a look-up.
let lastSource = '';
let lastExpression = '';

// Whether the text ends with `{ [native code] }`.
function isNative(source) {
  let end = source.length;
  // The caller may have replaced the iterator.
  for (let i = 0; i < NATIVE_END.length; i += 1) {
    const part = NATIVE_END[i];
    end = skipSpacesBack(source, end);
    if (!source.endsWith(part, end)) return false;
    end -= part.length;
  }
  return true;
}

// Neither a method called so, nor a parameter whose name begins so.
function isClass(source) {
  if (!source.startsWith('class')) return false;
  const at = skipSpaces(source, 5);
  if (source[at] === '{' || source[at] === '/') return true;
  return at > 5 && source[at] !== '(';
}

function isAccessor(source) {
  if (!source.startsWith('get') && !source.startsWith('set')) return false;
  const at = skipSpaces(source, 3);
  return at > 3 ? source[at] !== '(' : KEYS.includes(source[3]);
}

/** @returns {number} the position of a computed key's bracket, or -1 */
function computedAt(source) {
  let at = source.startsWith('async') ? skipSpaces(source, 5) : 0;
  if (source[at] === '*') at = skipSpaces(source, at + 1);
  return source[at] === '[' ? at : -1;
}

function remember(source, expression) {
  if (source.length > MAX_KNOWN_LENGTH) return;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(source, expression);
}

function parses(text) {
  try {
    // Only parsed, because functions are compiled where they run.
    new Script(text);
    return true;
  } catch {
    return false;
  }
}

/** @returns {string} '' if the name is no text or cannot be read */
function functionName(fn) {
  try {
    const { name } = fn;
    return typeof name === 'string' ? name : '';
  } catch {
    // An error of the caller's getter is not shown, because it may hold values.
    return '';
  }
}

/**
 * @returns {string} the text of an object with the method, and a member access
 *   to it
 */
function objectWith(method, name) {
  return `({${method}\n})[${name}]`;
}

/**
 * A method in shorthand is no expression, so it is put into an object and taken
 * from it. A computed key is replaced by its value, because its variables are
 * not known in the worker.
 *
 * @returns {string | undefined} undefined if the method cannot stand alone
 */
function methodSource(source, name) {
  const quoted = JSON.stringify(name);
  const key = computedAt(source);
  if (key < 0) {
    const text = objectWith(source, quoted);
    return parses(text) ? text : undefined;
  }
  const before = source.slice(0, key);
  // The key ends at the first bracket after which a method can be parsed.
  let end = source.indexOf(']');
  while (end >= 0) {
    const rest = source.slice(end + 1);
    const text = objectWith(`${before}${quoted}${rest}`, quoted);
    if (parses(text)) return text;
    end = source.indexOf(']', end + 1);
  }
  return undefined;
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
  if (source === lastSource) return lastExpression;
  const checked = known.get(source);
  if (checked !== undefined) {
    lastSource = source;
    lastExpression = checked;
    return checked;
  }
  needMuchRoom();
  if (isNative(source)) {
    const error = workerError(
      Code.UnsupportedPayload,
      'worker function is native or bound and has no source to send',
    );
    throw withHint(error, NATIVE_HINT);
  }
  if (isClass(source)) {
    const error = workerError(
      Code.UnsupportedPayload,
      'worker function is a class and cannot be called',
    );
    throw withHint(error, CLASS_HINT);
  }
  if (source.length > MAX_SOURCE_BYTES) {
    const error = workerError(
      Code.ResourceLimit,
      'worker function source is larger than 1 MiB',
    );
    throw withHint(
      error,
      'put the code into a module: the option module, or modules of the call',
    );
  }
  const expression = withHelpers(source) ?? `(${source}\n)`;
  if (parses(expression)) {
    remember(source, expression);
    return expression;
  }
  if (!isAccessor(source)) {
    const method = methodSource(source, functionName(fn));
    if (method !== undefined) return method;
  }
  throw workerError(Code.Crashed, DETAIL_TEXTS[Detail.CompileFailed]);
}

module.exports = { functionName, functionSource };
