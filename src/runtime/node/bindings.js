'use strict';
// internalBinding(name) of Node's library: what C++ makes
// (src/isolate/bindings), and what JavaScript can do as well: constants, and
// stand-ins for what an isolate has no use for.

/* global host, load */
const {
  unsupported,
  unsupportedError,
} = require('../globals/lib/unsupported.js');
const { makeContextify } = require('./contextify.js');
const { heapFigures } = require('./heap-figures.js');
const { makeIcu } = require('./icu.js');
const { parseEnv } = require('./parse-env.js');

const nothing = () => {};

// Numbers of Node, of promises, and of V8's PropertyFilter.
const UTIL_CONSTANTS = {
  kPending: 0,
  kFulfilled: 1,
  kRejected: 2,
  kExiting: 0,
  kExitCode: 1,
  kHasExitCode: 2,
  ALL_PROPERTIES: 0,
  ONLY_WRITABLE: 1,
  ONLY_ENUMERABLE: 2,
  ONLY_CONFIGURABLE: 4,
  SKIP_STRINGS: 8,
  SKIP_SYMBOLS: 16,
  kDisallowCloneAndTransfer: 0,
  kTransferable: 1,
  kCloneable: 2,
};

// Classes over libraries that not every platform's Node shows.
const ENGINES = [
  'BrotliDecoder',
  'BrotliEncoder',
  'ZstdCompress',
  'ZstdDecompress',
];

const EXIT_CODES = { kNoFailure: 0, kGenericUserError: 1 };

const Bytes = Uint8Array;
const copyBytes = Function.prototype.call.bind(Bytes.prototype.set);

function copyArrayBuffer(to, toOffset, from, fromOffset, size) {
  copyBytes(new Bytes(to, toOffset, size), new Bytes(from, fromOffset, size));
}

const { call } = Function.prototype;
const codeAt = call.bind(String.prototype.charCodeAt);
const ofBytes = (name) =>
  call.bind(
    Object.getOwnPropertyDescriptor(
      Object.getPrototypeOf(Bytes.prototype),
      name,
    ).get,
  );
const kindOf = ofBytes(Symbol.toStringTag);
const lengthOf = ofBytes('length');

// Units up to which a call of C++ takes longer than JavaScript does.
const SHORT = 24;

/** `write`, with short texts of ASCII written here. */
function writesShortHere(write) {
  return (to, text, offset, length) => {
    if (
      typeof text !== 'string' ||
      text.length > SHORT ||
      !(text.length <= length) ||
      offset >>> 0 !== offset ||
      kindOf(to) !== 'Uint8Array' ||
      offset + text.length > lengthOf(to)
    ) {
      return write(to, text, offset, length);
    }
    for (let at = 0; at < text.length; at += 1) {
      const code = codeAt(text, at);
      if (code > 0x7f) return write(to, text, offset, length);
      to[offset + at] = code;
    }
    return text.length;
  };
}

/** A buffer with its memory; undefined if it cannot be moved. */
function detachArrayBuffer(buffer) {
  try {
    return host.structuredClone(buffer, [buffer]);
  } catch {
    return undefined;
  }
}

// Properties whose value is the export of that name, once it is read.
const defineLazyProperties = (require) => {
  const { defineProperty } = Object;
  return (target, id, keys, enumerable = true) => {
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index];
      const settle = (value) =>
        defineProperty(target, key, {
          __proto__: null,
          value,
          writable: true,
          enumerable,
          configurable: true,
        });
      const { get, set } = {
        get() {
          const value = require(id)[key];
          settle(value);
          return value;
        },
        set: settle,
      };
      for (const accessor of [get, set]) {
        defineProperty(accessor, 'name', { __proto__: null, value: key });
      }
      defineProperty(target, key, {
        __proto__: null,
        get,
        set,
        enumerable,
        configurable: true,
      });
    }
  };
};

// The parser of URLs where Node does not show its own, as on Windows.
function urlLibrary() {
  if (host.process.platform === 'win32') return load('url-natives');
  throw unsupportedError('url', 'URL needs Node 20.9 or newer');
}

function errorMap(rows) {
  const map = new Map();
  for (let at = 0; at < rows.length; at += 3) {
    map.set(rows[at], [rows[at + 1], rows[at + 2]]);
  }
  return map;
}

