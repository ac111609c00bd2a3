'use strict';

// Structured clone of the objects that this runtime adds.

/* global load */
const { INTERFACES } = require('../names.js');

const { getPrototypeOf } = Object;

const SERIALIZABLE = new Set([
  'Blob',
  'CryptoKey',
  'DOMException',
  'File',
  'QuotaExceededError',
]);
const NO_INTERFACES = new Set(['node:buffer', 'node:console', 'node:process']);
const BUNDLES = Object.keys(INTERFACES).filter(
  (name) => !NO_INTERFACES.has(name),
);

const known = new Map();

// Prototypes of the interfaces of a bundle that cannot be cloned; V8 would copy
// the properties of such an object.
function refusedOf(bundle) {
  const exports = load.loaded(bundle);
  if (exports === undefined) return undefined;
  let names = known.get(bundle);
  if (names === undefined) {
    names = new Map();
    for (const name of INTERFACES[bundle]) {
      if (!SERIALIZABLE.has(name)) names.set(exports[name].prototype, name);
    }
    known.set(bundle, names);
  }
  return names;
}

function cloneException(value, { DOMException, QuotaExceededError }) {
  const copy =
    value instanceof QuotaExceededError
      ? new QuotaExceededError(value.message, {
          quota: value.quota ?? undefined,
          requested: value.requested ?? undefined,
        })
      : new DOMException(value.message, value.name);
  Object.defineProperty(copy, 'stack', {
    value: `${value.stack}`,
    writable: true,
    configurable: true,
  });
  return copy;
}

/**
 * The kinds of objects to search for in a cloned value. There are none while
 * their bundles are not loaded.
 *
 * @param {(message: string) => Error} dataCloneError
 * @returns {undefined | { cloneOf: Function, refuse: Function }}
 */
function platform(dataCloneError) {
  const refused = BUNDLES.map(refusedOf).filter((names) => names !== undefined);
  const keys = load.loaded('keys');
  if (refused.length === 0 && keys === undefined) return undefined;
  const events = load.loaded('events');
  const blob = load.loaded('blob');
  const subtle = load.loaded('subtle');
  return {
    /** How a serializable object is cloned; undefined for all others. */
    cloneOf(value) {
      if (events?.isException(value)) {
        return () => cloneException(value, events);
      }
      if (blob?.isBlob(value)) return () => blob.cloneBlob(value);
      if (subtle?.isKey(value)) return () => subtle.copyKey(value);
      if (keys?.isKeyObject(value)) return () => keys.cloneKeyObject(value);
      return undefined;
    },

    refuse(value) {
      let prototype = getPrototypeOf(value);
      while (prototype !== null) {
        for (const names of refused) {
          const name = names.get(prototype);
          if (name === undefined) continue;
          throw dataCloneError('Cannot clone object of unsupported type.');
        }
        prototype = getPrototypeOf(prototype);
      }
    },
  };
}

module.exports = { platform };
