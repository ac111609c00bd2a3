'use strict';

// How the interfaces look as Web IDL has them: lengths, names, attributes of
// properties, brand checks, tags.

const { Console } = require('node:console');

const { WorkerPool } = require('../../../lib/index.js');

// name: what it inherits from, the constructor's length (null: nobody may
// call it), attributes, operations and static members with their lengths.
const INTERFACES = {
  EventTarget: {
    length: 0,
    operations: { addEventListener: 2, removeEventListener: 2 },
  },
  Event: {
    length: 1,
    attributes:
      'type target srcElement currentTarget eventPhase bubbles cancelable defaultPrevented composed timeStamp',
    settable: 'cancelBubble returnValue',
    operations: { composedPath: 0, preventDefault: 0, initEvent: 1 },
  },
  CustomEvent: {
    parent: 'Event',
    length: 1,
    attributes: 'detail',
    operations: { initCustomEvent: 1 },
  },
  ErrorEvent: {
    parent: 'Event',
    length: 1,
    attributes: 'message filename lineno colno error',
  },
  MessageEvent: {
    parent: 'Event',
    length: 1,
    attributes: 'data origin lastEventId source ports',
    operations: { initMessageEvent: 1 },
  },
  PromiseRejectionEvent: {
    parent: 'Event',
    length: 2,
    attributes: 'promise reason',
  },
  AbortController: {
    length: 0,
    attributes: 'signal',
    operations: { abort: 0 },
  },
  AbortSignal: {
    parent: 'EventTarget',
    length: null,
    attributes: 'aborted reason',
    settable: 'onabort',
    operations: { throwIfAborted: 0 },
    statics: { abort: 0, timeout: 1, any: 1 },
  },
  MessageChannel: { length: 0, attributes: 'port1 port2' },
  // Node has a class of emitters between it and EventTarget.
  MessagePort: {
    parent: 'EventTarget',
    between: 1,
    length: null,
    settable: 'onclose onmessage onmessageerror',
    operations: { postMessage: 1, start: 0, close: 0 },
  },
  Performance: {
    parent: 'EventTarget',
    length: null,
    attributes: 'timeOrigin',
    operations: {
      now: 0,
      toJSON: 0,
      getEntries: 0,
      getEntriesByName: 1,
      getEntriesByType: 1,
      mark: 1,
      measure: 1,
      clearMarks: 0,
      clearMeasures: 0,
    },
  },
  PerformanceEntry: {
    length: null,
    attributes: 'name entryType startTime duration',
    operations: { toJSON: 0 },
  },
  PerformanceMark: {
    parent: 'PerformanceEntry',
    length: 1,
    attributes: 'detail',
  },
  PerformanceMeasure: {
    parent: 'PerformanceEntry',
    length: null,
    attributes: 'detail',
  },
  PerformanceObserver: {
    length: 1,
    operations: { observe: 0, disconnect: 0, takeRecords: 0 },
    staticAttributes: 'supportedEntryTypes',
  },
  PerformanceObserverEntryList: {
    length: null,
    operations: { getEntries: 0, getEntriesByName: 1, getEntriesByType: 1 },
  },
  QuotaExceededError: {
    parent: 'DOMException',
    length: 0,
    attributes: 'quota requested',
  },
  Navigator: {
    length: null,
    attributes:
      'appCodeName appName appVersion hardwareConcurrency language languages platform product userAgent',
  },
};

const FUNCTIONS = {
  addEventListener: 2,
  atob: 1,
  btoa: 1,
  clearInterval: 0,
  clearTimeout: 0,
  dispatchEvent: 1,
  queueMicrotask: 1,
  removeEventListener: 2,
  reportError: 1,
  // Node's, from 22 on; the standard's have 1.
  setInterval: 2,
  setTimeout: 2,
  structuredClone: 1,
};

