'use strict';

// The global object's events: `error`, `unhandledrejection` and
// `rejectionhandled`, and whatever user code dispatches. In a message worker
// the port's events are the global's too.

/* global host, load */
const {
  ErrorEvent,
  EventTarget,
  PromiseRejectionEvent,
  defineEventHandler,
  fire,
} = require('sw:events');
const { moduleOf } = require('sw:library');
const { placeOf, textOf } = require('../lib/error-place.js');
const { need } = require('../lib/webidl.js');

const { scope } = load;
const PORT_EVENTS = ['message', 'messageerror'];
const { kShown } = moduleOf('internal/event_target');

// The listeners of the global object, which is shown in its place.
class GlobalTarget extends EventTarget {
  get [kShown]() {
    return scope;
  }
}
for (const type of ['error', 'rejectionhandled', 'unhandledrejection']) {
  defineEventHandler(GlobalTarget.prototype, type);
}
const target = new GlobalTarget();
const isPorts = (type) =>
  host.port !== undefined && PORT_EVENTS.includes(`${type}`);

function addEventListener(type, listener, options = undefined) {
  need(2, arguments.length, 'addEventListener');
  if (isPorts(type)) host.port.addEventListener(type, listener, options);
  else target.addEventListener(type, listener, options);
}

function removeEventListener(type, listener, options = undefined) {
  need(2, arguments.length, 'removeEventListener');
  if (isPorts(type)) host.port.removeEventListener(type, listener);
  else target.removeEventListener(type, listener, options);
}

function dispatchEvent(event) {
  need(1, arguments.length, 'dispatchEvent');
  return target.dispatchEvent(event);
}

const errorMembers = (error) => ({
  message: `Uncaught ${textOf(error)}`,
  ...placeOf(error),
  error,
  cancelable: true,
});

let onerror = null;

// onerror has arguments of its own, and `true` means that all is well.
function runErrorHandler(event) {
  if (!(event instanceof ErrorEvent)) {
    onerror.call(scope, event);
    return;
  }
  const { message, filename, lineno, colno, error } = event;
  if (onerror.call(scope, message, filename, lineno, colno, error) === true) {
    event.preventDefault();
  }
}

const isObject = (value) =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

// `false` of the others means that all is well, as a browser has it.
function handlerOf(type) {
  let given = null;
  const run = (event) => {
    if (given.call(scope, event) === false) event.preventDefault();
  };
  return {
    get: () => given,
    set(callback) {
      given = isObject(callback) ? callback : null;
      target[`on${type}`] = typeof given === 'function' ? run : null;
    },
  };
}

const handlers = {
  error: {
    get: () => onerror,
    set(callback) {
      onerror = isObject(callback) ? callback : null;
      target.onerror = typeof onerror === 'function' ? runErrorHandler : null;
    },
  },
  rejectionhandled: handlerOf('rejectionhandled'),
  unhandledrejection: handlerOf('unhandledrejection'),
};

/** @returns {boolean} a listener has said that it is taken care of */
function announce(type, members) {
  const isError = type === 'error';
  return !fire(
    target,
    isError ? ErrorEvent : PromiseRejectionEvent,
    type,
    isError
      ? errorMembers(members.error)
      : { ...members, cancelable: type === 'unhandledrejection' },
  );
}

module.exports = {
  addEventListener,
  announce,
  dispatchEvent,
  handlers,
  removeEventListener,
};
