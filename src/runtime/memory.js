'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Tells the memory limit
// of what V8 reserves without asking its allocator (isolate/growable_memory.h):
// wraps what makes or grows resizable buffers; wasm-memory.js does the same for
// WebAssembly. Pages that nobody has written to cost nothing, so to look right
// after each step is early enough.
const { grown } = native;
const { apply, construct } = Reflect;
const {
  defineProperties,
  defineProperty,
  getOwnPropertyDescriptor,
  getOwnPropertyDescriptors,
} = Object;
const uncurry = Function.prototype.call.bind.bind(Function.prototype.call);
const setAdd = uncurry(WeakSet.prototype.add);
const setHas = uncurry(WeakSet.prototype.has);
const global = globalThis;

const known = new WeakSet();

/** `bufferOf`: of a WebAssembly memory, the getter of such memories' buffer. */
function check(object, bufferOf) {
  const old = setHas(known, object);
  if (!old) setAdd(known, object);
  if (!grown(object, old, bufferOf)) return;
  // Nothing runs after this: the loop's first check ends it.
  for (;;) {}
}

/** The same function to user code, with `replacement` inside. */
function disguise(replacement, original) {
  const copy = (key) =>
    defineProperty(replacement, key, getOwnPropertyDescriptor(original, key));
  copy('name');
  copy('length');
  return replacement;
}

function wrapMethod(holder, key, make) {
  const found = getOwnPropertyDescriptor(holder, key);
  if (found === undefined) return;
  found.value = disguise(make(found.value), found.value);
  defineProperty(holder, key, found);
}

function wrapGrowing(prototype, key) {
  wrapMethod(
    prototype,
    key,
    (original) =>
      ({
        [key](...args) {
          const result = apply(original, this, args);
          check(this);
          return result;
        },
      })[key],
  );
}

// `Wrapped` stands for `Original` everywhere, `constructor` included.
function replaceConstructor(holder, Original, Wrapped) {
  const { prototype, ...statics } = getOwnPropertyDescriptors(Original);
  defineProperties(Wrapped, statics);
  defineProperty(Wrapped, 'prototype', prototype);
  const replace = (object, key) => {
    const found = getOwnPropertyDescriptor(object, key);
    found.value = Wrapped;
    defineProperty(object, key, found);
  };
  replace(holder, Original.name);
  replace(Original.prototype, 'constructor');
}

function wrapBuffer(Original, growing) {
  function Wrapped(length, settings) {
    if (settings === undefined && new.target === Wrapped) {
      return new Original(length);
    }
    if (new.target === undefined) return Original(length);
    const made = construct(
      Original,
      [length, settings],
      new.target === Wrapped ? Original : new.target,
    );
    if (settings !== undefined) check(made);
    return made;
  }
  wrapGrowing(Original.prototype, growing);
  replaceConstructor(global, Original, Wrapped);
}

wrapBuffer(ArrayBuffer, 'resize');
wrapBuffer(SharedArrayBuffer, 'grow');

runtime.memory = { check, replaceConstructor, wrapGrowing, wrapMethod };
