'use strict';

// The events with attributes of their own.

const { Event, dictionary, internals } = require('./event.js');
const { accessor, enumerable, need, tag } = require('./webidl.js');

class CustomEvent extends Event {
  #detail;

  constructor(type, eventInitDict = undefined) {
    need(1, arguments.length, 'CustomEvent');
    super(type, eventInitDict);
    const { detail } = dictionary(eventInitDict, 'CustomEvent');
    this.#detail = detail === undefined ? null : detail;
  }

  get detail() {
    return this.#detail;
  }

  initCustomEvent(type, bubbles = false, cancelable = false, detail = null) {
    need(1, arguments.length, 'CustomEvent.initCustomEvent');
    if (internals.isDispatching(this)) return;
    this.initEvent(type, bubbles, cancelable);
    this.#detail = detail;
  }
}
enumerable(CustomEvent, ['detail', 'initCustomEvent']);
tag(CustomEvent);

const text = (value) => `${value}`;
const count = (value) => Number(value) >>> 0;
const any = (value) => value;

/**
 * An Event class whose attributes come from its dictionary.
 *
 * @param {string} name
 * @param {Record<string, [(value: unknown) => unknown, unknown]>} members how
 *   each is read, and what it is without
 * @param {string} [required] a member that must be there
 */
function eventClass(name, members, required = undefined) {
  const size = required === undefined ? 1 : 2;
  const keys = Object.keys(members).sort();
  const Class = {
    [name]: class extends Event {
      #values = {};

      constructor(type, eventInitDict = undefined) {
        need(size, arguments.length, name);
        super(type, eventInitDict);
        const init = dictionary(eventInitDict, name);
        for (const key of keys) {
          const [read, otherwise] = members[key];
          const value = init[key];
          if (value === undefined && key === required) {
            throw new TypeError(`${name}: '${key}' is required`);
          }
          this.#values[key] = value === undefined ? otherwise : read(value);
        }
      }

      static read(event, key) {
        return event.#values[key];
      }
    },
  }[name];
  const { read } = Class;
  delete Class.read;
  for (const key of Object.keys(members)) {
    const { get } = {
      get() {
        return read(this, key);
      },
    };
    accessor(Class.prototype, key, get);
  }
  Object.defineProperty(Class, 'length', { value: size, configurable: true });
  tag(Class, name);
  return Class;
}

const ErrorEvent = eventClass('ErrorEvent', {
  message: [text, ''],
  filename: [text, ''],
  lineno: [count, 0],
  colno: [count, 0],
  error: [any, undefined],
});
const MessageEvent = eventClass('MessageEvent', {
  data: [any, null],
  origin: [text, ''],
  lastEventId: [text, ''],
  source: [any, null],
  ports: [(ports) => Object.freeze([...ports]), Object.freeze([])],
});
const PromiseRejectionEvent = eventClass(
  'PromiseRejectionEvent',
  { promise: [any, undefined], reason: [any, undefined] },
  'promise',
);

module.exports = {
  CustomEvent,
  ErrorEvent,
  MessageEvent,
  PromiseRejectionEvent,
};
