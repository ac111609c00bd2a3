'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. A context of node:vm has
// built-ins of its own, which make and grow memory as the realm's do. The same
// wrappers stand around them (touched.js), before any code of a job has seen it.
const { defineLazy, options } = native;
const { need } = runtime;

need('memory');
const { replaceConstructor, wrapConstructor, wrapGrowing, wrapMethod } =
  runtime.memory;

function guardBuffers(global, name, growing) {
  const Original = global[name];
  wrapMethod(Original.prototype, growing, wrapGrowing);
  replaceConstructor(global, Original, wrapConstructor(Original));
}

function guardWaiting({ Atomics }) {
  wrapMethod(Atomics, 'waitAsync', (original) => {
    need('waiting');
    return runtime.wrapWaitAsync(original);
  });
}

function guardWasm(global) {
  const { WebAssembly } = global;
  if (options.allowWasm === false) delete global.WebAssembly;
  else if (WebAssembly !== undefined) {
    defineLazy(global, ['WebAssembly'], false, () => {
      need('wasm-memory');
      runtime.wrapWebAssembly(WebAssembly);
      return WebAssembly;
    });
  }
}

// Node has taken it out of the language.
function hideBreakIterator({ Intl }) {
  if (Intl !== undefined) delete Intl.v8BreakIterator;
}

/** @param {object} global of a new context, which nothing stands in front of */
runtime.guardContext = (global) => {
  guardBuffers(global, 'ArrayBuffer', 'resize');
  guardBuffers(global, 'SharedArrayBuffer', 'grow');
  guardWaiting(global);
  guardWasm(global);
  hideBreakIterator(global);
};
