'use strict';
// The built-ins that the codec uses, captured when it is loaded, so that code
// which later replaces prototypes neither breaks nor observes it.

const { defineProperty, getPrototypeOf, setPrototypeOf } = Object;
const uncurry = Function.prototype.call.bind.bind(Function.prototype.call);
const lookupGetter = uncurry(Object.prototype.__lookupGetter__);
const getter = (prototype, name) => uncurry(lookupGetter(prototype, name));
const TypedArray = getPrototypeOf(Uint8Array);

// An array whose elements no setter on a prototype can intercept.
function list() {
  return setPrototypeOf([], null);
}

// True where a prototype of arrays has elements: assigning to a hole would then
// call a setter there. The engine knows it without a search; no other check is
// as cheap and complete.
const unfilled = [];
function isOverlaid(index) {
  return index in unfilled;
}

// Assigns an element even if a prototype has an accessor for it.
function defineElement(array, index, value) {
  defineProperty(array, index, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function append(to, value) {
  to[to.length] = value;
  return to.length - 1;
}

const ownKeys = Object.keys;
const hasOwn = Object.hasOwn;
// The engine skips this call where it enumerates the keys itself.
const hasOwnProperty = uncurry(Object.prototype.hasOwnProperty);
const ObjectPrototype = Object.prototype;
const isArray = Array.isArray;
const isView = ArrayBuffer.isView;
const isFinite = Number.isFinite;
const stringify = JSON.stringify;
const charCodeAt = uncurry(String.prototype.charCodeAt);
const substring = uncurry(String.prototype.substring);
const textIndexOf = uncurry(String.prototype.indexOf);
const mapGet = uncurry(Map.prototype.get);
const mapSet = uncurry(Map.prototype.set);
const mapForEach = uncurry(Map.prototype.forEach);
const setForEach = uncurry(Set.prototype.forEach);
const setHas = uncurry(Set.prototype.has);
const setAdd = uncurry(Set.prototype.add);
const indexOf = uncurry(Array.prototype.indexOf);
const join = uncurry(Array.prototype.join);
const viewSet = uncurry(TypedArray.prototype.set);
const viewTag = getter(TypedArray.prototype, Symbol.toStringTag);
const viewBuffer = getter(TypedArray.prototype, 'buffer');
const viewOffset = getter(TypedArray.prototype, 'byteOffset');
const viewLength = getter(TypedArray.prototype, 'length');
const viewKeys = uncurry(TypedArray.prototype.keys);
const viewBytes = getter(TypedArray.prototype, 'byteLength');
const dataViewBuffer = getter(DataView.prototype, 'buffer');
const dataViewOffset = getter(DataView.prototype, 'byteOffset');
const dataViewBytes = getter(DataView.prototype, 'byteLength');
const bufferBytes = getter(ArrayBuffer.prototype, 'byteLength');
const sharedBytes = getter(SharedArrayBuffer.prototype, 'byteLength');
const Octets = Uint8Array;
const TO_STRING_TAG = Symbol.toStringTag;

// The bytes that a view shows, in its own memory.
function octetsOf(view) {
  return viewTag(view) === undefined
    ? new Octets(
        dataViewBuffer(view),
        dataViewOffset(view),
        dataViewBytes(view),
      )
    : new Octets(viewBuffer(view), viewOffset(view), viewBytes(view));
}

const CodecArray = Array;
const CodecMap = Map;
const CodecSet = Set;
const Float64 = Float64Array;

module.exports = {
  uncurry,
  list,
  append,
  isOverlaid,
  defineElement,
  getPrototypeOf,
  setPrototypeOf,
  ownKeys,
  hasOwn,
  hasOwnProperty,
  ObjectPrototype,
  isArray,
  isView,
  isFinite,
  stringify,
  charCodeAt,
  substring,
  textIndexOf,
  mapGet,
  mapSet,
  mapForEach,
  setForEach,
  setHas,
  setAdd,
  indexOf,
  join,
  viewSet,
  viewTag,
  viewBuffer,
  viewOffset,
  viewLength,
  viewKeys,
  viewBytes,
  dataViewBuffer,
  dataViewOffset,
  dataViewBytes,
  bufferBytes,
  sharedBytes,
  CodecArray,
  CodecMap,
  CodecSet,
  Float64,
  Octets,
  TO_STRING_TAG,
  octetsOf,
};
