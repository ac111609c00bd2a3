'use strict';

// Maps each bundle of src/runtime/globals, or module of Node's library, to the
// globals it provides.

// bundle -> its globals that are not enumerable (interfaces and namespaces).
const INTERFACES = {
  events: [
    'AbortController',
    'AbortSignal',
    'CloseEvent',
    'CustomEvent',
    'DOMException',
    'ErrorEvent',
    'Event',
    'EventTarget',
    'MessageEvent',
    'PromiseRejectionEvent',
    'QuotaExceededError',
  ],
  'internal/url': ['URL', 'URLSearchParams'],
  urlpattern: ['URLPattern'],
  'internal/encoding': ['TextDecoder', 'TextEncoder'],
  'internal/webstreams/compression': [
    'CompressionStream',
    'DecompressionStream',
  ],
  'internal/webstreams/encoding': ['TextDecoderStream', 'TextEncoderStream'],
  'internal/webstreams/queuingstrategies': [
    'ByteLengthQueuingStrategy',
    'CountQueuingStrategy',
  ],
  'internal/webstreams/readablestream': [
    'ReadableByteStreamController',
    'ReadableStream',
    'ReadableStreamBYOBReader',
    'ReadableStreamBYOBRequest',
    'ReadableStreamDefaultController',
    'ReadableStreamDefaultReader',
  ],
  'internal/webstreams/transformstream': [
    'TransformStream',
    'TransformStreamDefaultController',
  ],
  'internal/webstreams/writablestream': [
    'WritableStream',
    'WritableStreamDefaultController',
    'WritableStreamDefaultWriter',
  ],
  blob: ['Blob', 'File'],
  fetch: ['FormData', 'Headers', 'Request', 'Response'],
  messaging: ['MessageChannel', 'MessagePort'],
  performance: [
    'Performance',
    'PerformanceEntry',
    'PerformanceMark',
    'PerformanceMeasure',
    'PerformanceObserver',
    'PerformanceObserverEntryList',
    'PerformanceResourceTiming',
  ],
  crypto: ['Crypto', 'SubtleCrypto'],
  subtle: ['CryptoKey'],
  navigator: ['Navigator'],
  'node:console': ['console'],
  'node:buffer': ['Buffer'],
  'node:process': ['process'],
};

// bundle -> its enumerable globals (functions and instances).
const OPERATIONS = {
  timers: [
    'clearImmediate',
    'clearInterval',
    'clearTimeout',
    'queueMicrotask',
    'setImmediate',
    'setInterval',
    'setTimeout',
  ],
  'node:buffer': ['atob', 'btoa'],
  clone: ['structuredClone'],
  crypto: ['crypto'],
  navigator: ['navigator'],
  performance: ['performance'],
  report: ['reportError'],
  'global-events': ['addEventListener', 'dispatchEvent', 'removeEventListener'],
};

module.exports = { INTERFACES, OPERATIONS };
