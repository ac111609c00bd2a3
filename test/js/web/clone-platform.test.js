'use strict';

/* global thrown */
const { standard } = require('./support.js');

standard('structuredClone: platform objects', {
  'exceptions keep name, message, code and kind': [
    () => {
      const to = structuredClone({ e: new DOMException('m', 'TimeoutError') });
      return [to.e instanceof DOMException, to.e.name, to.e.message, to.e.code];
    },
    [true, 'TimeoutError', 'm', 23],
  ],
  'blobs and files, and their subclasses as these': [
    async () => {
      class Mine extends File {}
      const from = new Mine(['ab'], 'n', { type: 'a/b', lastModified: 5 });
      const to = structuredClone([from, new Blob(['\0'], { type: 'x/y' })]);
      return [
        Object.getPrototypeOf(to[0]) === File.prototype,
        to[0].name,
        to[0].lastModified,
        to[0].type,
        await to[0].text(),
        Object.getPrototypeOf(to[1]) === Blob.prototype,
        await to[1].text(),
        to[1].type,
      ];
    },
    [true, 'n', 5, 'a/b', 'ab', true, '\0', 'x/y'],
  ],
  'they are found in instances, causes and what getters give': [
    () => {
      class Mine {
        blob = new Blob(['x']);
      }
      let reads = 0;
      const from = {
        mine: new Mine(),
        error: new TypeError('t', { cause: { blob: new Blob() } }),
        get late() {
          reads += 1;
          return new DOMException('d', 'AbortError');
        },
      };
      const to = structuredClone(from);
      return [
        to.mine.blob instanceof Blob,
        Object.getPrototypeOf(to.mine) === Object.prototype,
        to.error.constructor === TypeError,
        to.error.message,
        to.error.stack === from.error.stack,
        to.error.cause.blob instanceof Blob,
        to.late instanceof DOMException,
        reads,
        thrown(() =>
          structuredClone(new Error('e', { cause: new URLPattern() })),
        ),
        thrown(() =>
          structuredClone({
            get event() {
              return new URLPattern();
            },
          }),
        ),
      ];
    },
    [
      true,
      true,
      true,
      't',
      true,
      true,
      true,
      1,
      'DOM DataCloneError',
      'DOM DataCloneError',
    ],
  ],
  'what a getter takes away is not copied, nor what V8 leaves out': [
    () => {
      const date = Object.assign(new Date(1), { event: new Event('x') });
      const to = structuredClone({
        blob: new Blob(),
        date,
        get first() {
          delete this.second;
          return 1;
        },
        second: 2,
      });
      return [Object.keys(to), to.date.getTime(), 'event' in to.date];
    },
    [['blob', 'date', 'first'], 1, false],
  ],
  'keys are cloned': [
    async () => {
      const key = await crypto.subtle.importKey(
        'raw',
        new Uint8Array(16),
        'AES-GCM',
        true,
        ['encrypt'],
      );
      const { k } = structuredClone({ k: key });
      return [
        k instanceof CryptoKey,
        k !== key,
        k.usages,
        k.algorithm,
        (await crypto.subtle.exportKey('raw', k)).byteLength,
      ];
    },
    [true, true, ['encrypt'], { name: 'AES-GCM', length: 128 }, 16],
  ],
  'modules of WebAssembly are cloned': [
    () => {
      const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
      const to = structuredClone([new WebAssembly.Module(bytes)]);
      return to[0] instanceof WebAssembly.Module;
    },
    true,
  ],
});
