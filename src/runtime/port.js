'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. The port of a message
// worker: parentPort of `node:worker_threads`, and the web's names for it. Only
// in message workers (`options.port`).
const { options } = native;
const {
  RealmMap,
  RealmNumber,
  apply,
  defineProperty,
  mapGet,
  mapSet,
} = require('./primordials.js');
const { PortMessage } = require('../../lib/protocol/wire.gen.js');

runtime.need('errors');
runtime.need('channels');
const { encodeThrown, rare, sendPort, setPort } = runtime;

let refed = false;
let closed = false;
let ended = false;

function end(kind, value) {
  if (ended) return;
  ended = true;
  sendPort([kind, value]);
}

// Ends the worker; does not return.
runtime.exit = (code) => {
  end(PortMessage.Exit, code);
  rare().stopSelf();
};

// Waits for the first listener for messages.
let onListening = null;
const lists = new RealmMap();
const types = [];

function listOf(type) {
  let list = mapGet(lists, type);
  if (list === undefined) {
    list = [];
    mapSet(lists, type, list);
    types[types.length] = type;
  }
  return list;
}

function add(type, listener, call, once) {
  if (typeof listener !== 'function') return;
  const list = listOf(type);
  list[list.length] = { listener, call, once };
  if (type !== 'message') return;
  refed = true;
  setPort(deliver);
  if (onListening === null) return;
  onListening();
  onListening = null;
}

function remove(type, listener) {
  const list = listOf(type);
  const kept = [];
  for (let i = 0; i < list.length; i++) {
    if (list[i].listener !== listener) kept[kept.length] = list[i];
  }
  mapSet(lists, type, kept);
  if (type === 'message' && kept.length === 0) refed = false;
}

function fire(type, value) {
  const list = listOf(type);
  for (let i = 0; i < list.length; i++) {
    const { listener, call, once } = list[i];
    if (once) remove(type, listener);
    call(listener, value);
  }
}

function eventNames() {
  const names = [];
  for (let i = 0; i < types.length; i++) {
    if (listOf(types[i]).length > 0) names[names.length] = types[i];
  }
  return names;
}

const nodeCall = (listener, value) => apply(listener, parentPort, [value]);
const webCall = (listener, data) =>
  apply(listener, parentPort, [{ type: 'message', data, target: parentPort }]);

function deliver(value) {
  if (closed) return;
  try {
    fire('message', value);
  } catch (error) {
    uncaught(error);
  }
}

let handler = null;

// Made at its first use.
let parentPort = null;
function makePort() {
  return {
    postMessage(value, transfer) {
      const list = transfer?.transfer ?? transfer;
      sendPort([PortMessage.Message, value], list);
    },
    on(type, listener) {
      add(type, listener, nodeCall, false);
      return parentPort;
    },
    once(type, listener) {
      add(type, listener, nodeCall, true);
      return parentPort;
    },
    off(type, listener) {
      remove(type, listener);
      return parentPort;
    },
    // The port still holds the worker, as in Node.
    removeAllListeners(type) {
      if (type !== undefined) mapSet(lists, type, []);
      else for (let i = 0; i < types.length; i++) mapSet(lists, types[i], []);
      return parentPort;
    },
    emit(type, value) {
      const heard = listOf(type).length > 0;
      fire(type, value);
      return heard;
    },
    // Warnings about many listeners do not exist here.
    setMaxListeners() {},
    eventNames,
    listenerCount: (type) => listOf(type).length,
    addListener: (type, listener) => parentPort.on(type, listener),
    removeListener: (type, listener) => parentPort.off(type, listener),
    addEventListener(type, listener, settings) {
      add(type, listener, webCall, settings?.once === true);
    },
    removeEventListener: (type, listener) => remove(type, listener),
    get onmessage() {
      return handler;
    },
    set onmessage(listener) {
      if (handler !== null) remove('message', handler);
      handler = typeof listener === 'function' ? listener : null;
      if (handler !== null) add('message', handler, webCall, false);
    },
    start() {
      setPort(deliver);
    },
    hasRef: () => refed,
    ref() {
      refed = true;
    },
    unref() {
      refed = false;
    },
    close() {
      closed = true;
      refed = false;
      fire('close');
    },
  };
}

// An uncaught error ends a message worker, as it ends a thread of Node's.
function uncaught(error) {
  let described;
  try {
    const o = encodeThrown(error);
    described = runtime.codec.decode(
      o.kind,
      o.number,
      o.slots,
      0,
      o.text,
      undefined,
    );
  } catch {
    described = { opaque: 'error' };
  }
  end(PortMessage.Error, described);
  rare().stopSelf();
}

// The exit code after the listeners of `exit` ran.
function exitCodeOf(process) {
  if (!process._exiting) {
    process._exiting = true;
    process.emit('exit', process.exitCode ?? 0);
  }
  return RealmNumber(process.exitCode ?? 0);
}

// Ends the worker once no work and no listener is left.
runtime.onIdle = () => {
  if (runtime.online !== true || refed || ended) return;
  const process = runtime.globals.load.loaded('node:process');
  try {
    end(PortMessage.Exit, process === undefined ? 0 : exitCodeOf(process));
  } catch (error) {
    uncaught(error);
  }
};

runtime.workerThreads = () => ({
  parentPort,
  workerData: runtime.workerData ?? null,
  threadId: rare().threadId(),
  threadName: '',
  resourceLimits: {},
});

if (options.port === true) {
  parentPort = makePort();
  runtime.uncaught = uncaught;
  runtime.port = parentPort;
  runtime.whenListening = (callback) => {
    if (refed) callback();
    else onListening = callback;
  };
  const globals = {
    postMessage: (value, transfer) => parentPort.postMessage(value, transfer),
    close: () => parentPort.close(),
  };
  for (const name of ['postMessage', 'close']) {
    defineProperty(globalThis, name, {
      __proto__: null,
      value: globals[name],
      writable: true,
      enumerable: false,
      configurable: true,
    });
  }
  defineProperty(globalThis, 'onmessage', {
    __proto__: null,
    get: () => parentPort.onmessage,
    set: (listener) => {
      parentPort.onmessage = listener;
    },
    enumerable: false,
    configurable: true,
  });
}
