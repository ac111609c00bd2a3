'use strict';

// Channels inside one isolate: two ends that hand structured clones to each
// other, one macrotask per message.

/* global host */
const {
  accessor,
  enumerable,
  isObject,
  noArguments,
  sequence,
  tag,
} = require('../lib/webidl.js');
const { storesOfNow, withStores } = require('../lib/async-stores.js');
const { nativeError } = require('../lib/node-error.js');

const {
  EventTarget,
  MessageEvent,
  defineEventHandler,
  fire,
} = require('sw:events');

const KEY = Symbol('construct');

// One end of a channel; it outlives the port that speaks for it, because a
// port may be transferred.
class End {
  other = null;
  port = null;
  inbox = [];
  started = false;
  closed = false;
  // Listeners see those of where the port was made, not of who posts.
  stores = storesOfNow();

  fire(Event, type, init) {
    withStores(this.stores, () => fire(this.port, Event, type, init));
  }

  schedule() {
    host.setImmediate(() => {
      if (this.inbox.length === 0 || this.port === null || !this.started) {
        return;
      }
      const { data, ports } = this.inbox.shift();
      this.fire(MessageEvent, 'message', { data, ports });
    });
  }
}

class MessagePort extends EventTarget {
  #end;
  #isHeld = false;
  #listeners = new Map();

  constructor(key, end) {
    if (key !== KEY) throw new TypeError('Illegal constructor');
    super();
    this.#end = end;
    end.port = this;
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
    if (!end || end.closed) return undefined;
    if (isDoomed || end.other.closed) return true;
    end.other.inbox.push({ data, ports });
    if (end.other.started) end.other.schedule();
    return true;
  }

  start() {
    const end = this.#end;
    if (!end || end.started) return;
    end.started = true;
    for (const _ of end.inbox) end.schedule();
  }

  static internals = {
    isPort: (value) =>
      typeof value === 'object' && value !== null && #end in value,

    isTransferable: (port) => port.#end !== null && !port.#end.closed,

    /** The port that takes the place of this one, which is done for. */
    transfer(port) {
      const end = port.#end;
      port.#end = null;
      end.started = false;
      end.stores = storesOfNow();
      return new MessagePort(KEY, end);
    },

    receive(port) {
      const next = port.#end?.inbox.shift();
      return next && { message: next.data };
    },
  };

  close() {
    const end = this.#end;
    if (!end || end.closed) return;
    // Messages sent before still arrive, at both ends.
    end.closed = true;
    if (end.other.closed) return;
    const { Event } = require('sw:events');
    for (const one of [end, end.other]) {
      host.setImmediate(() => one.fire(Event, 'close'));
    }
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

  // Node's ports are emitters too; their listeners get the bare data.
  on(type, listener) {
    const wrapped = (event) => listener.call(this, event.data);
    this.#listeners.set(listener, wrapped);
    this.addEventListener(type, wrapped);
    if (type === 'message') {
      this.start();
      this.ref();
    }
    return this;
  }

  once(type, listener) {
    const once = (value) => {
      this.off(type, once);
      listener.call(this, value);
    };
    return this.on(type, once);
  }

  off(type, listener) {
    const wrapped = this.#listeners.get(listener);
    this.removeEventListener(type, wrapped ?? listener);
    this.#listeners.delete(listener);
    return this;
  }

  addListener(type, listener) {
    return this.on(type, listener);
  }

  removeListener(type, listener) {
    return this.off(type, listener);
  }
}
const { isPort, isTransferable, receive, transfer } = MessagePort.internals;
delete MessagePort.internals;
defineEventHandler(MessagePort.prototype, 'message');
defineEventHandler(MessagePort.prototype, 'messageerror');
defineEventHandler(MessagePort.prototype, 'close');
startByHandler();
enumerable(MessagePort, ['postMessage', 'start', 'close']);
tag(MessagePort);
noArguments(MessagePort);

// Assigning onmessage starts a port; addEventListener does not.
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
    if (!isObject(item)) {
      throw nativeError(
        TypeError,
        'ERR_INVALID_TRANSFER_OBJECT',
        'Found invalid object in transferList',
      );
    }
    return item;
  };
  return sequence(given, 'MessagePort.postMessage', checked, () =>
    notIterable('options.transfer'),
  );
}

function pair() {
  const ends = [new End(), new End()];
  ends[0].other = ends[1];
  ends[1].other = ends[0];
  return ends.map((end) => new MessagePort(KEY, end));
}

class MessageChannel {
  #ports = pair();

  get port1() {
    return this.#ports[0];
  }

  get port2() {
    return this.#ports[1];
  }
}
enumerable(MessageChannel, ['port1', 'port2']);
tag(MessageChannel);

module.exports = {
  MessageChannel,
  MessagePort,
  isPort,
  isTransferablePort: isTransferable,
  receiveMessage: receive,
  transferPort: transfer,
};
