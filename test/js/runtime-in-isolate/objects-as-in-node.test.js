'use strict';

// Objects are made in an isolate as on a thread of Node's: copies of interfaces'
// objects, errors with a code, constants.

const { answersAsInNode } = require('./as-in-node-support.js');

const PROGRAMS = {
  'a transfer list names its first fault': () => {
    const refused = (makeList, value = 0) => {
      try {
        return structuredClone(value, { transfer: makeList() });
      } catch ({ code, message, name }) {
        return [name, code, message];
      }
    };
    const buffer = new ArrayBuffer(1);
    const { port1: port } = new MessageChannel();
    const streams = [new ReadableStream(), new WritableStream()];
    const gone = new ArrayBuffer(1);
    structuredClone(0, { transfer: [gone] });
    const lists = [
      ...[buffer, port, ...streams, new TransformStream()].map((each) => [
        each,
        each,
      ]),
      [buffer, port, port],
      [buffer, buffer, port, port],
      [port, port, buffer, buffer],
      [...streams, ...streams],
      [port, port, {}],
      [{}, port, port],
      [5, port, port],
      [null, null],
    ];
    const { port1 } = new MessageChannel();
    const post = () => {
      try {
        return port1.postMessage(0, [port, port]);
      } catch ({ message }) {
        return message;
      }
    };
    const results = lists.map((list) => refused(() => list));
    results.push(post());
    const moved = refused(() => [gone], { gone });
    const { gone: copy } = moved;
    results.push(copy ? [copy instanceof ArrayBuffer, copy.byteLength] : moved);
    results.push(refused(() => [], gone));
    results.push(refused(() => [gone, gone]));
    port1.close();
    port.close();
    return results;
  },
  'structuredClone copies and refuses the same objects': async () => {
    const { URL, URLSearchParams } = await import('node:url');
    const makers = {
      event: () => new Event('x'),
      custom: () => new CustomEvent('x', { detail: 1 }),
      message: () => new MessageEvent('x'),
      own: () => Object.assign(new EventTarget(), { own: 1 }),
      controller: () => new AbortController(),
      signal: () => AbortSignal.abort(1),
      url: () => new URL('http://x/'),
      search: () => new URLSearchParams('a=b'),
      channel: () => new MessageChannel(),
      port: () => new MessageChannel().port1,
      readable: () => new ReadableStream(),
      writable: () => new WritableStream(),
      transform: () => new TransformStream(),
      reader: () => new ReadableStream().getReader(),
      encoder: () => new TextEncoder(),
      strategy: () => new CountQueuingStrategy({ highWaterMark: 1 }),
      headers: () => new Headers({ a: 'b' }),
      response: () => new Response('x'),
      form: () => new FormData(),
      performance: () => performance,
      subtle: () => crypto.subtle,
      cause: () => new Error('x', { cause: new URL('http://x/') }),
      nested: () => ({ a: [new Event('y'), new TextDecoder()] }),
      derived: () => Object.assign(new (class extends Event {})('x'), { a: 1 }),
    };
    return Object.entries(makers).map(([name, make]) => {
      try {
        const copy = structuredClone(make());
        const { prototype } = copy instanceof Error ? Error : Object;
        const isPlain = Object.getPrototypeOf(copy) === prototype;
        return [name, isPlain, Object.keys(copy)];
      } catch (error) {
        const { name: kind, code, message } = error;
        const isException = error instanceof DOMException;
        return [name, kind, code, message, isException];
      }
    });
  },
  'errors with a code are of the same kind': async () => {
    const { AsyncLocalStorage, AsyncResource } = await import(
      'node:async_hooks'
    );
    const nodeCrypto = await import('node:crypto');
    const works = [
      () => setTimeout(1),
      () => setImmediate(),
      () => queueMicrotask({}),
      () => process.nextTick(null),
      () => process.emitWarning(5),
      () => process.exit({}),
      () => new AsyncResource(),
      () => AsyncLocalStorage.bind(1),
      () => new Blob(1),
      () => new File([], 'a', 1),
      () => new Blob([], { endings: 'odd' }),
      () => nodeCrypto.createHmac('sha256'),
      () => nodeCrypto.randomBytes(-1),
      () => nodeCrypto.createSecretKey(1),
      () => nodeCrypto.createECDH('X25519'),
      () => nodeCrypto.createECDH('sha256'),
    ];
    return works.map((work) => {
      try {
        return typeof work();
      } catch (error) {
        const prototype = Object.getPrototypeOf(error);
        const own = Object.getOwnPropertyDescriptors(error);
        delete own.stack;
        return [
          String(error),
          error.stack.split('\n')[0],
          own,
          error.constructor.name,
          Reflect.ownKeys(error),
          prototype === TypeError.prototype,
        ];
      }
    });
  },
  'constants cannot be changed where Node has them so': async () => {
    const { constants } = await import('node:os');
    const all = {
      os: constants,
      signals: constants.signals,
      errno: constants.errno,
      priority: constants.priority,
      fs: (await import('node:fs')).constants,
      zlib: (await import('node:zlib')).constants,
      crypto: (await import('node:crypto')).constants,
      perf: (await import('node:perf_hooks')).constants,
      all: (await import('node:constants')).default,
    };
    return Object.entries(all).map(([name, numbers]) => [
      name,
      Object.isExtensible(numbers),
      Object.entries(Object.getOwnPropertyDescriptors(numbers)).filter(
        ([key, { writable, configurable }]) =>
          key !== 'defaultCipherList' && (writable || configurable),
      ),
    ]);
  },
  'the global object has its tag': async () => [
    String(globalThis),
    Object.getOwnPropertyDescriptor(globalThis, Symbol.toStringTag),
  ],
};

answersAsInNode(PROGRAMS);
