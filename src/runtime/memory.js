'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Tells the memory limit
// of what V8 reserves without asking its allocator (isolate/growable_memory.h):
// wraps what makes or grows resizable buffers; wasm-memory.js does the same for
// WebAssembly. Pages that nobody has written to cost nothing, so to look right
// after each step is early enough.
const {
  RealmWeakSet,
  allKeys,
  apply,
  construct,
  defineProperty,
  getOwnPropertyDescriptor,
  uncurry,
  weakSetAdd,
  weakSetHas,
} = require('./primordials.js');

const { grown } = runtime.rare();
const setAdd = uncurry(weakSetAdd);
const setHas = uncurry(weakSetHas);
const known = new RealmWeakSet();

/** `bufferOf`: of a WebAssembly memory, the getter of such memories' buffer. */
function check(object, bufferOf) {
  const old = setHas(known, object);
  if (!old) setAdd(known, object);
  if (!grown(object, old, bufferOf)) return;
  // Nothing runs after this: the loop's first check ends it.
  for (;;) {}
}

// Wrapping happens when a thing is touched, so user code may have been at
// `Object.prototype` before.
function descriptorOf(object, key) {
  return { __proto__: null, ...getOwnPropertyDescriptor(object, key) };
}

/** The same function to user code, with `replacement` inside. */
function disguise(replacement, original) {
  const copy = (key) =>
    defineProperty(replacement, key, descriptorOf(original, key));
  copy('name');
  copy('length');
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

/** `Wrapped` with all that `Original` has of its own. */
function standIn(Original, Wrapped) {
  const keys = allKeys(Original);
  for (let i = 0; i < keys.length; i++) {
    defineProperty(Wrapped, keys[i], descriptorOf(Original, keys[i]));
  }
  return Wrapped;
}

// `Wrapped` stands for `Original` everywhere, `constructor` included.
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
  replaceConstructor,
  wrapConstructor,
  wrapGrowing,
  wrapMethod,
};
