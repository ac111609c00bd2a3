'use strict';

// The events with attributes of their own.

const { moduleOf } = require('sw:library');
const { MessageEvent } = require('./message-event.js');
const { accessor, dictionary, need, tag } = require('./webidl.js');

const { Event } = moduleOf('internal/event_target');
const toWellFormed = Function.prototype.call.bind(
  String.prototype.toWellFormed,
);

const text = (value) => `${value}`;
const scalarText = (value) => toWellFormed(`${value}`);
const short = (value) => Number(value) & 0xffff;
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
        const init = dictionary(eventInitDict, name);
        super(type, init);
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
  filename: [scalarText, ''],
  lineno: [count, 0],
  colno: [count, 0],
  error: [any, undefined],
});

function object(value) {
  const isObject = typeof value === 'object' && value !== null;
  if (isObject || typeof value === 'function') return value;
  throw new TypeError('PromiseRejectionEvent: the promise is no object');
}

const PromiseRejectionEvent = eventClass(
  'PromiseRejectionEvent',
  { promise: [object, undefined], reason: [any, undefined] },
  'promise',
);

const CloseEvent = eventClass('CloseEvent', {
  wasClean: [Boolean, false],
  code: [short, 0],
  reason: [scalarText, ''],
});

module.exports = {
  CloseEvent,
  ErrorEvent,
  MessageEvent,
  PromiseRejectionEvent,
};
