'use strict';

// Jest's jsdom environment has none: Node's own is in the context around it.
const structuredClone =
  globalThis.structuredClone ??
  require('node:vm').runInThisContext('structuredClone');

module.exports = { structuredClone };
