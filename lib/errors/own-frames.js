'use strict';
// Code in Node's threads and processes is called by JavaScript of this library,
// whose frames say nothing to those who read a stack.

const { dirname, join, sep } = require('node:path');

const { substring, textIndexOf } = require('../protocol/codec/captured.js');

const root = dirname(dirname(__dirname));
const folders = [join(root, 'lib') + sep, join(root, 'src', 'runtime') + sep];
const NODES = ' (node:internal/';

function isOwn(line) {
  return (
    textIndexOf(line, folders[0]) >= 0 || textIndexOf(line, folders[1]) >= 0
  );
}

const isNodes = (line) =>
  textIndexOf(line, NODES) >= 0 || textIndexOf(line, 'at node:internal/') >= 0;

/**
 * Takes away the frames at the end of a stack that begin with one of this
 * library, with those of Node that called it. Frames of ours that user code has
 * called stay, because they say what it called.
 *
 * @param {string} stack
 * @returns {string}
 */
function withoutCallers(stack) {
  let last = stack.length;
  let cut = -1;
  for (;;) {
    const at = lineBefore(stack, last);
    if (at < 0) break;
    const line = substring(stack, at, last);
    if (isOwn(line)) cut = at;
    else if (!isNodes(line)) break;
    last = at;
  }
  return cut < 0 ? stack : substring(stack, 0, cut);
}

/** @returns {number} where the break before the last line begins, -1 if none */
function lineBefore(text, end) {
  for (let at = end - 1; at >= 0; at--) if (text[at] === '\n') return at;
  return -1;
}

module.exports = { withoutCallers };
