'use strict';
// The conditions that this thread's Node was started with: `node -C custom`.
// Node does not expose them, so its options have to be parsed again.

const { append, substring } = require('../../protocol/codec/captured.js');
const { includes, textStartsWith } = require('../../base/primordials.js');

const NAMES = ['-C', '--conditions'];
const EQUALS = '--conditions=';

/** @returns {string[]} the options in NODE_OPTIONS, split as Node does */
function optionsOf(text) {
  const options = [];
  let option = '';
  let isQuoted = false;
  let hasBegun = false;
  for (let i = 0; i < text.length; i += 1) {
    let c = text[i];
    if (c === ' ' && !isQuoted) {
      if (hasBegun) append(options, option);
      option = '';
      hasBegun = false;
      continue;
    }
    hasBegun = true;
    if (c === '"') {
      isQuoted = !isQuoted;
      continue;
    }
    if (c === '\\' && isQuoted) {
      i += 1;
      c = text[i] ?? '';
    }
    option += c;
  }
  if (hasBegun) append(options, option);
  return options;
}

function addTo(found, options) {
  for (let i = 0; i < options.length; i += 1) {
    const option = options[i];
    let condition;
    if (textStartsWith(option, EQUALS)) {
      condition = substring(option, EQUALS.length);
    } else if (includes(NAMES, option) && i + 1 < options.length) {
      i += 1;
      condition = options[i];
    }
    if (condition !== undefined && !includes(found, condition)) {
      append(found, condition);
    }
  }
}

/**
 * @param {string[]} execArgv of this thread
 * @param {string | undefined} nodeOptions the variable NODE_OPTIONS
 * @returns {string[]} each once
 */
function resolveConditions(execArgv, nodeOptions) {
  const found = [];
  addTo(found, optionsOf(nodeOptions ?? ''));
  addTo(found, execArgv);
  return found;
}

module.exports = { resolveConditions };
