'use strict';
// Options that may stand without a value.

const { COVERAGE } = require('./coverage.js');
const { INSPECT } = require('./inspect.js');

const DEFAULTS = new Map(
  [...INSPECT, COVERAGE].map(({ flag, value }) => [flag, value]),
);

/**
 * Gives those without a value their default, because commander would take the
 * next argument for it.
 *
 * @param {string[]} args
 * @returns {string[]}
 */
function withDefaults(args) {
  const end = args.indexOf('--');
  return args.map((arg, at) => {
    const isOption = DEFAULTS.has(arg) && (end < 0 || at < end);
    return isOption ? `${arg}=${DEFAULTS.get(arg)}` : arg;
  });
}

module.exports = { withDefaults };
