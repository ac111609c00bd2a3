'use strict';

/* global host */

// The numbers that this Node has of its system, which the owner tells.
const { fs, os } = JSON.parse(host.systemNumbers());

/** Numbers as Node makes them: without a prototype, one in the other. */
function bare(numbers) {
  const made = { __proto__: null, ...numbers };
  for (const name of Object.keys(made)) {
    if (typeof made[name] === 'object') made[name] = bare(made[name]);
  }
  return made;
}

module.exports = { fs: bare(fs), os: bare(os) };
