'use strict';
// The realm's built-ins, captured once before any user code, because the parts
// that run later (later.js) must not use replaced ones. `uncurry` makes a
// function of a method, its object first. Functions that few jobs need are made
// at their first use.
const {
  CodecMap: RealmMap,
  Octets,
  charCodeAt,
  getPrototypeOf,
  hasOwn,
  mapGet,
  mapSet,
  ownKeys,
  substring,
  textIndexOf,
  uncurry,
} = require('../../lib/protocol/codec/captured.js');

const { apply, construct, ownKeys: allKeys, setPrototypeOf } = Reflect;
const { assign, defineProperty, freeze, getOwnPropertyDescriptor } = Object;
const { floor, max, min } = Math;
const { parse } = JSON;
const ASYNC_ITERATOR = Symbol.asyncIterator;
const TO_STRING_TAG = Symbol.toStringTag;

const { delete: mapDelete, forEach: mapForEach } = Map.prototype;
const { add: setAdd, delete: setDelete, forEach: setForEach } = Set.prototype;
const { get: setSize } = getOwnPropertyDescriptor(Set.prototype, 'size');
const { get: weakMapGet, set: weakMapSet } = WeakMap.prototype;
const {
  add: weakSetAdd,
  delete: weakSetDelete,
  has: weakSetHas,
} = WeakSet.prototype;
const { lastIndexOf, slice, startsWith } = String.prototype;
const { toString: errorToText } = Error.prototype;
const { toString: sourceOf } = Function.prototype;
const then = uncurry(Promise.prototype.then);

// An array, because in a new realm an object costs half a microsecond for each
// property.
const { CompileError, LinkError, RuntimeError } = globalThis.WebAssembly ?? {};
const ERRORS = [
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
  AggregateError,
  CompileError,
  LinkError,
  RuntimeError,
];

const RealmBigInt = BigInt;
const RealmError = Error;
const RealmNumber = Number;
const RealmPromise = Promise;
const RealmSet = Set;
const RealmWeakMap = WeakMap;
const RealmWeakSet = WeakSet;

module.exports = {
  ASYNC_ITERATOR,
  TO_STRING_TAG,
  ERRORS,
  Octets,
  RealmBigInt,
  RealmError,
  RealmMap,
  RealmNumber,
  RealmPromise,
  RealmSet,
  RealmWeakMap,
  RealmWeakSet,
  allKeys,
  apply,
  assign,
  charCodeAt,
  construct,
  defineProperty,
  errorToText,
  floor,
  freeze,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  lastIndexOf,
  mapDelete,
  mapForEach,
  mapGet,
  mapSet,
  max,
  min,
  ownKeys,
  parse,
  setAdd,
  setDelete,
  setForEach,
  setPrototypeOf,
  setSize,
  slice,
  sourceOf,
  startsWith,
  substring,
  textIndexOf,
  then,
  uncurry,
  weakMapGet,
  weakMapSet,
  weakSetAdd,
  weakSetDelete,
  weakSetHas,
};
