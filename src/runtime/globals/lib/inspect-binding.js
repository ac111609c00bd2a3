'use strict';

// The functions of Node's internals that node-inspect-extracted uses, answered
// by V8 through the host. Its constants have no meaning outside of it.

/* global host */
const ALL_PROPERTIES = 0;
const ONLY_ENUMERABLE = 2;
const kPending = 0;
const kRejected = 2;
const MAX_INDEX = 2 ** 32 - 2;
const { getOwnPropertyDescriptor, getPrototypeOf, hasOwn } = Object;
const { ownKeys } = Reflect;

function isIndex(key) {
  const number = +key;
  return `${number >>> 0}` === key && number <= MAX_INDEX;
}

function isWanted(value, key, filter) {
  if (typeof key === 'string' && isIndex(key)) return false;
  if (filter === ALL_PROPERTIES) return true;
  return getOwnPropertyDescriptor(value, key)?.enumerable === true;
}

function getOwnNonIndexProperties(value, filter = ONLY_ENUMERABLE) {
  const keys = ownKeys(value);
  const wanted = [];
  for (let at = 0; at < keys.length; at += 1) {
    if (isWanted(value, keys[at], filter)) wanted[wanted.length] = keys[at];
  }
  return wanted;
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
  const preview = host.previewEntries(value);
  return isIterator ? preview : preview[0];
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
