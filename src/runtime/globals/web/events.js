'use strict';

// Events, signals and exceptions: Node's own, and the kinds of events that its
// library has elsewhere.

const { moduleOf } = require('sw:library');
const { DOMException, isException } = moduleOf(
  'internal/per_context/domexception',
);
const { AbortController, AbortSignal } = moduleOf('internal/abort_controller');
const { CustomEvent, Event, EventTarget, defineEventHandler, kTrustEvent } =
  moduleOf('internal/event_target');
const kinds = require('../lib/event-kinds.js');
const { QuotaExceededError } = require('../lib/quota-exceeded.js');

const dispatch = Function.prototype.call.bind(
  EventTarget.prototype.dispatchEvent,
);
const { get: isAborted } = Object.getOwnPropertyDescriptor(
  AbortSignal.prototype,
  'aborted',
);

/** True for a signal, whatever its prototype says now. */
function isSignal(value) {
  try {
    isAborted.call(value);
    return true;
  } catch {
    return false;
  }
}

/** Dispatches an event of the runtime, which is trusted. */
function fire(target, Class, type, members = undefined) {
  return dispatch(target, new Class(type, { ...members, [kTrustEvent]: true }));
}

module.exports = {
  ...kinds,
  AbortController,
  AbortSignal,
  CustomEvent,
  DOMException,
  Event,
  EventTarget,
  QuotaExceededError,
  defineEventHandler,
  fire,
  isException,
  isSignal,
};
