'use strict';
// What the codec takes from its realm, captured when it is loaded, so that
// code which later replaces prototypes neither breaks nor observes it.

const { defineProperty, getPrototypeOf, setPrototypeOf } = Object;
const uncurry = Function.prototype.call.bind.bind(Function.prototype.call);
const getter = (prototype, name) =>
  uncurry(Object.getOwnPropertyDescriptor(prototype, name).get);
const TypedArray = getPrototypeOf(Uint8Array);

// An array whose elements no setter on a prototype can intercept.
function list() {
  return setPrototypeOf([], null);
}

// True where a prototype of arrays has elements: an array's holes are then not
// for the array to fill. The engine knows without looking; nothing else is as
// cheap and misses none.
const unfilled = [];
function isOverlaid(index) {
  return index in unfilled;
}

// As an assignment, whatever accessors the prototypes have.
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

module.exports = {
  list,
  append,
  isOverlaid,
  defineElement,
  getPrototypeOf,
  ownKeys: Object.keys,
  hasOwn: Object.hasOwn,
  ObjectPrototype: Object.prototype,
  isArray: Array.isArray,
  isView: ArrayBuffer.isView,
  isFinite: Number.isFinite,
  stringify: JSON.stringify,
  substring: uncurry(String.prototype.substring),
  textIndexOf: uncurry(String.prototype.indexOf),
  mapGet: uncurry(Map.prototype.get),
  mapSet: uncurry(Map.prototype.set),
  indexOf: uncurry(Array.prototype.indexOf),
  f64Set: uncurry(Float64Array.prototype.set),
  viewTag: getter(TypedArray.prototype, Symbol.toStringTag),
  viewBuffer: getter(TypedArray.prototype, 'buffer'),
  viewOffset: getter(TypedArray.prototype, 'byteOffset'),
  viewLength: getter(TypedArray.prototype, 'length'),
  viewKeys: uncurry(TypedArray.prototype.keys),
  viewBytes: getter(TypedArray.prototype, 'byteLength'),
  dataViewBuffer: getter(DataView.prototype, 'buffer'),
  dataViewOffset: getter(DataView.prototype, 'byteOffset'),
  dataViewBytes: getter(DataView.prototype, 'byteLength'),
  bufferBytes: getter(ArrayBuffer.prototype, 'byteLength'),
  sharedBytes: getter(SharedArrayBuffer.prototype, 'byteLength'),
  CodecArray: Array,
  CodecMap: Map,
  Float64: Float64Array,
  Octets: Uint8Array,
};
