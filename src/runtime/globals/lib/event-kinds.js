'use strict';

// The events with attributes of their own.

/* global load */
const { moduleOf } = require('sw:library');
const { accessor, dictionary, need, sequence, tag } = require('./webidl.js');

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

      static assign(event, values) {
        event.#values = values;
      }

      static read(event, key) {
        return event.#values[key];
      }
    },
  }[name];
  const { assign, read } = Class;
  delete Class.assign;
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
  return { Class, assign, read };
}

const { Class: ErrorEvent } = eventClass('ErrorEvent', {
  message: [text, ''],
  filename: [scalarText, ''],
  lineno: [count, 0],
  colno: [count, 0],
  error: [any, undefined],
});

function isPort(value) {
  return load.loaded('messaging')?.isPort(value) ?? false;
}

function source(value) {
  if (value === null || isPort(value)) return value;
  throw new TypeError('MessageEvent: the source is no MessagePort');
}

function portList(value) {
  const ports = sequence(value, 'MessageEvent: ports');
  if (ports.every(isPort)) return Object.freeze(ports);
  throw new TypeError('MessageEvent: ports holds what is no MessagePort');
}

const messages = eventClass('MessageEvent', {
  data: [any, null],
  origin: [scalarText, ''],
  lastEventId: [text, ''],
  source: [source, null],
  ports: [portList, Object.freeze([])],
});
const MessageEvent = messages.Class;
const { initMessageEvent } = {
  initMessageEvent(
    type,
    bubbles = false,
    cancelable = false,
    data = null,
    origin = '',
    lastEventId = '',
    from = null,
    ports = [],
  ) {
    // Throws for what is no such event.
    messages.read(this, 'data');
    need(1, arguments.length, 'MessageEvent.initMessageEvent');
    const values = {
      data,
      origin: scalarText(origin),
      lastEventId: text(lastEventId),
      source: source(from),
      ports: portList(ports),
    };
    if (this.currentTarget !== null) return;
    this.initEvent(type, bubbles, cancelable);
    messages.assign(this, values);
  },
};
Object.defineProperty(MessageEvent.prototype, 'initMessageEvent', {
  value: initMessageEvent,
  enumerable: true,
  configurable: true,
  writable: true,
});

function object(value) {
  const isObject = typeof value === 'object' && value !== null;
  if (isObject || typeof value === 'function') return value;
  throw new TypeError('PromiseRejectionEvent: the promise is no object');
}

const { Class: PromiseRejectionEvent } = eventClass(
  'PromiseRejectionEvent',
  { promise: [object, undefined], reason: [any, undefined] },
  'promise',
);

const { Class: CloseEvent } = eventClass('CloseEvent', {
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