function look({ input: [name, description] }) {
  const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
  const {
    parent,
    between = 0,
    length,
    attributes = '',
    settable = '',
    operations = {},
    statics = {},
    staticAttributes = '',
  } = description;
  const Class = globalThis[name];
  const { prototype } = Class;
  const wrong = [];
  const say = (isRight, text) => isRight || wrong.push(text);
  const words = (text) => text.split(' ').filter((word) => word !== '');
  const throws = (work) => {
    try {
      work();
      return false;
    } catch (error) {
      return error.constructor === TypeError;
    }
  };
  const flags = (descriptor) =>
    [
      descriptor.writable ? 'w' : '',
      descriptor.enumerable ? 'e' : '',
      descriptor.configurable ? 'c' : '',
    ].join('');
  const above = (object) => {
    let one = getPrototypeOf(object);
    for (let hidden = 0; hidden < between; hidden++) one = getPrototypeOf(one);
    return one;
  };
  const strangers = [null, undefined, 1, {}, prototype];

  say(flags(getOwnPropertyDescriptor(globalThis, name)) === 'wc', 'global');
  say(
    above(Class) === (parent ? globalThis[parent] : Function.prototype),
    'parent',
  );
  say(
    above(prototype) === (parent ? globalThis[parent] : Object).prototype,
    "prototype's parent",
  );
  say(Class.name === name && Class.length === (length ?? 0), 'name or length');
  say(flags(getOwnPropertyDescriptor(Class, 'length')) === 'c', 'length');
  say(flags(getOwnPropertyDescriptor(Class, 'prototype')) === '', 'prototype');
  const tag = getOwnPropertyDescriptor(prototype, Symbol.toStringTag);
  say(tag?.value === name && flags(tag) === 'c', 'tag');
  say(
    throws(() => Class()),
    'called without new',
  );
  if (length === null) {
    say(
      throws(() => new Class('a', {})),
      'constructed',
    );
  }
  if (length > 0) {
    say(
      throws(() => new Class()),
      'constructed without arguments',
    );
  }

  for (const key of [...words(attributes), ...words(settable)]) {
    const found = getOwnPropertyDescriptor(prototype, key);
    say(found?.get?.name === `get ${key}`, `${key}: getter`);
    say(found && flags(found) === 'ec', `${key}: flags`);
    const isSettable = words(settable).includes(key);
    say((found?.set !== undefined) === isSettable, `${key}: setter`);
    for (const stranger of strangers) {
      say(
        throws(() => found.get.call(stranger)),
        `${key} of ${typeof stranger}`,
      );
      if (!isSettable) continue;
      say(
        throws(() => found.set.call(stranger, null)),
        `${key} set of ${typeof stranger}`,
      );
    }
  }
  for (const [key, count] of Object.entries({ ...operations, ...statics })) {
    const isStatic = Object.hasOwn(statics, key);
    const found = getOwnPropertyDescriptor(isStatic ? Class : prototype, key);
    say(found && flags(found) === 'wec', `${key}: flags`);
    say(found?.value.name === key, `${key}: name`);
    say(found?.value.length === count, `${key}: length`);
    if (isStatic) continue;
    for (const stranger of strangers) {
      const args = Array.from({ length: count }, () => 'x');
      say(
        throws(() => found.value.apply(stranger, args)),
        `${key} on ${typeof stranger}`,
      );
    }
  }
  for (const key of words(staticAttributes)) {
    const found = getOwnPropertyDescriptor(Class, key);
    say(found?.get?.name === `get ${key}`, `${key}: getter`);
    say(found && flags(found) === 'ec', `${key}: flags`);
  }
  return wrong;
}

function lookAtFunction({ input: [name, length] }) {
  const { value, enumerable, writable, configurable } =
    Object.getOwnPropertyDescriptor(globalThis, name);
  return [value.name, value.length, enumerable, writable, configurable, length];
}

let pool;
let threads;

beforeAll(() => {
  pool = WorkerPool.create('interfaces', { workers: 1 });
  threads = WorkerPool.create('node', { workers: 1, runtime: 'thread' });
});

afterAll(() => Promise.all([pool.stop(), threads.stop()]));

// Node's own text, which differs from the standard where Node does.
const NODES = [
  ...['Event', 'CustomEvent', 'AbortSignal', 'PerformanceEntry'],
  ...['PerformanceMark', 'PerformanceMeasure', 'PerformanceObserver'],
  'MessageChannel',
];

test.each(Object.entries(INTERFACES))('%s', async (name, description) => {
  const input = [name, description];
  const wrong = NODES.includes(name) ? await threads.run(look, { input }) : [];
  // Ports inherit their tag up to Node 24.
  const isInherited =
    name === 'MessagePort' && parseInt(process.versions.node, 10) < 26;
  if (isInherited) wrong.push('tag');
  expect(await pool.run(look, { input })).toEqual(wrong);
});

test.each(Object.entries(FUNCTIONS))('%s()', async (name, length) => {
  const input = [name, length];
  // Node's have other numbers of parameters than the standard's.
  const isNodes = /(Timeout|Interval|^structuredClone)$/.test(name);
  const expected = isNodes
    ? await threads.run(lookAtFunction, { input })
    : [name, length, true, true, true, length];
  expect(await pool.run(lookAtFunction, { input })).toEqual(expected);
});

test("the console's methods are those of Node's", async () => {
  const lengths = await pool.run(() =>
    Object.entries(console.Console.prototype).map(([name, { length }]) => [
      name,
      length,
    ]),
  );
  expect(lengths).toEqual(
    Object.entries(Console.prototype).map(([name, { length }]) => [
      name,
      length,
    ]),
  );
});
