'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Tells the memory limit
// of what V8 reserves without asking its allocator (isolate/growable_memory.h):
// wraps what makes or grows resizable buffers; wasm-memory.js does the same for
// WebAssembly. Pages that nobody has written to cost nothing, so to look right
// after each step is early enough.
const { defineLazy, grown } = native;
const { apply, construct, ownKeys } = Reflect;
const { defineProperty, getOwnPropertyDescriptor } = Object;
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
  const keys = ownKeys(Original);
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

// When they are touched: most realms never do, and no way to a buffer that can
// grow leads around these properties.
function wrapBuffer(Original, growing) {
  const { name, prototype } = Original;
  const original = prototype[growing];
  let Wrapped;
  const wrapped = () => {
    Wrapped ??= wrapConstructor(Original);
    return Wrapped;
  };
  defineLazy(global, [name], false, wrapped);
  defineLazy(prototype, ['constructor'], false, wrapped);
  if (original === undefined) return;
  defineLazy(prototype, [growing], false, () => wrapGrowing(original));
}

wrapBuffer(ArrayBuffer, 'resize');
wrapBuffer(SharedArrayBuffer, 'grow');

runtime.memory = { check, replaceConstructor, wrapMethod };