// Functions that are added to the natives of each name.
const ADDED = {
  __proto__: null,
  // The URLs of blobs, which are ours.
  blob: () => ({
    storeDataObject: (id, blob) => load('blob').storeBlob(id, blob),
    revokeObjectURL: (url) => load('blob').revokeBlob(url),
  }),
  buffer: (_require, natives) => ({
    copyArrayBuffer,
    detachArrayBuffer,
    utf8WriteStatic: writesShortHere(natives.utf8WriteStatic),
  }),
  builtins: () => ({ natives: { __proto__: null }, builtinIds: [] }),
  config: () => ({
    hasIntl: true,
    hasInspector: false,
    hasCrypto: true,
    hasOpenSSL: true,
    noBrowserGlobals: false,
  }),
  constants: (require) => ({
    get zlib() {
      return require('internal/zlib_constants');
    },
    get os() {
      const { signals } = load('node:os').constants;
      return { signals: { __proto__: null, ...signals } };
    },
    trace: {},
  }),
  contextify: makeContextify,
  crypto: () => ({
    getFipsCrypto: () => (load('openssl').openssl.isFips() ? 1 : 0),
  }),
  diagnostics_channel: () => ({
    linkNativeChannel: nothing,
    notifyChannelActive: nothing,
    notifyChannelInactive: nothing,
    subscribers: [],
  }),
  encoding_binding: (_require, natives) =>
    natives.toASCII === undefined
      ? {
          toASCII: (name) => urlLibrary().toASCII(name),
          toUnicode: (name) => urlLibrary().toUnicode(name),
        }
      : {},
  errors: () => ({
    exitCodes: EXIT_CODES,
    triggerUncaughtException: (error) => host.reportError(error),
  }),
  icu: makeIcu,
  messaging: (require) => ({
    get DOMException() {
      return require('internal/per_context/domexception').DOMException;
    },
    structuredClone: (value) => load('clone').structuredClone(value),
  }),
  // No loop of Node's has begun, and nobody is told of collections.
  performance: (require) => ({
    get constants() {
      return require('internal/perf_constants');
    },
    installGarbageCollectionTracking: nothing,
    loopIdleTime: () => 0,
    milestones: new Float64Array(16),
    observerCounts: new Uint32Array(16),
    removeGarbageCollectionTracking: nothing,
    updateGarbageCollectionTracking: nothing,
    setupObservers: nothing,
    uvMetricsBigIntBuffer: new BigInt64Array(3),
    uvMetricsBuffer: new Float64Array(3),
    uvMetricsInfo: () => [0, 0, 0],
  }),
  profiler: () => ({}),
  // The natives give an ArrayBuffer.
  serdes(require, natives) {
    const { prototype } = natives.Serializer;
    const release = call.bind(prototype.releaseBuffer);
    const { releaseBuffer } = {
      releaseBuffer() {
        const { FastBuffer } = require('internal/buffer');
        return new FastBuffer(release(this));
      },
    };
    prototype.releaseBuffer = releaseBuffer;
    return {};
  },
  // Handles of the process's own pipes and sockets, which an isolate has not.
  stream_wrap: () => ({}),
  symbols: () => ({
    messaging_clone_symbol: Symbol('messaging_clone_symbol'),
    messaging_deserialize_symbol: Symbol('messaging_deserialize_symbol'),
    messaging_transfer_symbol: Symbol('messaging_transfer_symbol'),
    messaging_transfer_list_symbol: Symbol('messaging_transfer_list_symbol'),
    vm_context_no_contextify: Symbol('vm_context_no_contextify'),
    vm_dynamic_import_default_internal: Symbol(
      'vm_dynamic_import_default_internal',
    ),
    vm_dynamic_import_main_context_default: Symbol(
      'vm_dynamic_import_main_context_default',
    ),
    vm_dynamic_import_missing_flag: Symbol('vm_dynamic_import_missing_flag'),
    vm_dynamic_import_no_callback: Symbol('vm_dynamic_import_no_callback'),
  }),
  timers: () => ({ getLibuvNow: () => Math.floor(host.nowMs()) }),
  trace_events: () => ({
    getCategoryEnabledBuffer: () => new Uint8Array(1),
    isTraceCategoryEnabled: () => false,
    trace: nothing,
    usePerfetto: false,
  }),
  url: (_require, natives) => (natives.parse === undefined ? urlLibrary() : {}),
  url_pattern: () => ({
    get URLPattern() {
      return load('urlpattern').URLPattern;
    },
  }),
  util: (require) => ({
    parseEnv,
    constants: UTIL_CONSTANTS,
    defineLazyProperties: defineLazyProperties(require),
    guessHandleType: () => 'FILE',
    sleep: nothing,
  }),
  uv: (_require, natives) => {
    const map = errorMap(natives.errors());
    const numbers = {};
    for (const [number, [name]] of map) numbers[`UV_${name}`] = number;
    return {
      ...numbers,
      getErrorMap: () => map,
      getErrorMessage: (number) => map.get(number)?.[1],
    };
  },
  v8: heapFigures,
  zlib(_require, natives) {
    const { setImmediate } = load('timers');
    natives.later.call = (handle) => setImmediate(() => handle.finishWrite());
    const absent = ENGINES.filter((name) => natives[name] === undefined);
    return Object.fromEntries(
      absent.map((name) => [name, unsupported('zlib', name)]),
    );
  },
};

/**
 * @param {(id: string) => object} require of Node's library
 * @returns {(name: string) => object}
 */
function makeBindings(require) {
  const made = { __proto__: null };
  return (name) => {
    if (made[name] !== undefined) return made[name];
    const natives = host.binding(name);
    const add = ADDED[name];
    if (natives === undefined && add === undefined) {
      throw new Error(`No such binding: ${name}`);
    }
    const binding = natives ?? { __proto__: null };
    if (add !== undefined) {
      Object.defineProperties(
        binding,
        Object.getOwnPropertyDescriptors(add(require, binding)),
      );
    }
    made[name] = binding;
    return binding;
  };
}

module.exports = { makeBindings };
