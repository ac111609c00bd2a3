'use strict';

// What node-inspect-extracted takes from Node's internals, answered by V8
// through the host. Its constants are its own agreement with itself.

/* global host */
const ALL_PROPERTIES = 0;
const ONLY_ENUMERABLE = 2;
const kPending = 0;
const kRejected = 2;
const MAX_INDEX = 2 ** 32 - 2;
const index = /^(?:0|[1-9]\d*)$/;
const test = RegExp.prototype.test.bind(index);
const { getOwnPropertyDescriptor, getPrototypeOf, hasOwn } = Object;
const { ownKeys } = Reflect;

function getOwnNonIndexProperties(value, filter = ONLY_ENUMERABLE) {
  return ownKeys(value).filter((key) => {
    if (typeof key === 'string' && test(key) && Number(key) <= MAX_INDEX) {
      return false;
    }
    if (filter === ALL_PROPERTIES) return true;
    return getOwnPropertyDescriptor(value, key)?.enumerable === true;
  });
}

// V8's own idea of the class, for objects whose prototype chain names none.
function getConstructorName(value) {
  for (let holder = value; holder !== null; holder = getPrototypeOf(holder)) {
    const constructor = getOwnPropertyDescriptor(holder, 'constructor');
    if (constructor && hasOwn(constructor, 'value')) {
      const name = constructor.value?.name;
      if (typeof name === 'string' && name !== '') return name;
    }
  }
  return Object.prototype.toString.call(value).slice(8, -1);
}

// A proxy comes as [target, handler]; only the target unless both are wanted.
function getProxyDetails(value, both = true) {
  const details = host.proxyDetails(value);
  if (details === undefined || both) return details;
  return details[0];
}

function previewEntries(value, isIterator = false) {
  const [entries, isKeyValue] = host.previewEntries(value);
  return isIterator ? [entries, isKeyValue] : entries;
}

module.exports = {
  constants: { ALL_PROPERTIES, ONLY_ENUMERABLE, kPending, kRejected },
  Proxy,
  getConstructorName,
  getExternalValue: () => 0n,
  getOwnNonIndexProperties,
  getPromiseDetails: (promise) => host.promiseState(promise),
  getProxyDetails,
  previewEntries,
};
