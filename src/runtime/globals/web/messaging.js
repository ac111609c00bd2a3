'use strict';

// Channels inside one isolate: two ends that hand structured clones to each
// other, one macrotask per message.

/* global host */
const {
  accessor,
  enumerable,
  need,
  noArguments,
  tag,
} = require('../lib/webidl.js');

const { EventTarget, MessageEvent, handlerAttribute } = require('sw:events');

const KEY = Symbol('construct');

class MessagePort extends EventTarget {
  #other;
  #inbox = [];
  #started = false;
  #closed = false;
  #listeners = new Map();

  constructor(key) {
    if (key !== KEY) throw new TypeError('Illegal constructor');
    super();
  }

  static pair() {
    const first = new MessagePort(KEY);
    const second = new MessagePort(KEY);
    first.#other = second;
    second.#other = first;
    return [first, second];
  }

  postMessage(message, options = undefined) {
    need(1, arguments.length, 'MessagePort.postMessage');
    const { structuredClone } = require('sw:clone');
    const transfer = Array.isArray(options) ? options : options?.transfer;
    const data = structuredClone(message, { transfer: transfer ?? [] });
    const other = this.#other;
    if (this.#closed || other.#closed) return;
    other.#inbox.push(data);
    if (other.#started) other.#schedule();
  }

  start() {
    if (this.#started || this.#closed) return;
    this.#started = true;
    for (const _ of this.#inbox) this.#schedule();
  }

  #schedule() {
    host.setImmediate(() => {
      if (this.#closed || this.#inbox.length === 0) return;
      const data = this.#inbox.shift();
      this.dispatchEvent(new MessageEvent('message', { data }));
    });
  }

  static receive(port) {
    return port.#inbox.length > 0
      ? { message: port.#inbox.shift() }
      : undefined;
  }

  static setHandler(port, callback) {
    if (typeof callback === 'function') port.start();
  }

  close() {
    for (const port of [this, this.#other]) {
      if (port.#closed) continue;
      port.#closed = true;
      port.#inbox = [];
      const { Event } = require('sw:events');
      host.setImmediate(() => port.dispatchEvent(new Event('close')));
    }
  }

  ref() {}

  unref() {}

  // Node's ports are emitters too; their listeners get the bare data.
  on(type, listener) {
    const wrapped = (event) => listener.call(this, event.data);
    this.#listeners.set(listener, wrapped);
    this.addEventListener(type, wrapped);
    if (type === 'message') this.start();
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
const { pair, receive, setHandler } = MessagePort;
delete MessagePort.pair;
delete MessagePort.receive;
delete MessagePort.setHandler;
handlerAttribute(MessagePort, 'message');
handlerAttribute(MessagePort, 'messageerror');
handlerAttribute(MessagePort, 'close');
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
      setHandler(this, callback);
    },
  };
  accessor(prototype, 'onmessage', own.get, set);
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

module.exports = { MessageChannel, MessagePort, receiveMessage: receive };
