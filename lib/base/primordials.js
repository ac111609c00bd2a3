'use strict';
// What the owner's side takes from its realm while it is loaded, so that
// built-ins which are replaced later, by a bad polyfill for instance, neither
// break a job that is under way nor reach into it. Only what may be replaced
// for good reasons, timers and the clock in tests, is looked up each time.
// codec/captured.js is the same for what runs on both sides.

const { AsyncResource } = require('node:async_hooks');
const { EventEmitter } = require('node:events');
const { performance: ownPerformance } = require('node:perf_hooks');

const { defineElement } = require('../protocol/codec/captured.js');

const { defineProperty, getOwnPropertyDescriptor, setPrototypeOf } = Object;
const { prototype: AggregatePrototype } = AggregateError;
const OwnError = Error;
const uncurry = Function.prototype.call.bind.bind(Function.prototype.call);
const { apply, ownKeys } = Reflect;

/** The class with methods of its own that nobody else can reach. */
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
 * @param {unknown[]} errors a bare list
 * @returns {AggregateError} made without its constructor, which would ask an
 *   iterator for the errors
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

const ownNow = ownPerformance.now.bind(ownPerformance);
const ownSetTimeout = setTimeout;
const ownClearTimeout = clearTimeout;
const nextOfMap = uncurry(new Map().keys().next);

/**
 * @returns {number} milliseconds, as `performance.now()`: of the object that is
 *   called so globally only where the timers are not the first ones either, as
 *   in tests. To look it up takes Node's getter, and V8 a call.
 */
function now() {
  try {
    const clock = setTimeout === ownSetTimeout ? ownPerformance : performance;
    const at = clock.now();
    if (typeof at === 'number') return at;
  } catch {}
  return ownNow();
}

/** @returns {NodeJS.Timeout} of `setTimeout`, unless that is no timer's */
function startTimer(callback, ms) {
  try {
    const timer = setTimeout(callback, ms);
    if (typeof timer?.unref === 'function') return timer;
  } catch {}
  return ownSetTimeout(callback, ms);
}

function stopTimer(timer) {
  try {
    clearTimeout(timer);
  } catch {}
  ownClearTimeout(timer);
}

/** @returns {unknown} the oldest key of an OwnMap whose value fits */
function findKey(map, fits) {
  const all = map.keys();
  for (let at = nextOfMap(all); !at.done; at = nextOfMap(all)) {
    if (fits(map.get(at.value))) return at.value;
  }
  return undefined;
}

const firstKey = (map) => findKey(map, () => true);

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
  firstKey,
  freeze: Object.freeze,
  includes: uncurry(Array.prototype.includes),
  isFiniteNumber: Number.isFinite,
  isInteger: Number.isInteger,
  max: Math.max,
  min: Math.min,
  now,
  matchOf: uncurry(RegExp.prototype.exec),
  queueMicrotask,
  rejected: Promise.reject.bind(Promise),
  replace: uncurry(String.prototype.replace),
  register: uncurry(FinalizationRegistry.prototype.register),
  runInAsyncScope: uncurry(AsyncResource.prototype.runInAsyncScope),
  seal: Object.seal,
  startTimer,
  stopTimer,
  sourceOf: uncurry(Function.prototype.toString),
  textIncludes: uncurry(String.prototype.includes),
  textStartsWith: uncurry(String.prototype.startsWith),
  trim: uncurry(String.prototype.trim),
  unregister: uncurry(FinalizationRegistry.prototype.unregister),
};
