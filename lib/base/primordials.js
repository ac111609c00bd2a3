'use strict';
// Built-ins of the owner's realm, captured while this file is loaded.
// Settlement, admission and executors use them, so that a replaced built-in,
// such as a bad polyfill's, loses no promise. codec/captured.js is the same for
// code that runs on both sides.

const { AsyncResource } = require('node:async_hooks');
const { EventEmitter } = require('node:events');

const { defineElement } = require('../protocol/codec/captured.js');
const { now, startTimer, stopTimer } = require('./own-time.js');

const { defineProperty, getOwnPropertyDescriptor, setPrototypeOf } = Object;
const { prototype: AggregatePrototype } = AggregateError;
const OwnError = Error;
const uncurry = Function.prototype.call.bind.bind(Function.prototype.call);
const { apply, ownKeys } = Reflect;

/** Makes a subclass with its own copies of the methods. */
function own(Class) {
  class Own extends Class {
    // biome-ignore lint/complexity/noUselessConstructor: the one that is implied asks an iterator for its arguments
    constructor() {
      super();
    }
  }
  for (const key of ownKeys(Class.prototype)) {
    if (key === 'constructor') continue;
    const descriptor = getOwnPropertyDescriptor(Class.prototype, key);
    defineProperty(Own.prototype, key, { __proto__: null, ...descriptor });
  }
  setPrototypeOf(Own.prototype, null);
  return Own;
}

/**
 * @param {unknown[]} errors a list without a prototype
 * @returns {AggregateError} made without its constructor, because that uses the
 *   array iterator
 */
function aggregateError(errors, message = '') {
  const error = setPrototypeOf(new OwnError(message), AggregatePrototype);
  const list = [];
  for (let i = 0; i < errors.length; i++) defineElement(list, i, errors[i]);
  defineProperty(error, 'errors', {
    __proto__: null,
    value: list,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  return error;
}

const nextOfMap = uncurry(new Map().keys().next);
/** @returns {unknown} the oldest key of an OwnMap whose value fits */
function findKey(map, fits) {
  const all = map.keys();
  for (let at = nextOfMap(all); !at.done; at = nextOfMap(all)) {
    if (fits(map.get(at.value))) return at.value;
  }
  return undefined;
}

module.exports = {
  OwnEmitter: own(EventEmitter),
  OwnMap: own(Map),
  OwnPromise: Promise,
  OwnSet: own(Set),
  OwnWeakMap: own(WeakMap),
  aggregateError,
  apply,
  captureStackTrace: Error.captureStackTrace,
  ceil: Math.ceil,
  findKey,
  freeze: Object.freeze,
  includes: uncurry(Array.prototype.includes),
  isFiniteNumber: Number.isFinite,
  isInteger: Number.isInteger,
  max: Math.max,
  min: Math.min,
  now,
  queueMicrotask,
  rejected: Promise.reject.bind(Promise),
  register: uncurry(FinalizationRegistry.prototype.register),
  runInAsyncScope: uncurry(AsyncResource.prototype.runInAsyncScope),
  seal: Object.seal,
  startTimer,
  stopTimer,
  sourceOf: uncurry(Function.prototype.toString),
  textIncludes: uncurry(String.prototype.includes),
  textStartsWith: uncurry(String.prototype.startsWith),
  thenOf: uncurry(Promise.prototype.then),
  trim: uncurry(String.prototype.trim),
  unregister: uncurry(FinalizationRegistry.prototype.unregister),
};
