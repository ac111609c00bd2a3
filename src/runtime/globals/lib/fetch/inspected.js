'use strict';

const { inspectSymbol } = require('../webidl.js');

const withOptions = (options, value) =>
  require('sw:library')
    .moduleOf('internal/util/inspect')
    .formatWithOptions(options, value);

/**
 * Shows an instance as Node's library for the Fetch standard does.
 *
 * @param {Function} Class
 * @param {(instance: object, depth: unknown, options: object) => string} show
 */
function inspectable(Class, show) {
  const { [inspectSymbol]: value } = {
    [inspectSymbol](depth, options) {
      return `${Class.name} ${show(this, depth, options)}`;
    },
  };
  Object.defineProperty(Class.prototype, inspectSymbol, {
    value,
    configurable: true,
    writable: true,
  });
}

/** The same with the members of those names, in colours unless told otherwise. */
function inspectableMembers(Class, names) {
  inspectable(Class, (instance, _depth, options) => {
    if (options.depth === null) options.depth = 2;
    options.colors ??= true;
    const shown = {};
    for (const name of names) shown[name] = instance[name];
    return withOptions(options, shown);
  });
}

module.exports = { inspectable, inspectableMembers, withOptions };
