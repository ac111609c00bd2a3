'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Wraps the functions
// that make or grow memory at their first use (memory.js, wasm-memory.js),
// because most realms never use them. All ways to a growable buffer lead
// through these properties. The same for Atomics.waitAsync (waiting.js).
const { defineLazy, options } = native;
const { need } = runtime;
const OriginalBuffer = ArrayBuffer;
const OriginalShared = SharedArrayBuffer;
// Undefined with --jitless.
const wasm = globalThis.WebAssembly;
const { resize } = OriginalBuffer.prototype;
const { grow } = OriginalShared.prototype;

let WrappedBuffer;
let WrappedShared;

function wrappedBuffer() {
  need('memory');
  WrappedBuffer ??= runtime.memory.wrapConstructor(OriginalBuffer);
  return WrappedBuffer;
}

function wrappedShared() {
  need('memory');
  WrappedShared ??= runtime.memory.wrapConstructor(OriginalShared);
  return WrappedShared;
}

function wrappedGrowing(original) {
  need('memory');
  return runtime.memory.wrapGrowing(original);
}

function ofGlobal(name) {
  if (name === 'ArrayBuffer') return wrappedBuffer();
  if (name === 'SharedArrayBuffer') return wrappedShared();
  need('wasm-memory');
  runtime.wrapWebAssembly(wasm);
  return wasm;
}

const globals = ['ArrayBuffer', 'SharedArrayBuffer', 'WebAssembly'];
if (options.allowWasm === false || wasm === undefined) globals.length = 2;
defineLazy(globalThis, globals, false, ofGlobal);
defineLazy(
  OriginalBuffer.prototype,
  ['constructor', 'resize'],
  false,
  (name) => (name === 'resize' ? wrappedGrowing(resize) : wrappedBuffer()),
);
defineLazy(OriginalShared.prototype, ['constructor', 'grow'], false, (name) =>
  name === 'grow' ? wrappedGrowing(grow) : wrappedShared(),
);
const { waitAsync } = Atomics;
defineLazy(Atomics, ['waitAsync'], false, () => {
  need('waiting');
  return runtime.wrapWaitAsync(waitAsync);
});
