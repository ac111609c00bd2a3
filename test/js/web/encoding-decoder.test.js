'use strict';

/* global thrown */
const { AS_NODE, standard } = require('./support.js');

standard('TextDecoder', {
  'labels: case, spaces, and what they stand for': [
    () =>
      [
        ' \n\r\t\fUTF8 ',
        'unicode-1-1-utf-8',
        'latin1',
        'ASCII',
        'iso-8859-1',
        'sjis',
        'gb2312',
        'gb18030',
        'big5-hkscs',
        'x-x-big5',
        'ks_c_5601-1987',
        'euc-jp',
        'csiso2022jp',
        'koi',
        'koi8-ru',
        'x-mac-ukrainian',
        'macintosh',
        'unicodefeff',
        'ucs-2',
        'unicodefffe',
        'l9',
        'iso-8859-8-i',
        'logical',
        'tis-620',
        'dos-874',
        'cp866',
        'hebrew',
      ].map((label) => new TextDecoder(label).encoding),
    [
      'utf-8',
      'utf-8',
      'windows-1252',
      'windows-1252',
      'windows-1252',
      'shift_jis',
      'gbk',
      'gb18030',
      'big5',
      'big5',
      'euc-kr',
      'euc-jp',
      'iso-2022-jp',
      'koi8-r',
      'koi8-u',
      'x-mac-cyrillic',
      'macintosh',
      'utf-16le',
      'utf-16le',
      'utf-16be',
      'iso-8859-15',
      'iso-8859-8-i',
      'iso-8859-8-i',
      'windows-874',
      'windows-874',
      'ibm866',
      'iso-8859-8',
    ],
  ],
  'unknown labels, and those of the replacement encoding': [
    () =>
      [
        '',
        'utf-7',
        'utf-32',
        'invalid',
        'replacement',
        'hz-gb-2312',
        'iso-2022-cn',
        'iso-2022-kr',
        'csiso2022kr',
        'utf-8\u00a0',
        '\u000butf-8',
        '\0utf-8',
        null,
      ].map((label) => thrown(() => new TextDecoder(label))),
    Array.from({ length: 13 }, () => 'RangeError'),
  ],
  'attributes and arguments': [
    () => {
      const read = ({ encoding, fatal, ignoreBOM }) => [
        encoding,
        fatal,
        ignoreBOM,
      ];
      return [
        read(new TextDecoder()),
        read(new TextDecoder(undefined, { fatal: 1, ignoreBOM: 'x' })),
        read(new TextDecoder('utf-16be', null)),
        thrown(() => new TextDecoder('utf-8', 5)),
        thrown(() => TextDecoder()),
        thrown(() => new TextDecoder().decode(null)),
        thrown(() => new TextDecoder().decode([1])),
        thrown(() => new TextDecoder().decode('x')),
        new TextDecoder().decode(undefined, undefined),
        new TextDecoder().decode(undefined, null),
        thrown(() => TextDecoder.prototype.encoding),
        thrown(() => TextDecoder.prototype.decode.call({})),
        thrown(() => TextEncoder.prototype.encode.call({})),
        thrown(() => TextEncoder.prototype.encoding),
      ];
    },
    [
      ['utf-8', false, false],
      ['utf-8', true, true],
      ['utf-16be', false, false],
      ...Array.from({ length: 5 }, () => 'TypeError'),
      '',
      '',
      ...Array.from({ length: 4 }, () => 'TypeError'),
    ],
  ],
  'all kinds of sources': [
    () => {
      const bytes = [104, 105, 104, 105, 104, 105, 104, 105];
      const { buffer } = Uint8Array.from(bytes);
      const shared = new SharedArrayBuffer(8);
      new Uint8Array(shared).set(bytes);
      const decode = (input) => new TextDecoder().decode(input);
      return [
        decode(buffer),
        decode(shared),
        decode(new DataView(buffer, 2, 2)),
        decode(new Uint16Array(buffer, 4)),
        decode(new Float64Array(shared)),
        decode(new Uint8Array(shared, 6)),
        decode(new BigInt64Array(buffer)),
      ];
    },
    ['hihihihi', 'hihihihi', 'hi', 'hihi', 'hihihihi', 'hi', 'hihihihi'],
  ],
  'broken UTF-8 becomes as many marks as there are maximal parts': [
    () =>
      [
        [0xff],
        [0xc0, 0x80],
        [0xe0, 0x80, 0xaf],
        [0xed, 0xa0, 0x80],
        [0xf0, 0x90, 0x80],
        [0xf4, 0x90, 0x80, 0x80],
        [0xf8, 0x88, 0x80, 0x80, 0x80],
        [0xe4, 0xba, 0x41],
        [0xc2],
        [0xf0, 0x9f, 0x41, 0x98, 0x80],
      ].map((bytes) =>
        new TextDecoder()
          .decode(Uint8Array.from(bytes))
          .replaceAll('\ufffd', '?'),
      ),
    ['?', '??', '???', '???', '?', '????', '?????', '?A', '?', '?A??'],
  ],
  'fatal throws TypeError, and the next text is read anew': [
    () => {
      const decoder = new TextDecoder('utf-8', { fatal: true });
      return [
        thrown(() => decoder.decode(Uint8Array.of(0xff))),
        decoder.decode(Uint8Array.of(97)),
        thrown(() => decoder.decode(Uint8Array.of(0xe4), { stream: true })),
        thrown(() => decoder.decode()),
        decoder.decode(Uint8Array.of(98)),
        thrown(() =>
          new TextDecoder('utf-16le', { fatal: true }).decode(
            Uint8Array.of(0, 0xd8),
          ),
        ),
        thrown(() =>
          new TextDecoder('utf-16le', { fatal: true }).decode(Uint8Array.of(0)),
        ),
        thrown(() =>
          new TextDecoder('windows-1253', { fatal: true }).decode(
            Uint8Array.of(0xaa),
          ),
        ),
      ];
    },
    AS_NODE,
  ],
  'byte order marks': [
    () => {
      const all = (label, bytes) =>
        [false, true].map(
          (ignoreBOM) =>
            new TextDecoder(label, { ignoreBOM }).decode(Uint8Array.from(bytes))
              .length,
        );
      return [
        all('utf-8', [0xef, 0xbb, 0xbf, 97]),
        all('utf-8', [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf]),
        all('utf-16le', [0xff, 0xfe, 97, 0]),
        all('utf-16be', [0xfe, 0xff, 0, 97]),
        all('utf-16le', [0xfe, 0xff, 97, 0]),
        all('windows-1252', [0xef, 0xbb, 0xbf]),
      ];
    },
    [
      [1, 2],
      [1, 2],
      [1, 2],
      [1, 2],
      [2, 2],
      [3, 3],
    ],
  ],
  'a mark split over pieces, and again after the end': [
    () => {
      const decoder = new TextDecoder();
      const text = [
        decoder.decode(Uint8Array.of(0xef, 0xbb), { stream: true }),
        decoder.decode(Uint8Array.of(0xbf, 0x41), { stream: true }),
        decoder.decode(Uint8Array.of(0xef, 0xbb, 0xbf), { stream: true }),
        decoder.decode(),
        decoder.decode(Uint8Array.of(0xef, 0xbb, 0xbf, 0x42)),
      ];
      return text;
    },
    ['', 'A', '\ufeff', '', 'B'],
  ],
  'pieces of every size give the same text': [
    () => {
      const text = 'z\u00A2\u6C34\u{1D11E}\uF8FF\u{10FFFD}\uFFFE';
      const utf8 = new TextEncoder().encode(text);
      const le = new Uint8Array(
        Uint16Array.from(
          [...text]
            .join('')
            .split('')
            .map((c) => c.charCodeAt(0)),
        ).buffer,
      );
      const be = le.map((_, i) => le[i ^ 1]);
      const inPieces = (label, bytes, size) => {
        const decoder = new TextDecoder(label);
        let out = '';
        for (let at = 0; at < bytes.length; at += size) {
          out += decoder.decode(bytes.subarray(at, at + size), {
            stream: true,
          });
        }
        return out + decoder.decode();
      };
      return [1, 2, 3, 4, 5, 7].every(
        (size) =>
          inPieces('utf-8', utf8, size) === text &&
          inPieces('utf-16le', le, size) === text &&
          inPieces('utf-16be', be, size) === text,
      );
    },
    true,
  ],
  'what is unfinished at the end': [
    () => {
      const decoder = new TextDecoder();
      return [
        decoder.decode(Uint8Array.of(0xf0, 0x9f), { stream: true }),
        decoder.decode(),
        new TextDecoder('utf-16le').decode(Uint8Array.of(0x41)),
        new TextDecoder('utf-16le').decode(Uint8Array.of(0, 0xd8)),
        new TextDecoder('utf-16le').decode(Uint8Array.of(0, 0xd8, 0x41)),
        new TextDecoder('utf-16be').decode(Uint8Array.of(0xdc, 0, 0xd8, 0)),
      ];
    },
    ['', '\ufffd', '\ufffd', '\ufffd', '\ufffd', '\ufffd\ufffd'],
  ],
  'samples of the older encodings': [
    () =>
      Object.entries({
        'iso-8859-2': [0xb1, 0xe6],
        'koi8-r': [0xd0, 0xd2],
        'windows-1251': [0xcf, 0xf0],
        macintosh: [0x8a, 0xdb],
        ibm866: [0x80, 0xb0],
        shift_jis: [0x93, 0xfa, 0xb1],
        'euc-jp': [0xc6, 0xfc, 0x8e, 0xb1, 0x8f, 0xb0, 0xa1],
        'iso-2022-jp': [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42, 0x61],
        gbk: [0xc4, 0xe3, 0x80],
        gb18030: [0x81, 0x30, 0x81, 0x30, 0x84, 0x31, 0xa4, 0x37],
        big5: [0xa7, 0x41, 0x88, 0x62],
        'euc-kr': [0xb0, 0xa1, 0xc7, 0xd1],
      }).map(([label, bytes]) => [
        label,
        [...new TextDecoder(label).decode(Uint8Array.from(bytes))]
          .map((c) => c.codePointAt(0).toString(16))
          .join(' '),
      ]),
    AS_NODE,
  ],
  // Node 20 takes it for Latin 1.
  'windows-1252 is as in the standard': [
    () => new TextDecoder('latin1').decode(Uint8Array.of(0x80, 0x81, 0xe9)),
    '\u20ac\x81\xe9',
  ],
  'what is no buffer, whatever it says': [
    () =>
      [{}, [], new Date(), new Map(), Object.create(Uint8Array.prototype)].map(
        (input) => thrown(() => new TextDecoder().decode(input)),
      ),
    Array.from({ length: 5 }, () => 'TypeError'),
  ],
  'a buffer without its prototype, or without its memory': [
    () => {
      const bytes = Uint8Array.of(97);
      const buffer = Uint8Array.of(98).buffer;
      const view = new DataView(Uint8Array.of(99).buffer);
      const gone = new Uint8Array(4);
      structuredClone(0, { transfer: [gone.buffer] });
      for (const each of [bytes, buffer, view]) {
        Object.setPrototypeOf(each, null);
      }
      return [bytes, buffer, view, gone, gone.buffer].map((input) =>
        new TextDecoder().decode(input),
      );
    },
    ['a', 'b', 'c', '', ''],
  ],
});
