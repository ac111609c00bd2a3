'use strict';
// The text of a function that is sent, for debuggers: at the line and column
// where the function stands in its own file, and under the file's URL, so that
// a breakpoint of an editor binds there.

const { isAbsolute } = require('node:path');
const { pathToFileURL } = require('node:url');

const {
  charCodeAt,
  substring,
  textIndexOf,
  uncurry,
} = require('../protocol/codec/captured.js');
const { BRACE, isSpace, skip, skipSpaces } = require('../base/scan.js');
const {
  max,
  sourceOf,
  textIncludes,
  textStartsWith,
} = require('../base/primordials.js');

// A bundle of one line: beyond that, the spaces would be the larger part.
const MAX_PADDING = 1_000_000;

const repeat = uncurry(String.prototype.repeat);
const lastIndexOf = uncurry(String.prototype.lastIndexOf);

function urlOf(name) {
  if (typeof name !== 'string') return undefined;
  if (textStartsWith(name, 'file:')) return name;
  return isAbsolute(name) ? pathToFileURL(name).href : undefined;
}

const [OPENING, CLOSING, EQUALS] = [40, 41, 61];
const isOfName = (code) =>
  !isSpace(code) && code !== OPENING && code !== CLOSING && code !== EQUALS;

// Whether an arrow function with a lone parameter begins there.
function isLone(source, at) {
  const end = skip(source, at, isOfName);
  return end > at && textStartsWith(source, '=>', skipSpaces(source, end));
}

// Whether an asynchronous arrow function begins with the text. REQUIRES: it is
// no method, which may have that name.
function isAsyncArrow(source) {
  if (!textStartsWith(source, 'async')) return false;
  const at = skipSpaces(source, 'async'.length);
  if (charCodeAt(source, at) === OPENING) return true;
  return at > 'async'.length && isLone(source, at);
}

/**
 * @returns {string} what stands in front of the place that V8 names: where an
 *   arrow function begins, and where the parameters of another one do
 */
function beforeParameters(source, isMethod) {
  const isArrow = isLone(source, 0) || isAsyncArrow(source);
  if (isArrow && !isMethod) return '';
  return substring(source, 0, max(0, textIndexOf(source, '(')));
}

function countLines(text) {
  let count = 0;
  let at = textIndexOf(text, '\n');
  for (; at >= 0; at = textIndexOf(text, '\n', at + 1)) count += 1;
  return count;
}

/** @returns {{ url, line, column, map } | undefined} of its first character */
function placeOf(fn, source, isMethod, native) {
  const found = native.placeOf(fn);
  const url = urlOf(found?.[0]);
  if (url === undefined) return undefined;
  const before = beforeParameters(source, isMethod);
  const line = found[1] - countLines(before);
  // The column is unknown for a function that begins on a line before.
  const column = lastIndexOf(before, '\n') < 0 ? found[2] - before.length : 0;
  if (line < 0 || column < 0 || line + column > MAX_PADDING) return undefined;
  return { url, line, column, map: found[3] };
}

/** The map's URL makes sense in the file of the function only. */
function mapComment(map, url) {
  if (typeof map !== 'string' || map === '') return '';
  try {
    return `\n//# sourceMappingURL=${new URL(map, url).href}`;
  } catch {
    return '';
  }
}

// The lines above are code that never runs, with a place to stop at on each: a
// breakpoint there would be moved to the function otherwise. By padding and no
// offset, because debuggers read a source map from the beginning of the text,
// and V8 ignores offsets where there is a sourceURL. What makes an expression
// of the source stands above it, but for a `return`, which would end there.
function padded(expression, at, { line, column }) {
  const head = substring(expression, 0, at);
  if (line === 0) return repeat(' ', max(0, column - at)) + expression;
  const above = `(a=>{a()${repeat('\na()', line - 1)}});`;
  const rest = substring(expression, at);
  return textIncludes(head, 'return')
    ? `${above}\n${repeat(' ', max(0, column - at))}${expression}`
    : `${above}${head}\n${repeat(' ', column)}${rest}`;
}

/**
 * @param {Function} fn
 * @param {string} expression what evaluates to it, see `functionSource`
 * @param {object} native `placeOf(fn)`: see binding/function_place.h
 * @returns {string} the same at the function's place; the expression itself
 *   for a function of no file, and where nobody knows
 */
function inItsFile(fn, expression, native) {
  try {
    const source = sourceOf(fn);
    const at = max(0, textIndexOf(expression, source));
    // The object around a method was made for it.
    const isMethod = charCodeAt(expression, at - 1) === BRACE;
    const place = placeOf(fn, source, isMethod, native);
    if (place === undefined) return expression;
    const map = mapComment(place.map, place.url);
    return `${padded(expression, at, place)}${map}\n//# sourceURL=${place.url}`;
  } catch {
    return expression;
  }
}

module.exports = { inItsFile };
