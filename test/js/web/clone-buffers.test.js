'use strict';

/* global thrown */
const { AS_NODE, standard } = require('./support.js');

// Node's error for what is not transferable at all.
function refusalHere() {
  try {
    return structuredClone(0, { transfer: [{}] });
  } catch (error) {
    const { name } = error;
    return error instanceof DOMException ? `DOM ${name}` : name;
  }
}
const refusal = refusalHere();

standard('structuredClone: buffers', {
  'views of every kind, with offset and length': [
    () =>
      [
        Int8Array,
        Uint8Array,
        Uint8ClampedArray,
        Int16Array,
        Uint16Array,
        Int32Array,
        Uint32Array,
        Float32Array,
        Float64Array,
        BigInt64Array,
        BigUint64Array,
        DataView,
      ].every((Kind) => {
        const from = new Kind(new ArrayBuffer(32), 8, 2);
        const to = structuredClone(from);
        return (
          to.constructor === Kind &&
          to.byteOffset === 8 &&
          to.byteLength === from.byteLength &&
          to.buffer.byteLength === 32 &&
          to.buffer !== from.buffer
        );
      }),
    true,
  ],
  'two views of one buffer still share it': [
    () => {
      const buffer = new ArrayBuffer(8);
      const [a, b] = structuredClone([
        new Uint8Array(buffer),
        new DataView(buffer, 4),
      ]);
      return a.buffer === b.buffer;
    },
    true,
  ],
  'resizable buffers, and views that track their length': [
    () => {
      const buffer = new ArrayBuffer(4, { maxByteLength: 16 });
      const [copy, tracking, fixed] = structuredClone([
        buffer,
        new Uint8Array(buffer, 1),
        new Uint8Array(buffer, 0, 2),
      ]);
      copy.resize(9);
      return [copy.maxByteLength, tracking.length, fixed.length];
    },
    [16, 8, 2],
  ],
  'a view out of bounds is refused': [
    () => {
      const buffer = new ArrayBuffer(8, { maxByteLength: 16 });
      const view = new Uint8Array(buffer, 4, 4);
      buffer.resize(2);
      return [
        thrown(() => structuredClone(view)),
        thrown(() => structuredClone(view, { transfer: [view.buffer] })),
      ];
    },
    ['DOM DataCloneError', 'DOM DataCloneError'],
  ],
  'shared memory stays shared': [
    () => {
      const from = new Int32Array(new SharedArrayBuffer(8));
      const to = structuredClone(from);
      to[1] = 7;
      return [from[1], to.buffer !== from.buffer];
    },
    [7, true],
  ],
  'a buffer in the list moves': [
    () => {
      const from = new Uint8Array([1, 2, 3]);
      const to = structuredClone(from, { transfer: [from.buffer] });
      return [from.length, from.buffer.byteLength, [...to]];
    },
    [0, 0, [1, 2, 3]],
  ],
  'a buffer in the list moves although nothing refers to it': [
    () => {
      const buffer = new ArrayBuffer(4);
      return [structuredClone(1, { transfer: [buffer] }), buffer.byteLength];
    },
    [1, 0],
  ],
  'nothing moves when the clone fails': [
    () => {
      const buffer = new ArrayBuffer(4);
      const answer = thrown(() =>
        structuredClone({ buffer, f() {} }, { transfer: [buffer] }),
      );
      return [answer, buffer.byteLength];
    },
    ['DOM DataCloneError', 4],
  ],
  'a detached buffer in the list': [
    () => {
      const transfer = [new ArrayBuffer(1)];
      structuredClone(0, { transfer });
      return thrown(() => structuredClone(0, { transfer }));
    },
    AS_NODE,
  ],
  'twice, shared, or no transferable at all: refused': [
    () => {
      const twice = new ArrayBuffer(1);
      return [
        [twice, twice],
        [new SharedArrayBuffer(1)],
        [{}],
        [new Uint8Array(1)],
        [new Blob(['x'])],
        [new Date()],
      ].map((transfer) => thrown(() => structuredClone(0, { transfer })));
    },
    ['DOM DataCloneError', ...Array.from({ length: 5 }, () => refusal)],
  ],
  'a detached buffer is refused, its empty view too': [
    () => {
      const view = new Uint8Array(4);
      structuredClone(0, { transfer: [view.buffer] });
      return [
        thrown(() => structuredClone(view.buffer)),
        thrown(() => structuredClone(view)),
      ];
    },
    ['DOM DataCloneError', 'DOM DataCloneError'],
  ],
  'the options are a dictionary with a sequence of objects': [
    () => [
      thrown(() => structuredClone()),
      thrown(() => structuredClone(1, 2)),
      thrown(() => structuredClone(1, { transfer: 3 })),
      thrown(() => structuredClone(1, { transfer: [4] })),
      thrown(() => structuredClone(1, { transfer: null })),
      structuredClone(1, null),
      structuredClone(1, undefined),
      structuredClone(1, { transfer: undefined }),
      structuredClone(1, { transfer: new Set() }),
    ],
    // Node 20 moves nothing where `transfer` is null.
    AS_NODE,
  ],
});
