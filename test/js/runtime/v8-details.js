'use strict';

// What V8 tells an embedder about an object, which Node keeps to itself.
// Needs `node --expose-internals`: the tests that look at promises, proxies
// and iterators start a process of their own for it.

function internals() {
  const { internalBinding } = require('internal/test/binding');
  return internalBinding('util');
}

function promiseState(promise) {
  const [state, result] = internals().getPromiseDetails(promise);
  return [state, result];
}

const proxyDetails = (value) => internals().getProxyDetails(value, true);

function previewEntries(value) {
  const result = internals().previewEntries(value, true);
  return result ?? [[], false];
}

module.exports = { previewEntries, promiseState, proxyDetails };
