'use strict';
// The conditions that this thread's Node was started with: `node -C custom`.
// Node tells nobody which they are, so that its options have to be read again.

const NAMES = ['-C', '--conditions'];
const EQUALS = '--conditions=';

/** @returns {string[]} as Node takes NODE_OPTIONS apart */
function optionsOf(text) {
  const options = [];
  let option = '';
  let isQuoted = false;
  let hasBegun = false;
  for (let i = 0; i < text.length; i += 1) {
    let c = text[i];
    if (c === ' ' && !isQuoted) {
      if (hasBegun) options.push(option);
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
  if (hasBegun) options.push(option);
  return options;
}

function addTo(found, options) {
  for (let i = 0; i < options.length; i += 1) {
    const option = options[i];
    if (option.startsWith(EQUALS)) found.add(option.slice(EQUALS.length));
    else if (NAMES.includes(option) && i + 1 < options.length) {
      i += 1;
      found.add(options[i]);
    }
  }
}

/**
 * @param {string[]} execArgv of this thread
 * @param {string | undefined} nodeOptions the variable NODE_OPTIONS
 * @returns {string[]} each once
 */
function resolveConditions(execArgv, nodeOptions) {
  const found = new Set();
  addTo(found, optionsOf(nodeOptions ?? ''));
  addTo(found, execArgv);
  return [...found];
}

module.exports = { resolveConditions };
