'use strict';

// The part of node:util that others are built on; it depends on none of them.

const { format, formatWithOptions, inspect, stripVTControlCharacters } =
  require('sw:library').moduleOf('internal/util/inspect');
const types = require('node:util/types');

const { invalidArgument } = require('./node-error.js');

/** ES5 inheritance, as old packages do it. */
function inherits(constructor, parent) {
  if (typeof constructor !== 'function') {
    throw invalidArgument('ctor', 'of type function', constructor);
  }
  if (typeof parent !== 'function') {
    throw invalidArgument('superCtor', 'of type function', parent);
  }
  if (typeof parent.prototype !== 'object') {
    throw invalidArgument(
      'superCtor.prototype',
      'of type object',
      parent.prototype,
    );
  }
  Object.defineProperty(constructor, 'super_', {
    value: parent,
    writable: true,
    configurable: true,
  });
  Object.setPrototypeOf(constructor.prototype, parent.prototype);
}

module.exports = {
  format,
  formatWithOptions,
  inherits,
  inspect,
  stripVTControlCharacters,
  types,
};
