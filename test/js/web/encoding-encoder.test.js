'use strict';

/* global thrown */
const { standard } = require('./support.js');

standard('TextEncoder', {
  'speaks UTF-8 only, lone surrogates are replaced': [
    () => {
      const encoder = new TextEncoder('utf-16');
      return [
        encoder.encoding,
        [...encoder.encode('z\u00A2\u6C34\u{1D11E}\uF8FF\u{10FFFD}')],
        [...encoder.encode('a\uD800b\uDC00')],
        [...encoder.encode()],
        [...encoder.encode(undefined)],
        [...encoder.encode(null)].length,
        encoder.encode('') instanceof Uint8Array,
      ];
    },
    [
      'utf-8',
      [
        122, 194, 162, 230, 176, 180, 240, 157, 132, 158, 239, 163, 191, 244,
        143, 191, 189,
      ],
      [97, 239, 191, 189, 98, 239, 191, 189],
      [],
      [],
      4,
      true,
    ],
  ],
  'encodeInto writes whole characters and counts both sides': [
    () => {
      const into = (text, size, Kind = Uint8Array) => {
        const bytes = new Kind(size).fill(255);
        const { read, written } = new TextEncoder().encodeInto(text, bytes);
        return [read, written, ...bytes];
      };
      return [
        into('hi', 0),
        into('hi', 10),
        into('\u{1D306}', 3),
        into('\u{1D306}A', 10),
        into('\uD834A\uDF06A\u00A5Hi', 10),
        into('A\uDF06', 4),
        into('\u00A5\u00A5', 4),
      ];
    },
    [
      [0, 0],
      [2, 2, 104, 105, 255, 255, 255, 255, 255, 255, 255, 255],
      [0, 0, 255, 255, 255],
      [3, 5, 240, 157, 140, 134, 65, 255, 255, 255, 255, 255],
      [5, 10, 239, 191, 189, 65, 239, 191, 189, 65, 194, 165],
      [2, 4, 65, 239, 191, 189],
      [2, 4, 194, 165, 194, 165],
    ],
  ],
  'encodeInto respects offset and shared memory, and takes only Uint8Array': [
    () => {
      const shared = new Uint8Array(new SharedArrayBuffer(6), 2, 2);
      const counts = new TextEncoder().encodeInto('abc', shared);
      const other = [
        new DataView(new ArrayBuffer(4)),
        new Int8Array(4),
        new Uint8ClampedArray(4),
        new Float32Array(4),
        new BigInt64Array(4),
        new ArrayBuffer(4),
        [],
      ];
      return [
        counts,
        [...new Uint8Array(shared.buffer)],
        other.map((into) =>
          thrown(() => new TextEncoder().encodeInto('', into)),
        ),
      ];
    },
    [
      { read: 2, written: 2 },
      [0, 0, 97, 98, 0, 0],
      Array.from({ length: 7 }, () => 'TypeError'),
    ],
  ],
  'encodeInto a detached view writes nothing': [
    () => {
      const view = new Uint8Array(4);
      structuredClone(0, { transfer: [view.buffer] });
      return new TextEncoder().encodeInto('x', view);
    },
    { read: 0, written: 0 },
  ],
});
