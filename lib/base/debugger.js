'use strict';
// Whether functions may be looked at by a debugger, of Node or ours. Loading `node:inspector`
// takes as long as starting a worker does, so it is loaded by nobody but who
// opened it: the command line, or a program that has loaded it itself.

const { includes } = require('./primordials.js');
const { endsWord, isSpace } = require('./scan.js');

const LISTED = 'NativeModule inspector';
const FLAG = '--inspect';

function isAsked(text = '') {
  let at = text.indexOf(FLAG);
  for (; at >= 0; at = text.indexOf(FLAG, at + 1)) {
    const isFirst = at === 0 || isSpace(text.charCodeAt(at - 1));
    if (isFirst && endsWord(text, at + FLAG.length)) return true;
  }
  return false;
}

// Ours (lib/inspector), opened by this copy of the library.
let hasEndpoint = false;
let inspector = null;
let looked = 0;

// Node's list of what is loaded only grows.
function isLoaded() {
  const { moduleLoadList } = process;
  if (looked === 0) {
    if (isAsked(process.env.NODE_OPTIONS)) return true;
    for (let i = 0; i < process.execArgv.length; i++) {
      if (isAsked(process.execArgv[i])) return true;
    }
  }
  if (moduleLoadList.length === looked) return false;
  looked = moduleLoadList.length;
  return includes(moduleLoadList, LISTED);
}

/**
 * @returns {boolean} Node's inspector is open, so that a debugger may hold this
 *   thread and Node's other ones at any moment. Never throws.
 */
function areThreadsDebugged() {
  try {
    if (inspector === null) {
      if (!isLoaded()) return false;
      inspector = require('node:inspector');
    }
    return inspector.url() !== undefined;
  } catch {
    // A Node without it, or where it was closed to programs.
    return false;
  }
}

// The counts of a function that stands at its place would be those of another
// part of the file, because they go by distances from the text's beginning.
const isCovered = Boolean(process.env.NODE_V8_COVERAGE);

/**
 * @returns {boolean} functions are sent with their place, for one of the two.
 *   Never throws.
 */
const isDebugged = () => !isCovered && (hasEndpoint || areThreadsDebugged());

function setEndpoint(isOpen) {
  hasEndpoint = isOpen;
}

module.exports = { areThreadsDebugged, isDebugged, setEndpoint };
