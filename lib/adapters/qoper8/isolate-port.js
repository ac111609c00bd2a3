'use strict';

// An isolate's port by its global names, which are there without a module.
const { close, postMessage } = globalThis;

const parentPort = {
  postMessage,
  close,
  on(_message, listener) {
    globalThis.onmessage = ({ data }) => listener(data);
    // Handlers may use the name as any other from here on.
    Object.defineProperty(globalThis, 'onmessage', {
      value: null,
      writable: true,
      enumerable: false,
      configurable: true,
    });
  },
};

module.exports = { parentPort };
