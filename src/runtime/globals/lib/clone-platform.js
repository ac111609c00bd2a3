'use strict';

// Structured clone of the objects that this runtime adds.

/* global load */
const { INTERFACES } = require('../names.js');
const { nativeError } = require('./node-error.js');
const { since } = require('./versions.js');

const { getPrototypeOf } = Object;

const TRANSFERABLE = new Set([
  'MessageChannel',
  'MessagePort',
  'ReadableStream',
  'TransformStream',
  'WritableStream',
]);
// All others have their own properties copied, as in Node.
const UNCLONEABLE = new Set(
  [
    ['CloseEvent', 'ErrorEvent', 'PromiseRejectionEvent', 'URLPattern'],
    since(22) ? ['FormData', 'Headers', 'MessageEvent', 'Request'] : [],
    since(22) ? ['Response', 'URL', 'URLSearchParams'] : [],
  ].flat(),
);
const NO_INTERFACES = new Set(['node:buffer', 'node:console', 'node:process']);
const BUNDLES = Object.keys(INTERFACES).filter(
  (name) => !NO_INTERFACES.has(name),
);

const known = new Map();

// Prototypes of the interfaces of a bundle that cannot be cloned.
function refusedOf(bundle) {
  const exports = load.loaded(bundle);
  if (exports === undefined) return undefined;
  let names = known.get(bundle);
  if (names === undefined) {
    names = new Map();
    for (const name of INTERFACES[bundle]) {
      if (!TRANSFERABLE.has(name) && !UNCLONEABLE.has(name)) continue;
      names.set(exports[name].prototype, name);
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

// A port that is closed cannot be transferred either.
function isClosed(value) {
  const messaging = load.loaded('messaging');
  return messaging?.isPort(value) && !messaging.isTransferablePort(value);
}

function unsupported(dataCloneError, verb = 'clone') {
  return dataCloneError(`Cannot ${verb} object of unsupported type.`);
}

function untransferred(value, dataCloneError) {
  if (isClosed(value)) {
    return unsupported(dataCloneError, since(22) ? 'clone' : 'transfer');
  }
  const message =
    'Object that needs transfer was found in message but not listed in transferList';
  if (since(22)) return dataCloneError(message);
  const code = 'ERR_MISSING_TRANSFERABLE_IN_TRANSFER_LIST';
  return nativeError(TypeError, code, message);
}

/**
 * The kinds of objects to search for in a cloned value. There are none while
 * their bundles are not loaded.
 *
 * @param {(message: string) => Error} dataCloneError
 * @returns {undefined | { cloneOf: Function, refuse: Function }}
 */
function platform(dataCloneError) {
  const refused = BUNDLES.map(refusedOf).filter((names) => names?.size > 0);
  const keys = load.loaded('keys');
  const events = load.loaded('events');
  const blob = load.loaded('blob');
  const subtle = load.loaded('subtle');
  const copied = [keys, events, blob, subtle];
  if (refused.length === 0 && copied.every((one) => one === undefined)) {
    return undefined;
  }
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
          throw TRANSFERABLE.has(name)
            ? untransferred(value, dataCloneError)
            : unsupported(dataCloneError);
        }
        prototype = getPrototypeOf(prototype);
      }
    },
  };
}

module.exports = { platform };
