'use strict';
// Modules of Node's library that are ours in an isolate: those that speak to
// Node's own process, and those that other bundles provide. A function each,
// of the library's `require`, that gives the exports.

/* global load */

// The flags that Node was started with have no meaning in here.
const OPTIONS = { __proto__: null, '--stack-trace-limit': 10 };

const OWN = {
  __proto__: null,
  buffer: () => load('node:buffer'),
  'internal/bootstrap/realm': () => ({
    BuiltinModule: {
      exists: (id) => load('library').exists(id),
      canBeRequiredByUsers: (id) => load('library').isPublic(id),
    },
  }),
  'internal/crypto/keys': () => ({
    isCryptoKey: (value) => load.loaded('subtle')?.isKey(value) === true,
    isKeyObject(value) {
      const crypto = load.loaded('node:crypto');
      return crypto !== undefined && value instanceof crypto.KeyObject;
    },
  }),
  'internal/options': () => ({
    getAllowUnauthorized: () => false,
    getEmbedderOptions: () => ({}),
    getOptionValue: (name) => OPTIONS[name],
    refreshOptions() {},
  }),
  // Only its class is needed to find out that something is no URL.
  'internal/url': () => ({
    get URL() {
      return load('url').URL;
    },
    pathToFileURL: (path) => load('node:url').pathToFileURL(path),
  }),
  // The realm is made of no snapshot.
  'internal/v8/startup_snapshot': () => ({
    addAfterUserSerializeDeserializeSnapshot() {},
    addDeserializeCallback() {},
    addSerializeCallback() {},
    isBuildingSnapshot: () => false,
    namespace: { isBuildingSnapshot: () => false },
  }),
  util: () => load('node:util'),
};

module.exports = { OWN };
