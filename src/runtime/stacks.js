'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. What V8 asks when the
// stack of an error is read for the first time.
const { getPrototypeOf } = Object;
const { apply } = Reflect;
const uncurry = Function.prototype.call.bind.bind(Function.prototype.call);
const startsWith = uncurry(String.prototype.startsWith);
const headerOf = uncurry(Error.prototype.toString);
const RealmError = Error;

// Every script of ours has such a name (isolate/embedded_js.h).
const OWN = 'sloppy:src/runtime/gen/';

// CallSite has no name in the language: its methods are taken from the first.
let callSite = null;

function learn(site) {
  const { getFileName, getLineNumber, isAsync, toString } =
    getPrototypeOf(site);
  callSite = {
    __proto__: null,
    fileOf: uncurry(getFileName),
    lineOf: uncurry(getLineNumber),
    isAsync: uncurry(isAsync),
    textOf: uncurry(toString),
  };
}

/**
 * Without our own frames, and those of built-ins that we called.
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
    if (typeof file === 'string' && startsWith(file, OWN)) {
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
    // What eval made has lines.
    callSite.lineOf(site) == null &&
    !callSite.isAsync(site)
  );
}

function header(error) {
  try {
    return headerOf(error);
  } catch {
    return '<error>';
  }
}

/** As V8 does it itself, `Error.prepareStackTrace` included. */
runtime.formatStack = (error, sites) => {
  const frames = usersFrames(sites);
  const { prepareStackTrace } = RealmError;
  if (typeof prepareStackTrace === 'function') {
    return apply(prepareStackTrace, RealmError, [error, frames]);
  }
  let text = header(error);
  for (let i = 0; i < frames.length; i++) {
    text += `\n    at ${callSite.textOf(frames[i])}`;
  }
  return text;
};
