'use strict';

// The checks of `util.types`. An object's own claims (its constructor, its
// toStringTag) prove nothing, so each check asks for an internal slot.

/* global host, load */
const call = Function.prototype.call;
const uncurry = (method) => call.bind(method);
const getter = (object, key) =>
  uncurry(Object.getOwnPropertyDescriptor(object, key).get);

function hasSlot(probe) {
  return (value) => {
    if (typeof value !== 'object' || value === null) return false;
    try {
      probe(value);
      return true;
    } catch {
      return false;
    }
  };
}

const TypedArray = Object.getPrototypeOf(Uint8Array);
const typedArrayTag = getter(TypedArray.prototype, Symbol.toStringTag);

const isMap = hasSlot(getter(Map.prototype, 'size'));
const isSet = hasSlot(getter(Set.prototype, 'size'));
const nothing = {};
const weakMapHas = uncurry(WeakMap.prototype.has);
const weakSetHas = uncurry(WeakSet.prototype.has);
const isArrayBuffer = hasSlot(getter(ArrayBuffer.prototype, 'byteLength'));
const isSharedArrayBuffer = hasSlot(
  getter(SharedArrayBuffer.prototype, 'byteLength'),
);
const boxes = {
  isBigIntObject: hasSlot(uncurry(BigInt.prototype.valueOf)),
  isBooleanObject: hasSlot(uncurry(Boolean.prototype.valueOf)),
  isNumberObject: hasSlot(uncurry(Number.prototype.valueOf)),
  isStringObject: hasSlot(uncurry(String.prototype.valueOf)),
  isSymbolObject: hasSlot(uncurry(Symbol.prototype.valueOf)),
};
const boxChecks = Object.values(boxes);
const getTime = uncurry(Date.prototype.getTime);
const getSource = getter(RegExp.prototype, 'source');
const hasSource = hasSlot(getSource);
const kind = (value) => host.kindOf(value);
const isObject = (value) =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';
const is =
  (name, other = name) =>
  (value) => {
    if (!isObject(value)) return false;
    const found = kind(value);
    return found === name || found === other;
  };

const types = {
  isAnyArrayBuffer: (value) =>
    isArrayBuffer(value) || isSharedArrayBuffer(value),
  isArgumentsObject: is('arguments'),
  isArrayBuffer,
  isArrayBufferView: (value) => ArrayBuffer.isView(value),
  isAsyncFunction: is('asyncFunction', 'asyncGeneratorFunction'),
  ...boxes,
  isBoxedPrimitive(value) {
    for (let at = 0; at < boxChecks.length; at += 1) {
      if (boxChecks[at](value)) return true;
    }
    return false;
  },
  isCryptoKey: (value) => load.loaded('subtle')?.isKey(value) === true,
  isDataView: (value) =>
    ArrayBuffer.isView(value) && typedArrayTag(value) === undefined,
  isDate: hasSlot(getTime),
  isExternal: is('external'),
  isGeneratorFunction: is('generatorFunction', 'asyncGeneratorFunction'),
  isGeneratorObject: is('generator'),
  isKeyObject: () => false,
  isMap,
  isMapIterator: is('mapIterator'),
  isModuleNamespaceObject: is('moduleNamespace'),
  isNativeError: is('nativeError'),
  isPromise: is('promise'),
  isProxy: is('proxy'),
  isRegExp: (value) => value !== RegExp.prototype && hasSource(value),
  isSet,
  isSetIterator: is('setIterator'),
  isSharedArrayBuffer,
  isTypedArray: (value) => typedArrayTag(value) !== undefined,
  isWeakMap: hasSlot((value) => weakMapHas(value, nothing)),
  isWeakSet: hasSlot((value) => weakSetHas(value, nothing)),
};

for (const Class of [
  'BigInt64Array',
  'BigUint64Array',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'Int16Array',
  'Int32Array',
  'Int8Array',
  'Uint16Array',
  'Uint32Array',
  'Uint8Array',
  'Uint8ClampedArray',
]) {
  types[`is${Class}`] = (value) => typedArrayTag(value) === Class;
}

module.exports = types;
