'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Reports memory that V8
// reserves without its allocator to the memory limit
// (isolate/growable_memory.h): wraps the functions that make or grow resizable
// buffers; wasm-memory.js does the same for WebAssembly. A check right after
// each call is early enough, because untouched pages cost nothing.
const {
  RealmWeakSet,
  allKeys,
  apply,
  construct,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  setPrototypeOf,
  uncurry,
  weakSetAdd,
  weakSetHas,
} = require('./primordials.js');

const { grown } = runtime.rare();
const setAdd = uncurry(weakSetAdd);
const setHas = uncurry(weakSetHas);
const known = new RealmWeakSet();

/** `bufferOf`: the getter of a WebAssembly memory's buffer. */
function check(object, bufferOf) {
  const old = setHas(known, object);
  if (!old) setAdd(known, object);
  if (!grown(object, old, bufferOf)) return;
  // Stops here: the loop's first interrupt check ends the realm.
  for (;;) {}
}

// Uses no prototype, because wrapping happens at first use, when user code may
// have changed `Object.prototype`.
function descriptorOf(object, key) {
  return { __proto__: null, ...getOwnPropertyDescriptor(object, key) };
}

/** Makes `replacement` look like `original` to user code. */
function disguise(replacement, original) {
  const copy = (key) =>
    defineProperty(replacement, key, descriptorOf(original, key));
  copy('name');
  copy('length');
  // That of its context, which may be one of node:vm.
  setPrototypeOf(replacement, getPrototypeOf(original));
  return replacement;
}

function replaceValue(holder, key, value) {
  const found = descriptorOf(holder, key);
  found.value = value;
  defineProperty(holder, key, found);
}

function wrapMethod(holder, key, make) {
  const original = holder[key];
  if (original === undefined) return;
  replaceValue(holder, key, disguise(make(original), original));
}

function wrapGrowing(original) {
  const wrapped = {
    [original.name](...args) {
      const result = apply(original, this, args);
      check(this);
      return result;
    },
  };
  return disguise(wrapped[original.name], original);
}

/** Gives `Wrapped` the prototype and the own properties of `Original`. */
function standIn(Original, Wrapped) {
  setPrototypeOf(Wrapped, getPrototypeOf(Original));
  const keys = allKeys(Original);
  for (let i = 0; i < keys.length; i++) {
    defineProperty(Wrapped, keys[i], descriptorOf(Original, keys[i]));
  }
  return Wrapped;
}

// Replaces `Original` by `Wrapped` everywhere, `constructor` included.
function replaceConstructor(holder, Original, Wrapped) {
  standIn(Original, Wrapped);
  replaceValue(holder, Original.name, Wrapped);
  replaceValue(Original.prototype, 'constructor', Wrapped);
}

function wrapConstructor(Original) {
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
  return standIn(Original, Wrapped);
}

runtime.memory = {
  check,
  disguise,
  replaceConstructor,
  wrapConstructor,
  wrapGrowing,
  wrapMethod,
};
