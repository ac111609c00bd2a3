'use strict';
// The variables of `process.env`, which keeps texts alone, as an environment of
// the system does.

const { nativeError } = require('../globals/lib/node-error.js');

const FORM = 'configurable, writable, and enumerable data';

const refusal = (text) =>
  nativeError(TypeError, 'ERR_INVALID_OBJECT_DEFINE_PROPERTY', text);

function put(variables, name, value) {
  Object.defineProperty(variables, `${name}`, {
    value: `${value}`,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  return true;
}

const HANDLER = {
  __proto__: null,
  set: (variables, name, value) => put(variables, name, value),
  defineProperty(variables, name, descriptor) {
    const { value, get, set, ...flags } = descriptor;
    if (get !== undefined || set !== undefined) {
      throw refusal(
        "'process.env' does not accept an accessor(getter/setter) descriptor",
      );
    }
    const { configurable, writable, enumerable } = flags;
    if (!('value' in descriptor && configurable && writable && enumerable)) {
      throw refusal(`'process.env' only accepts a ${FORM} descriptor`);
    }
    return put(variables, name, value);
  },
  preventExtensions() {
    throw new TypeError('Cannot prevent extensions');
  },
};

const makeEnv = (variables) => new Proxy(variables, HANDLER);

module.exports = { makeEnv };
