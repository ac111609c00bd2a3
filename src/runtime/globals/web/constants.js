'use strict';

/* global host */
const { since } = require('../lib/versions.js');

// The numbers that this Node has of its system, which the owner tells.
const { fs, os } = JSON.parse(host.systemNumbers());

/** Numbers as Node makes them: without a prototype, groups of them in one. */
function bare(numbers) {
  const made = { __proto__: null };
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value === 'object') made[name] = bare(value);
    else Object.defineProperty(made, name, { value, enumerable: true });
  }
  return made;
}

const made = { fs: bare(fs), os: bare(os) };
if (since(22)) Object.freeze(made.os.signals);

module.exports = made;
