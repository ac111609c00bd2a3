'use strict';

const { invalidArgument, needFunction, nodeError } = require('./node-error.js');

const custom = Symbol.for('nodejs.util.promisify.custom');

/** A function that takes a callback last, as one that returns a promise. */
function promisify(original) {
  needFunction(original, 'original');
  const own = original[custom];
  if (own !== undefined) {
    needFunction(own, 'util.promisify.custom');
    return Object.defineProperty(own, custom, {
      value: own,
      configurable: true,
    });
  }
  function promised(...args) {
    return new Promise((resolve, reject) => {
      Reflect.apply(original, this, [
        ...args,
        (error, value) => (error ? reject(error) : resolve(value)),
      ]);
    });
  }
  Object.setPrototypeOf(promised, Object.getPrototypeOf(original));
  Object.defineProperty(promised, custom, {
    value: promised,
    configurable: true,
  });
  return Object.defineProperties(
    promised,
    Object.getOwnPropertyDescriptors(original),
  );
}
promisify.custom = custom;

function rejection(reason) {
  if (reason) return reason;
  const error = nodeError(
    Error,
    'ERR_FALSY_VALUE_REJECTION',
    'Promise was rejected with falsy value',
  );
  error.reason = reason;
  return error;
}

/** The way back: an async function as one that takes a callback last. */
function callbackify(original) {
  needFunction(original, 'original');
  function called(...args) {
    const callback = args.pop();
    if (typeof callback !== 'function') {
      throw invalidArgument('last argument', 'of type function', callback);
    }
    const { nextTick } = require('node:process');
    Reflect.apply(original, this, args).then(
      (value) => nextTick(callback, null, value),
      (reason) => nextTick(callback, rejection(reason)),
    );
  }
  const descriptors = Object.getOwnPropertyDescriptors(original);
  if (typeof descriptors.length?.value === 'number') {
    descriptors.length.value += 1;
  }
  if (typeof descriptors.name?.value === 'string') {
    descriptors.name.value += 'Callbackified';
  }
  return Object.defineProperties(called, descriptors);
}

module.exports = { callbackify, promisify };
