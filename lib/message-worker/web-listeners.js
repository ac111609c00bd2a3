'use strict';

const { callListener } = require('../base/call-listener.js');

const TYPES = new Set(['message', 'error', 'messageerror']);

/**
 * The web's listener interface over an EventEmitter: `addEventListener` with
 * functions or `handleEvent` objects, `once`, and the `on<type>` properties.
 */
class WebListeners {
  #target;
  #wrapped = new Map();
  #handlers = new Map();

  constructor(target) {
    this.#target = target;
  }

  add(type, listener, options) {
    if (!TYPES.has(type) || !isListener(listener)) return;
    const known = this.#ofType(type);
    if (known.has(listener)) return;
    const once = Boolean(options?.once);
    const wrapped = (value, event = toEvent(type, value, this.#target)) => {
      if (once) this.remove(type, listener);
      return typeof listener === 'function'
        ? listener.call(this.#target, event)
        : listener.handleEvent(event);
    };
    known.set(listener, wrapped);
    this.#target.on(type, wrapped);
  }

  remove(type, listener) {
    const wrapped = this.#wrapped.get(type)?.get(listener);
    if (wrapped === undefined) return;
    this.#wrapped.get(type).delete(listener);
    this.#target.off(type, wrapped);
  }

  handler(type) {
    return this.#handlers.get(type)?.listener ?? null;
  }

  /** Calls the listeners of an event's type; see EventTarget. */
  dispatch(event) {
    const { type } = event;
    const listeners = [...(this.#wrapped.get(type)?.values() ?? [])];
    const handler = this.#handlers.get(type);
    if (handler) listeners.push(handler.wrapped);
    for (const listener of listeners) callListener(listener, undefined, event);
    return !event.defaultPrevented;
  }

  setHandler(type, listener) {
    const old = this.#handlers.get(type);
    if (old) this.#target.off(type, old.wrapped);
    this.#handlers.delete(type);
    if (typeof listener !== 'function') return;
    const wrapped = (value, event = toEvent(type, value, this.#target)) =>
      listener.call(this.#target, event);
    this.#handlers.set(type, { listener, wrapped });
    this.#target.on(type, wrapped);
  }

  #ofType(type) {
    let known = this.#wrapped.get(type);
    if (known === undefined) {
      known = new Map();
      this.#wrapped.set(type, known);
    }
    return known;
  }
}

function isListener(listener) {
  return (
    typeof listener === 'function' ||
    typeof listener?.handleEvent === 'function'
  );
}

function toEvent(type, value, target) {
  if (type === 'message') return { type, target, data: value };
  return { type, target, error: value, message: value?.message };
}

module.exports = { WebListeners };
