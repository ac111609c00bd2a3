'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Formats the stack of an
// error when it is first read.
const {
  RealmError,
  RealmWeakSet,
  apply,
  errorToText,
  getPrototypeOf,
  lastIndexOf,
  slice,
  startsWith,
  uncurry,
  weakSetAdd,
  weakSetHas,
} = require('./primordials.js');

const errorText = uncurry(errorToText);
const setAdd = uncurry(weakSetAdd);
const setHas = uncurry(weakSetHas);
const textLastIndexOf = uncurry(lastIndexOf);
const textSlice = uncurry(slice);
const textStartsWith = uncurry(startsWith);

// Every script of ours has such a name (isolate/embedded_js.h).
const OWN = 'sloppy:src/runtime/gen/';

// CallSite is not a global, so its methods are taken from the first one.
let callSite = null;

function learn(site) {
  const { getColumnNumber, getFileName, getLineNumber, isAsync, toString } =
    getPrototypeOf(site);
  callSite = {
    __proto__: null,
    columnOf: uncurry(getColumnNumber),
    fileOf: uncurry(getFileName),
    lineOf: uncurry(getLineNumber),
    isAsync: uncurry(isAsync),
    textOf: uncurry(toString),
  };
}

/**
 * Removes our own frames, and those of built-ins that we called.
 *
 * @param {object[]} sites the innermost first
 */
function usersFrames(sites) {
  const shown = [];
  let count = 0;
  for (let i = 0; i < sites.length; i++) {
    const site = sites[i];
    if (callSite === null) learn(site);
    const file = callSite.fileOf(site);
    if (typeof file === 'string' && textStartsWith(file, OWN)) {
      while (count > 0 && isBuiltIn(shown[count - 1])) {
        count -= 1;
        shown.length = count;
      }
      continue;
    }
    shown[count] = site;
    count += 1;
  }
  return shown;
}

function isBuiltIn(site) {
  return (
    callSite.fileOf(site) == null &&
    // Code made by eval has lines.
    callSite.lineOf(site) == null &&
    !callSite.isAsync(site)
  );
}

// `runtime.errorMark` is a symbol that errors of Node's library have, which
// shows their codes (src/runtime/node/realm.js).
function header(error) {
  const { errorMark } = runtime;
  try {
    if (errorMark !== undefined && errorMark in error) {
      return `${error.name} [${error.code}]: ${error.message}`;
    }
    return errorText(error);
  } catch {
    return '<error>';
  }
}

// Errors whose stacks are mapped already, and whether stacks are left unmapped.
// The caller maps the stacks that it gets, except frames of files that were
// transformed here.
let inSources = null;
let leftAsTheyAre = false;

/** Calls `read()` without mapping stacks, which the caller does. */
runtime.unmapped = (read) => {
  const before = leftAsTheyAre;
  leftAsTheyAre = true;
  try {
    return read();
  } finally {
    leftAsTheyAre = before;
  }
};
runtime.isInSources = (error) => inSources !== null && setHas(inSources, error);

/** A frame at its place in the source; undefined if unknown. */
function frameInSource(site) {
  const file = callSite.fileOf(site);
  if (typeof file !== 'string') return undefined;
  const line = callSite.lineOf(site);
  const column = callSite.columnOf(site);
  const place = leftAsTheyAre
    ? runtime.placeBeforeTransform(file, line, column)
    : runtime.placeInSource(file, line, column);
  if (place === '') return undefined;
  const text = callSite.textOf(site);
  const own = `${file}:${line}:${column}`;
  const at = textLastIndexOf(text, own);
  if (at < 0) return undefined;
  return textSlice(text, 0, at) + place + textSlice(text, at + own.length);
}

function framesInSources(error, frames) {
  const texts = [];
  let found = false;
  for (let i = 0; i < frames.length; i++) {
    const mapped = frameInSource(frames[i]);
    found ||= mapped !== undefined;
    texts[i] = mapped ?? callSite.textOf(frames[i]);
  }
  if (found && !leftAsTheyAre) {
    inSources ??= new RealmWeakSet();
    setAdd(inSources, error);
  }
  return texts;
}

/**
 * Makes it as V8 does itself, `Error.prepareStackTrace` included.
 *
 * @param {boolean} hasMaps whether any file of the realm has a source map
 * @param {object} [global] the global object of an error of node:vm's contexts
 */
runtime.formatStack = (error, sites, hasMaps, global) => {
  const frames = usersFrames(sites);
  const ErrorClass = global === undefined ? RealmError : global.Error;
  const prepareStackTrace = ErrorClass?.prepareStackTrace;
  if (typeof prepareStackTrace === 'function') {
    // The function may read a frame's receiver.
    runtime.defineGlobals?.();
    return apply(prepareStackTrace, ErrorClass, [error, frames]);
  }
  let texts;
  if (hasMaps) {
    try {
      texts = framesInSources(error, frames);
    } catch {
      // Formatted without maps.
    }
  }
  let text = header(error);
  for (let i = 0; i < frames.length; i++) {
    text += `\n    at ${texts?.[i] ?? callSite.textOf(frames[i])}`;
  }
  return text;
};
