'use strict';

// The global object's events: `error`, `unhandledrejection` and
// `rejectionhandled`, and whatever user code dispatches. In a message worker
// the port's events are the global's too.

/* global host, load */
const {
  ErrorEvent,
  EventTarget,
  PromiseRejectionEvent,
  dispatchFor,
  fire,
  handlerOf,
} = require('sw:events');
const { placeOf, textOf } = require('../lib/error-place.js');
const { need } = require('../lib/webidl.js');

const { scope } = load;
const PORT_EVENTS = ['message', 'messageerror'];
const target = new EventTarget();
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
  return dispatchFor(target, event, scope);
}

function errorEvent(error) {
  return new ErrorEvent('error', {
    message: `Uncaught ${textOf(error)}`,
    ...placeOf(error),
    error,
    cancelable: true,
  });
}

// onerror has arguments of its own, and `true` means that all is well.
function runErrorHandler(callback, event) {
  if (!(event instanceof ErrorEvent)) {
    callback.call(scope, event);
    return;
  }
  const { message, filename, lineno, colno, error } = event;
  if (callback.call(scope, message, filename, lineno, colno, error) === true) {
    event.preventDefault();
  }
}

const handlers = {
  error: handlerOf(target, 'error', runErrorHandler),
  rejectionhandled: handlerOf(target, 'rejectionhandled'),
  unhandledrejection: handlerOf(target, 'unhandledrejection'),
};

/** @returns {boolean} a listener has said that it is taken care of */
function announce(type, members) {
  const event =
    type === 'error'
      ? errorEvent(members.error)
      : new PromiseRejectionEvent(type, {
          ...members,
          cancelable: type === 'unhandledrejection',
        });
  fire(target, event, scope);
  return event.defaultPrevented;
}

module.exports = {
  addEventListener,
  announce,
  dispatchEvent,
  handlers,
  removeEventListener,
};
