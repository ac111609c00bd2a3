'use strict';

// MessageEvent: as in the standard, and refused in this Node's words.

/* global load */
const { moduleOf } = require('sw:library');
const { illegal, need, noSymbol, optionsOf, quoted, wrong } =
  require('./fetch/refusals.js');
const { since } = require('./versions.js');
const { accessor, isObject, sequence, tag } = require('./webidl.js');

const { Event, kTrustEvent } = moduleOf('internal/event_target');
const toWellFormed = Function.prototype.call.bind(
  String.prototype.toWellFormed,
);

const MEMBERS = ['data', 'origin', 'lastEventId', 'source', 'ports'];
const OWN = since(24) ? [...MEMBERS].sort() : MEMBERS;
const ORDER = ['bubbles', 'cancelable', 'composed', ...OWN];
const WHERE = 'MessageEvent constructor';
const IN_INIT = `${WHERE}: eventInitDict`;

const isPort = (value) => load.loaded('messaging')?.isPort(value) ?? false;

// Node 20 has a class of its own for it, later ones that of their fetch.
const refused = since(22)
  ? {
      noPort: (value, name) =>
        wrong(
          `${WHERE}: Expected eventInitDict.${name} ("${quoted(value)}") to be an instance of MessagePort.`,
        ),
      noList: (value) =>
        wrong(
          isObject(value)
            ? `${IN_INIT}.ports is not iterable.`
            : `${IN_INIT}.ports (${quoted(value)}) is not iterable.`,
        ),
      noEvent: illegal,
    }
  : {
      noPort(value, name) {
        const { ERR_INVALID_ARG_TYPE: Refusal } =
          moduleOf('internal/errors').codes;
        return new Refusal(`init.${name}`, 'MessagePort', value);
      },
      noList: () => wrong('ports is not iterable'),
      noEvent() {
        const { ERR_INVALID_THIS: Refusal } = moduleOf('internal/errors').codes;
        return new Refusal('MessageEvent');
      },
    };

function needPort(value, name) {
  if (isPort(value)) return value;
  throw refused.noPort(value, name);
}

function portList(value) {
  let index = 0;
  const each = (port) => needPort(port, `ports[${index++}]`);
  return Object.freeze(
    sequence(value, WHERE, each, () => refused.noList(value)),
  );
}

function textOf(value, place) {
  noSymbol(value, place, 'DOMString');
  return `${value}`;
}

const READ = {
  bubbles: Boolean,
  cancelable: Boolean,
  composed: Boolean,
  data: (value) => value,
  origin: (value) => toWellFormed(`${value}`),
  lastEventId: (value) => textOf(value, `${IN_INIT}.lastEventId`),
  source: (value) => (value === null ? null : needPort(value, 'source')),
  ports: portList,
};
const NONE = {
  data: null,
  origin: '',
  lastEventId: '',
  source: null,
  ports: Object.freeze([]),
};

/** Each member is asked for once. */
function membersOf(init) {
  const given = optionsOf(init, WHERE);
  const read = { ...NONE };
  for (const name of ORDER) {
    const value = given[name];
    if (value !== undefined) read[name] = READ[name](value);
  }
  return read;
}

// Node's errors have the name with a line.
class _MessageEvent extends Event {
  static {
    Object.defineProperty(_MessageEvent, 'name', { value: 'MessageEvent' });
  }

  #values;

  constructor(type, eventInitDict = undefined, trust = undefined) {
    need(1, arguments.length, WHERE);
    const name = textOf(type, `${WHERE}: type`);
    const values = membersOf(eventInitDict);
    super(name, { ...values, [kTrustEvent]: trust === kTrustEvent });
    this.#values = values;
  }

  static read(event, name) {
    if (!(#values in event)) throw refused.noEvent();
    return event.#values[name];
  }

  static assign(event, values) {
    event.#values = values;
  }
}
const { assign, read } = _MessageEvent;
delete _MessageEvent.assign;
delete _MessageEvent.read;
for (const name of MEMBERS) {
  const { get } = {
    get() {
      return read(this, name);
    },
  };
  accessor(_MessageEvent.prototype, name, get);
}
const { initMessageEvent } = {
  initMessageEvent(
    type,
    bubbles = false,
    cancelable = false,
    data = null,
    origin = '',
    lastEventId = '',
    source = null,
    ports = [],
  ) {
    // Throws for what is no such event.
    read(this, 'data');
    need(1, arguments.length, 'MessageEvent.initMessageEvent');
    const values = membersOf({ data, origin, lastEventId, source, ports });
    if (this.currentTarget !== null) return;
    this.initEvent(type, bubbles, cancelable);
    assign(this, values);
  },
};
Object.defineProperty(_MessageEvent.prototype, 'initMessageEvent', {
  value: initMessageEvent,
  enumerable: true,
  configurable: true,
  writable: true,
});
tag(_MessageEvent, 'MessageEvent');

module.exports = { MessageEvent: _MessageEvent };
