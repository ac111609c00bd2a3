'use strict';
// Node's words of the system, and members that need none of its I/O: in an
// isolate as on a thread of this Node.

/* global collect, later, thrown */
const { AS_NODE, standard } = require('../web/support.js');

const node = (title, work) => [title, [work, AS_NODE]];

standard(
  'the system',
  Object.fromEntries([
    node('numbers', async () => {
      const [os, fs, promises, { default: all }] = await Promise.all([
        import('node:os'),
        import('node:fs'),
        import('node:fs/promises'),
        import('node:constants'),
      ]);
      const proto = (object) => Object.getPrototypeOf(object) === null;
      return [
        Object.entries(os.constants),
        proto(os.constants) && proto(os.constants.signals),
        Object.entries(fs.constants),
        fs.constants === promises.constants,
        // Node has it on its main thread only.
        Object.entries(all).filter(([name]) => name !== 'defaultCipherList'),
      ];
    }),
    node('who runs the process', () => [
      ...['getuid', 'geteuid', 'getgid', 'getegid', 'getgroups'].map((name) =>
        process[name]?.(),
      ),
      process.debugPort,
      process.domain,
      process.hasUncaughtExceptionCaptureCallback(),
      ['execve', 'finalization', 'ref', 'threadCpuUsage', 'unref'].map(
        (name) => name in process,
      ),
      'assert' in process,
    ]),
    node('what is told of at the end', () => {
      const { finalization } = process;
      if (finalization === undefined) return 'none';
      const told = [];
      const objects = [{ n: 1 }, { n: 2 }];
      const tell = ({ n }, event) => told.push([n, event]);
      for (const object of objects) finalization.register(object, tell);
      finalization.unregister(objects[0]);
      process.emit('exit', 0);
      return [told, thrown(() => finalization.register(1, tell))];
    }),
    node('time and memory', () => {
      const before = process.cpuUsage();
      let since;
      do since = process.cpuUsage(before);
      while (since.user + since.system === 0);
      const now = process.cpuUsage();
      return [
        Object.keys(before),
        since.user >= 0 && since.user <= now.user - before.user,
        since.system >= 0 && since.system <= now.system - before.system,
        thrown(() => process.cpuUsage(1)),
        thrown(() => process.cpuUsage({ user: 'a' })),
        process.availableMemory() > 0,
      ];
    }),
    node('stdin is at its end', async () => {
      const chunks = [];
      for await (const chunk of process.stdin) chunks.push(chunk);
      return [process.stdin.fd, chunks];
    }),
    node('symbols of disposal', async () => {
      const { Readable } = await import('node:stream');
      return [
        Object.getOwnPropertyDescriptor(Symbol, 'dispose').writable,
        typeof Symbol.asyncDispose,
        typeof setTimeout(() => {}, 0)[Symbol.dispose],
        typeof new Readable()[Symbol.asyncDispose],
      ];
    }),
    node('warnings of delays, and what a timer says of itself', async () => {
      const told = [];
      const listener = ({ name, message }) => told.push([name, message]);
      process.on('warning', listener);
      const delays = [2 ** 31, Infinity, -1, -2, Number.NaN, 'a', 0, 0.5];
      const timers = [...delays, undefined].map((delay) =>
        setTimeout(() => {}, delay),
      );
      for (const timer of timers) clearTimeout(timer);
      const immediate = setImmediate(function () {
        told.push(this === immediate);
      });
      await later(5);
      process.off('warning', listener);
      return [
        told.sort(),
        timers.every(({ _destroyed }) => _destroyed),
        immediate._destroyed,
      ];
    }),
    node('what only V8 has of the console', () => [
      typeof console.context,
      typeof console.context('b').log,
    ]),
    node('a blob as text, piece by piece', async () => {
      const blob = new Blob(['a\u20ac', 'b']);
      if (blob.textStream === undefined) return 'none';
      const { textStream } = Blob.prototype;
      return [
        (await collect(blob.textStream())).join(''),
        thrown(() => textStream.call({})),
        Object.keys(Blob.prototype).includes('textStream'),
      ];
    }),
    node('a response as text, piece by piece', async () => {
      const { textStream } = Response.prototype;
      if (textStream === undefined) return 'none';
      const response = new Response('a\u20ac');
      const collected = (await collect(response.textStream())).join('');
      return [
        collected,
        response.bodyUsed,
        thrown(() => response.textStream()),
        await collect(new Request('http://a/').textStream()),
        thrown(() => textStream.call({})),
      ];
    }),
    node('a close event', () => {
      // Node 20 and 22 have none.
      if (!process.versions.node.match(/^2[0-2]/)) {
        const init = { wasClean: 1, code: 65536 + 7, reason: 'a\ud800' };
        const { wasClean, code, reason } = new CloseEvent('close', init);
        const bare = new CloseEvent('x');
        return [
          [wasClean, code, reason],
          [bare.wasClean, bare.code, bare.reason, bare instanceof Event],
          thrown(() => new CloseEvent()),
          Object.keys(CloseEvent.prototype),
        ];
      }
      return 'none';
    }),
    node('the ciphers of TLS among the constants', async () => {
      const { default: constants } = await import('node:constants');
      const { defaultCipherList } = (await import('node:crypto')).constants;
      return (constants.defaultCipherList ?? defaultCipherList) ===
        defaultCipherList
        ? defaultCipherList
        : 'another';
    }),
    node('source maps', async () => {
      const { SourceMap } = await import('node:module');
      const map = new SourceMap({
        version: 3,
        sources: ['a.ts'],
        names: ['one'],
        mappings: 'AAAA,IAAIA;AACA',
        file: 'a.js',
      });
      return [
        map.findEntry(0, 5),
        map.findOrigin?.(1, 5),
        map.payload.sources,
        thrown(() => new SourceMap(1)),
      ];
    }),
    node('functions of a text', async () => {
      const { compileFunction } = await import('node:vm');
      const add = compileFunction('return a + b', ['a', 'b'], {
        filename: 'add.js',
      });
      return [
        add(1, 2),
        add.length,
        thrown(() => compileFunction('}; {')),
        thrown(() => compileFunction(1)),
        thrown(() => compileFunction('', 'a')),
      ];
    }),
    node('colours that an environment allows', async () => {
      const { WriteStream, isatty } = await import('node:tty');
      const { prototype } = WriteStream;
      return [
        prototype.getColorDepth({ TERM: 'xterm-256color' }),
        prototype.getColorDepth({ TERM: 'dumb' }),
        prototype.hasColors(256, { COLORTERM: 'truecolor', TERM: 'xterm' }),
        prototype.isTTY,
        isatty(99),
      ];
    }),
    node('escapes of a terminal', async () => {
      const { WriteStream } = await import('node:tty');
      const { cursorTo, clearLine, clearScreenDown, moveCursor } =
        WriteStream.prototype;
      const texts = [];
      const stream = { write: (text) => texts.push(text) };
      cursorTo.call(stream, 3, 4);
      cursorTo.call(stream, 3);
      moveCursor.call(stream, -1, 2);
      clearLine.call(stream, 1);
      clearScreenDown.call(stream);
      return [texts, thrown(() => cursorTo.call(stream, Number.NaN, 1))];
    }),
    node('a scope with a store', async () => {
      const { AsyncLocalStorage } = await import('node:async_hooks');
      const storage = new AsyncLocalStorage();
      if (storage.withScope === undefined) return 'none';
      return storage.run(1, () => {
        const scope = storage.withScope(2);
        const stores = [storage.getStore()];
        scope.dispose();
        scope.dispose();
        return [...stores, storage.getStore(), typeof scope[Symbol.dispose]];
      });
    }),
    node('a port that holds a loop', async () => {
      const { MessageChannel } = await import('node:worker_threads');
      const { port1 } = new MessageChannel();
      const held = [port1.hasRef()];
      port1.on('message', () => {});
      held.push(port1.hasRef());
      port1.unref();
      held.push(port1.hasRef());
      port1.close();
      return held;
    }),
    node('marks of what stays', async () => {
      const threads = await import('node:worker_threads');
      const { isMarkedAsUntransferable: isMarked } = threads;
      const buffer = new ArrayBuffer(1);
      threads.markAsUntransferable(buffer);
      return [typeof isMarked, isMarked?.(buffer), isMarked?.(new Map())];
    }),
    node('caches of code', async () => {
      const { constants, getCompileCacheDir } = await import('node:module');
      return [constants, typeof getCompileCacheDir];
    }),
    node('the kind of a key', async () => {
      const { KeyObject, createSecretKey } = await import('node:crypto');
      const key = createSecretKey(new Uint8Array(3));
      const { enumerable, get } = Object.getOwnPropertyDescriptor(
        KeyObject.prototype,
        'type',
      );
      return [key.type, enumerable, typeof get, Object.keys(key)];
    }),
  ]),
);
