'use strict';
// Test runners print an error's stack and none of its properties. So the hint
// stands in the stack's header, below the message, which stays as it is.

const OwnError = Error;
const {
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  setPrototypeOf,
} = Object;
const { ownKeys } = Reflect;
const uncurry = Function.prototype.call.bind.bind(Function.prototype.call);
const textIndexOf = uncurry(String.prototype.indexOf);
const viewOf = uncurry(WeakMap.prototype.get);
const setView = uncurry(WeakMap.prototype.set);
const CUSTOM = Symbol.for('nodejs.util.inspect.custom');

const hasHint = ({ hint }) => typeof hint === 'string' && hint !== '';
const lineOf = ({ hint }) => `\n  hint: ${hint}`;

/**
 * Holds the frames of an error. The engine reads the header from it when the
 * stack is asked for first, so that an error nobody prints costs no text, and a
 * hint that is set later is printed.
 */
class Trace {
  #error;

  constructor(error) {
    this.#error = error;
  }

  get name() {
    return this.#error.name;
  }

  get message() {
    const error = this.#error;
    return hasHint(error) ? `${error.message}${lineOf(error)}` : error.message;
  }
}
// Error.prepareStackTrace, which may be anybody's, gets a trace for an error.
setPrototypeOf(Trace.prototype, OwnError.prototype);

function define(object, key, value) {
  defineProperty(object, key, {
    __proto__: null,
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}

/** @returns {unknown} the number of frames that are captured, if it can be read */
function frameLimit() {
  try {
    return OwnError.stackTraceLimit;
  } catch {
    return undefined;
  }
}

/**
 * Sets the number of frames that are captured.
 *
 * @param {unknown} limit
 * @returns {boolean} false where intrinsics are frozen
 */
function limitFrames(limit) {
  try {
    OwnError.stackTraceLimit = limit;
    return true;
  } catch {
    return false;
  }
}

const views = new WeakMap();

/**
 * The error as consoles show it: without the property `hint`, because its stack
 * has it already. An error has one view, so that circles end.
 */
function viewWithoutHint(error, stack) {
  let view = viewOf(views, error);
  if (view === undefined) {
    view = setPrototypeOf(new OwnError(), getPrototypeOf(error));
    setView(views, error, view);
    define(view, CUSTOM, undefined);
  }
  const before = ownKeys(view);
  for (let i = 0; i < before.length; i++) {
    if (before[i] !== CUSTOM && before[i] !== 'stack') delete view[before[i]];
  }
  const keys = ownKeys(error);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (key === 'hint' || key === 'stack' || key === CUSTOM) continue;
    const descriptor = getOwnPropertyDescriptor(error, key);
    defineProperty(view, key, {
      __proto__: null,
      ...descriptor,
      configurable: true,
    });
  }
  view.stack = stack;
  return view;
}

const isDoubled = (error, stack) =>
  hasHint(error) &&
  typeof stack === 'string' &&
  textIndexOf(stack, lineOf(error)) >= 0;

/** Keeps the property of an error whose stack has the hint from being shown. */
function hideHint(error) {
  if (error[CUSTOM] !== inspectHinted) return;
  if (isDoubled(error, error.stack)) define(error, 'hint', error.hint);
}

/**
 * Consoles and `util.inspect` show what it returns in the error's place.
 *
 * @this {Error}
 * @returns {Error} itself, or a view of it
 */
function inspectHinted() {
  const { stack } = this;
  return isDoubled(this, stack) ? viewWithoutHint(this, stack) : this;
}

/** Makes consoles show the hint of a class' errors once. */
function inspectOnce(Class) {
  define(Class.prototype, CUSTOM, inspectHinted);
}

module.exports = {
  Trace,
  define,
  frameLimit,
  hideHint,
  inspectOnce,
  limitFrames,
};
