'use strict';

/* global thrown, rejected, collect */
const { standard } = require('./support.js');

standard('Blob', {
  'is made of a sequence of parts': [
    async () => {
      const view = new Uint8Array([1, 97, 98, 1]).subarray(1, 3);
      const parts = [
        'x',
        view,
        view.buffer,
        new DataView(view.buffer, 1, 1),
        new Blob(['y']),
        null,
        undefined,
        5,
        {},
        [1, 2],
        new Uint16Array([0x6161]),
      ];
      const list = {
        *[Symbol.iterator]() {
          yield 'i';
        },
      };
      class Mine extends Blob {}
      return [
        await new Blob(parts).text(),
        await new Blob(list).text(),
        await new Blob(new Set(['s'])).text(),
        await new Blob(new Uint8Array([1, 23])).text(),
        await new Blob(new String('st')).text(),
        new Blob().size,
        new Blob(undefined).size,
        new Mine([]) instanceof Blob,
        await new Blob(['\ud800']).text(),
      ];
    },
    [
      'xab\u0001ab\u0001aynullundefined5[object Object]1,2aa',
      'i',
      's',
      '123',
      'st',
      0,
      0,
      true,
      '\ufffd',
    ],
  ],
  'what is no sequence is refused': [
    () =>
      [
        null,
        true,
        0,
        'text',
        {},
        new Date(),
        () => {},
        { [Symbol.iterator]: 1 },
      ]
        .map((parts) => thrown(() => new Blob(parts)))
        .concat(
          thrown(() => Blob([])),
          thrown(() => new Blob([Symbol('s')])),
          thrown(() => new Blob([], 'x')),
          thrown(() => new Blob([], { endings: 'other' })),
          thrown(
            () =>
              new Blob([
                {
                  toString() {
                    throw new SyntaxError('s');
                  },
                },
              ]),
          ),
        ),
    [...Array.from({ length: 12 }, () => 'TypeError'), 'SyntaxError'],
  ],
  'type is lowered, and empty if it is not printable': [
    () =>
      ['A/B;C', 'a\u00e9', 'a\tb', '\u007f', null, undefined, ' x ']
        .map((type) => new Blob([], { type }).type)
        .concat(new Blob([], null).type, new Blob([], () => {}).type),
    ['a/b;c', '', '', '', 'null', '', ' x ', '', ''],
  ],
  endings: [
    async () => [
      await new Blob(['a\r\nb\rc\nd'], { endings: 'native' }).text(),
      await new Blob(['a\r\n'], { endings: 'transparent' }).text(),
    ],
    ['a\nb\nc\nd', 'a\r\n'],
  ],
  slices: [
    async () => {
      const blob = new Blob(['PASSSTRING'], { type: 'a/b' });
      const texts = [
        [0, 4],
        [-6],
        [-12, 4],
        [5, 2],
        [1.9, 3.9],
        ['2', '4'],
        [undefined, 3],
        [null, 2],
        [0, -8],
        [20],
        [-0.6, 2],
        [2 ** 53, 2 ** 53 + 1],
      ].map((args) => blob.slice(...args).text());
      return [
        await Promise.all(texts),
        blob.slice(0).type,
        blob.slice(0, 1, 'X/Y').type,
        blob.slice(0, 1, '\u00e9').type,
        blob.slice(0, 1, null).type,
        blob.slice() !== blob,
        await blob.slice(2).slice(2, 4).text(),
      ];
    },
    [
      ['PASS', 'STRING', 'PASS', '', 'SS', 'SS', 'PAS', 'PA', 'PA', '', '', ''],
      '',
      'x/y',
      '',
      'null',
      true,
      'ST',
    ],
  ],
  'is read as text, buffer, bytes and stream': [
    async () => {
      const blob = new Blob(['\u00e9', new Uint8Array([0xff])]);
      // Each part is a piece of its own, as in Node.
      const reader = blob.stream().getReader({ mode: 'byob' });
      const { value } = await reader.read(new Uint8Array(64));
      const bom = new Blob([new Uint8Array([0xef, 0xbb, 0xbf, 97])]);
      return [
        await blob.text(),
        [...new Uint8Array(await blob.arrayBuffer())],
        [...(await blob.bytes())],
        [...value],
        (await collect(new Blob().stream())).length,
        (await bom.text()).length,
        new Set([blob.stream(), blob.stream()]).size,
      ];
    },
    ['\u00e9\ufffd', [195, 169, 255], [195, 169, 255], [195, 169], 0, 1, 2],
  ],
  'methods reject for other objects': [
    async () => [
      await rejected(Blob.prototype.text.call({})),
      await rejected(Blob.prototype.arrayBuffer.call({})),
      // Older Nodes throw at once.
      await rejected((async () => Blob.prototype.bytes.call({}))()),
      thrown(() => Blob.prototype.size),
      thrown(() => Blob.prototype.slice.call({})),
      thrown(() => Blob.prototype.stream.call({})),
    ],
    Array.from({ length: 6 }, () => 'TypeError'),
  ],
});

standard('File', {
  'has a name and a date': [
    async () => {
      const before = Date.now();
      const file = new File(['ab'], 'a/b\ud800', { type: 'T/X' });
      const dates = [
        undefined,
        0,
        -5,
        1.9,
        '7',
        null,
        new Date(5),
        Number.NaN,
      ].map((lastModified) => new File([], 'n', { lastModified }).lastModified);
      return [
        file.name,
        file.size,
        file.type,
        file.lastModified >= before,
        dates.slice(1),
        await file.slice(1).text(),
        file.slice() instanceof File,
        file instanceof Blob,
        `${file}`,
        'webkitRelativePath' in file,
      ];
    },
    [
      'a/b\ufffd',
      2,
      't/x',
      true,
      [0, -5, 1.9, 7, 0, 5, 0],
      'b',
      false,
      true,
      '[object File]',
      false,
    ],
  ],
  'the arguments are checked': [
    () => [
      thrown(() => new File()),
      thrown(() => new File([])),
      thrown(() => new File('x', 'n')),
      thrown(() => new File({}, 'n')),
      thrown(() => new File([], 'n', 5)),
      new File([], undefined).name,
      new File([], null).name,
      thrown(() => File.prototype.name),
    ],
    [
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'undefined',
      'null',
      'TypeError',
    ],
  ],
});
