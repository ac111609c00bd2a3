'use strict';

/* global host */
// The realm's built-ins as they were before user code ran (../loader.js): a
// program may replace them before it imports or requires anything. Nothing in
// this folder calls a method of a string, an array or a map otherwise.
const {
  ERRORS,
  Object: { getPrototypeOf },
  apply,
  charCodeAt,
  defineElement,
  defineProperty,
  hasOwn,
  isArray,
  lastIndexOf,
  ownKeys,
  parse,
  stringify,
  substring,
  textIndexOf,
} = host.builtins;

// In the order of src/runtime/primordials.js.
const errors = {
  __proto__: null,
  Error: ERRORS[0],
  RangeError: ERRORS[2],
  ReferenceError: ERRORS[3],
  SyntaxError: ERRORS[4],
  TypeError: ERRORS[5],
};

/** Adds to an array, whatever a prototype of arrays has. */
const append = (array, value) => defineElement(array, array.length, value);

/** Makes a property as an assignment does where no prototype has a setter. */
function define(object, name, value, enumerable = true) {
  defineProperty(object, name, {
    __proto__: null,
    value,
    enumerable,
    writable: true,
    configurable: true,
  });
  return object;
}

module.exports = {
  append,
  apply,
  charCodeAt,
  define,
  defineProperty,
  errors,
  getPrototypeOf,
  hasOwn,
  isArray,
  lastIndexOf: (text, part) => apply(lastIndexOf, text, [part]),
  ownKeys,
  parse,
  stringify,
  substring,
  textIndexOf,
};
