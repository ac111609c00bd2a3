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
} = require('sw:events');
const { need } = require('../lib/webidl.js');

const { scope } = load;
const PORT_EVENTS = ['message', 'messageerror'];
const HANDLERS = new Set(['error', 'unhandledrejection', 'rejectionhandled']);
const target = new EventTarget();
const isPorts = (type) =>
  host.port !== undefined && PORT_EVENTS.includes(`${type}`);

function addEventListener(type, listener, options) {
  need(2, arguments.length, 'addEventListener');
  if (isPorts(type)) host.port.addEventListener(type, listener, options);
  else target.addEventListener(type, listener, options);
}

function removeEventListener(type, listener, options) {
  need(2, arguments.length, 'removeEventListener');
  if (isPorts(type)) host.port.removeEventListener(type, listener);
  else target.removeEventListener(type, listener, options);
}

function dispatchEvent(event) {
  need(1, arguments.length, 'dispatchEvent');
  dispatchFor(target, event, scope);
  if (HANDLERS.has(event.type)) callHandler(event.type, event);
  return !event.defaultPrevented;
}

function errorEvent(error) {
  const text =
    error instanceof Error ? `${error.name}: ${error.message}` : `${error}`;
  const message = `Uncaught ${text}`;
  return new ErrorEvent('error', { message, error, cancelable: true });
}

// onerror has arguments of its own, and `true` means that all is well.
function callHandler(type, event) {
  const handler = scope[`on${type}`];
  if (typeof handler !== 'function') return;
  if (type !== 'error' || !(event instanceof ErrorEvent)) {
    handler.call(scope, event);
  } else if (
    handler.call(scope, event.message, '', 0, 0, event.error) === true
  ) {
    event.preventDefault();
  }
}

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
  callHandler(type, event);
  return event.defaultPrevented;
}

module.exports = {
  addEventListener,
  announce,
  dispatchEvent,
  removeEventListener,
};
