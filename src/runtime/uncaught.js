'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Errors and rejections
// that nobody caught: the worker's own listeners come first, in the order of
// Node's process, and the owner hears of what none of them has taken.
const {
  RealmError,
  RealmWeakMap,
  apply,
  hasOwn,
  uncurry,
  weakMapGet,
  weakMapSet,
} = require('./primordials.js');
const { Channel, Rejection } = require('../../lib/protocol/wire.gen.js');

runtime.need?.('errors');
const { rare, reportToOwner } = runtime;
const get = uncurry(weakMapGet);
const set = uncurry(weakMapSet);

// What setUncaughtExceptionCaptureCallback and addUncaught… were given.
const captures = { __proto__: null, only: null, others: [] };
runtime.captures = captures;

// --- listeners ---------------------------------------------------------------

// A bundle that was not loaded has none.
const loaded = (bundle) => runtime.globals.load.loaded(bundle);

const isHeard = (event) => loaded('node:process')?.listenerCount(event) > 0;

/** @returns {boolean} there is a listener */
function emit(event, first, second) {
  if (!isHeard(event)) return false;
  loaded('node:process').emit(event, first, second);
  return true;
}

/** @returns {boolean} one of the global object's has said that it is well */
const announce = (type, members) =>
  loaded('global-events')?.announce(type, members) === true;

function capture(error) {
  if (captures.only !== null) {
    apply(captures.only, undefined, [error]);
    return true;
  }
  const { others } = captures;
  for (let i = others.length - 1; i >= 0; i--) {
    if (apply(others[i], undefined, [error]) === true) return true;
  }
  return false;
}

// --- errors ------------------------------------------------------------------

let reporting = false;

// An error of such a listener goes to the owner directly, because reporting it
// to the listeners could loop.
function isTaken(error, origin) {
  if (reporting) return false;
  reporting = true;
  try {
    emit('uncaughtExceptionMonitor', error, origin);
    if (capture(error) || emit('uncaughtException', error, origin)) return true;
    return origin === 'uncaughtException' && announce('error', { error });
  } catch (another) {
    reportToOwner(Channel.Uncaught, another);
    return false;
  } finally {
    reporting = false;
  }
}

runtime.report = (error) => {
  if (!isTaken(error, 'uncaughtException')) {
    reportToOwner(Channel.Uncaught, error);
  }
};

// --- rejections --------------------------------------------------------------

const ABOUT_REJECTION =
  'This error originated either by throwing inside of an async function ' +
  'without a catch block, or by rejecting a promise which was not handled ' +
  'with .catch(). The promise rejected with the reason "';

const textOf = (value) =>
  (rare().detailOf ?? runtime.host.binding('errors').noSideEffectsToString)(
    value,
  );

function errorOf(reason) {
  if (
    typeof reason === 'object' &&
    reason !== null &&
    hasOwn(reason, 'stack')
  ) {
    return reason;
  }
  class UnhandledPromiseRejection extends RealmError {
    code = 'ERR_UNHANDLED_REJECTION';
    name = 'UnhandledPromiseRejection';
  }
  return new UnhandledPromiseRejection(`${ABOUT_REJECTION}${textOf(reason)}".`);
}

const isHeardAsError = () =>
  captures.only !== null ||
  captures.others.length > 0 ||
  isHeard('uncaughtException') ||
  isHeard('uncaughtExceptionMonitor');

// By promise, what has been told of: its number, or NOT_HEARD if none of the
// process's listeners has taken it.
const told = new RealmWeakMap();
const NOT_HEARD = 0;
let lastNumber = 0;

function unhandled(promise, reason) {
  set(told, promise, NOT_HEARD);
  const heard = () => {
    lastNumber += 1;
    set(told, promise, lastNumber);
  };
  try {
    if (isHeard('unhandledRejection')) {
      heard();
      emit('unhandledRejection', reason, promise);
      return true;
    }
    if (announce('unhandledrejection', { promise, reason })) return true;
    if (!isHeardAsError()) return false;
    if (!isTaken(errorOf(reason), 'unhandledRejection')) return false;
    heard();
    return true;
  } catch (another) {
    runtime.report(another);
    return get(told, promise) !== NOT_HEARD;
  }
}

function warn(number) {
  const { process } = loaded('library') ?? {};
  if (process === undefined) return;
  class PromiseRejectionHandledWarning extends RealmError {
    name = 'PromiseRejectionHandledWarning';
    id = number;
  }
  process.emitWarning(
    new PromiseRejectionHandledWarning(
      `Promise rejection was handled asynchronously (rejection id: ${number})`,
    ),
  );
}

// Without the process's listeners it is as in a browser: what has got a handler
// while it was told of came in time.
function handled(promise, reason, what) {
  const number = get(told, promise);
  if (number === undefined) return;
  set(told, promise, undefined);
  if (number === NOT_HEARD && what === Rejection.HandledMeanwhile) return;
  try {
    if (emit('rejectionHandled', promise)) return;
    announce('rejectionhandled', { promise, reason });
    if (number !== NOT_HEARD) warn(number);
  } catch (error) {
    runtime.report(error);
  }
}

let isDeprecated = false;

// Of a promise that is settled once more, in the next tick, as in Node.
function settledAgain(type, promise, value) {
  const process = loaded('node:process');
  process?.nextTick(() => {
    if (process.emit('multipleResolves', type, promise, value)) {
      if (isDeprecated) return;
      isDeprecated = true;
      process.emitWarning(
        'The multipleResolves event has been deprecated.',
        'DeprecationWarning',
        'DEP0160',
      );
    }
  });
}

runtime.onRejection = (promise, value, what) => {
  if (what === Rejection.RejectedAgain) settledAgain('reject', promise, value);
  else if (what === Rejection.ResolvedAgain) {
    settledAgain('resolve', promise, value);
  } else if (what >= Rejection.Handled) handled(promise, value, what);
  else if (what === Rejection.Endless || !unhandled(promise, value)) {
    reportToOwner(Channel.Rejection, value);
  }
};
