'use strict';
// What the codec takes from its realm, captured when it is loaded, so that
// code which later replaces prototypes neither breaks nor observes it.

const { getPrototypeOf, setPrototypeOf } = Object;
const uncurry = Function.prototype.call.bind.bind(Function.prototype.call);
const getter = (prototype, name) =>
  uncurry(Object.getOwnPropertyDescriptor(prototype, name).get);
const TypedArray = getPrototypeOf(Uint8Array);

// An array whose elements no setter on a prototype can intercept.
function list() {
  return setPrototypeOf([], null);
}

function append(to, value) {
  to[to.length] = value;
  return to.length - 1;
}

module.exports = {
  list,
  append,
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
  CodecArray: Array,
  CodecMap: Map,
  Float64: Float64Array,
  Octets: Uint8Array,
};
