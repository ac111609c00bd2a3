'use strict';

// Channels inside one isolate: two ends that hand structured clones to each
// other (../lib/port-ends.js).

const {
  accessor,
  callable,
  enumerable,
  isObject,
  noArguments,
  sequence,
  tag,
} = require('../lib/webidl.js');
const { nativeError, needsNew, nodeError } = require('../lib/node-error.js');
const { makeEnds } = require('../lib/port-ends.js');
const { since } = require('../lib/versions.js');

const { moduleOf } = require('sw:library');
const { customInspectSymbol } = moduleOf('internal/util');

const { MessageEvent, defineEventHandler, fire } = require('sw:events');
const {
  Event,
  NodeEventTarget,
  kCreateEvent,
  kNewListener,
  kRemoveListener,
  kTrustEvent,
} = moduleOf('internal/event_target');

const KEY = Symbol('construct');
// The ports of the message that is delivered.
const RECEIVED = Symbol('nodejs.internal.kCurrentlyReceivingPorts');
// Hands listeners of Node's kind the bare data, those of the web's an event.
const HYBRID_DISPATCH = Symbol.for('nodejs.internal.kHybridDispatch');

const notCalled = () =>
  nodeError(
    TypeError,
    'ERR_CONSTRUCT_CALL_INVALID',
    'Constructor cannot be called',
  );

class MessagePortCloseEvent extends Event {}

function deliver(port, { data, ports }) {
  port[RECEIVED] = ports;
  port[HYBRID_DISPATCH](data, 'message', undefined);
}

const tellClosed = (port) => fire(port, MessagePortCloseEvent, 'close');

// The first listener to messages starts a port, without the last it waits.
// Functions without a name, as inspection shows them.
const [listenerAdded, listenerRemoved] = [
  function (size, type, ...rest) {
    if (type === 'message' && size === 1) {
      this.ref();
      this.start();
    }
    return listeners[kNewListener].call(this, size, type, ...rest);
  },
  function (size, type, ...rest) {
    if (type === 'message' && size === 0) {
      stop(this);
      this.unref();
    }
    return listeners[kRemoveListener].call(this, size, type, ...rest);
  },
];
const { prototype: listeners } = NodeEventTarget;

class MessagePort extends NodeEventTarget {
  #end;
  #isHeld = false;

  constructor(key, end) {
    if (key !== KEY) {
      throw notCalled();
    }
    super();
    this[kNewListener] = listenerAdded;
    this[kRemoveListener] = listenerRemoved;
    this[RECEIVED] = undefined;
    this.#end = end;
    end.enter(this);
    // As in Node, whose ports listen to these themselves.
    this.on('newListener', () => {});
    this.on('removeListener', () => {});
  }

  postMessage(message, options = undefined) {
    if (arguments.length === 0) {
      throw nativeError(
        TypeError,
        'ERR_MISSING_ARGS',
        'Not enough arguments to MessagePort.postMessage',
      );
    }
    const transfer = transferList(options);
    const end = this.#end;
    if (transfer.includes(this)) {
      const { DOMException } = require('sw:events');
      throw new DOMException(
        'Transfer list contains source port',
        'DataCloneError',
      );
    }
    const { cloneWithPorts } = require('sw:clone');
    const isDoomed = transfer.includes(end?.other.port);
    const { data, ports } = cloneWithPorts(message, transfer);
    if (!end || end.closing) return undefined;
    if (!isDoomed) end.other.receive({ data, ports });
    return true;
  }

  start() {
    this.#end?.start();
  }

  static internals = {
    isPort: (value) =>
      typeof value === 'object' && value !== null && #end in value,

    isActive: (port) => port.#end !== null && !port.#end.isClosed,

    stop: (port) => port.#end?.stop(),

    isTransferable: (port) => port.#end !== null && !port.#end.closing,

    /** The port that takes the place of this one, which is done for. */
    transfer(port) {
      const end = port.#end;
      port.#end = null;
      end.leave();
      return new MessagePort(KEY, end);
    },

    receive(port) {
      const next = port.#end?.take();
      return next && { message: next.data };
    },
  };

  close(callback = undefined) {
    if (typeof callback === 'function') this.once('close', callback);
    this.#end?.close();
  }

  // A port holds no loop of Node's; it only says whether it would.
  ref() {
    this.#isHeld = true;
  }

  unref() {
    this.#isHeld = false;
  }

  hasRef() {
    return this.#isHeld;
  }

  [kCreateEvent](data, type) {
    if (type !== 'message' && type !== 'messageerror') {
      return super[kCreateEvent](data, type);
    }
    const ports = this[RECEIVED] ?? [];
    this[RECEIVED] = undefined;
    return new MessageEvent(type, { data, ports }, kTrustEvent);
  }
}
const { isActive, isPort, isTransferable, receive, stop, transfer } =
  MessagePort.internals;
delete MessagePort.internals;
defineEventHandler(MessagePort.prototype, 'message');
defineEventHandler(MessagePort.prototype, 'messageerror');
defineEventHandler(MessagePort.prototype, 'close');
startByHandler();
enumerable(MessagePort, [
  ...['postMessage', 'start', 'close'],
  ...['hasRef', 'ref', 'unref'],
]);
if (since(26)) tag(MessagePort);
noArguments(MessagePort);

Object.defineProperty(MessagePort.prototype, customInspectSymbol, {
  value: function inspect() {
    if (!isPort(this)) return this;
    const isOpen = isActive(this);
    const state = isOpen
      ? { active: true, refed: this.hasRef() }
      : { active: false };
    const shown = { __proto__: MessagePort.prototype };
    return Object.assign(shown, state, this);
  },
});

function receiveMessage(port) {
  if (isPort(port)) return receive(port);
  throw nativeError(
    TypeError,
    'ERR_INVALID_ARG_TYPE',
    'The "port" argument must be a MessagePort instance',
  );
}

// Assigning onmessage starts a port, whatever is assigned.
function startByHandler() {
  const { prototype } = MessagePort;
  const own = Object.getOwnPropertyDescriptor(prototype, 'onmessage');
  const { set } = {
    set(callback) {
      own.set.call(this, callback);
      this.start();
    },
  };
  accessor(prototype, 'onmessage', own.get, set);
}

const notIterable = (name) =>
  nativeError(
    TypeError,
    'ERR_INVALID_ARG_TYPE',
    `Optional ${name} argument must be an iterable`,
  );

function transferList(options) {
  if (options === undefined || options === null) return [];
  if (!isObject(options)) throw notIterable('transferList');
  const isList = typeof options[Symbol.iterator] === 'function';
  const given = isList ? options : options.transfer;
  if (given === undefined) return [];
  const checked = (item) => {
    if (!isObject(item)) throw require('sw:clone').invalidTransfer();
    return item;
  };
  return sequence(given, 'MessagePort.postMessage', checked, () =>
    notIterable('options.transfer'),
  );
}

function pair() {
  const ends = makeEnds(deliver, tellClosed);
  return ends.map((end) => new MessagePort(KEY, end));
}

// A function with members of its own, because Node's is of C++.
function MessageChannel() {
  if (new.target === undefined) throw needsNew();
  const [port1, port2] = pair();
  Object.assign(this, { port1, port2 });
}
if (since(26)) tag(MessageChannel);

module.exports = {
  MessageChannel,
  MessagePort: callable(MessagePort, notCalled),
  isPort,
  isTransferablePort: isTransferable,
  receiveMessage,
  transferPort: transfer,
};
