'use strict';
// TextDecoder in pieces, with bytes of all kinds: ICU's converters, as on the
// main thread.

const { bothPlaces } = require('../support/both-places.js');
const { createBareContext } = require('../runtime/bare-context.js');

const LABELS = [
  'big5',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'gbk',
  'ibm866',
  'iso-2022-jp',
  'iso-8859-2',
  'iso-8859-8-i',
  'koi8-r',
  'macintosh',
  'shift_jis',
  'utf-16be',
  'utf-16le',
  'utf-8',
  'windows-1251',
  'windows-874',
  'x-mac-cyrillic',
];

/** What decoders of one label give for random pieces. */
function decoded({ input: [label, count] }) {
  let state = 45;
  const next = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const ESCAPES = [0x1b, 0x24, 0x42, 0x28, 0x4a, 0xef, 0xbb, 0xbf, 0xff, 0xfe];
  const KINDS = [
    () => next(256),
    () => 0x81 + next(0x7e),
    () => (next(2) === 0 ? 0xa1 + next(0x5e) : 0x30 + next(0x50)),
    () => ESCAPES[next(ESCAPES.length)],
  ];
  const answers = [];
  for (let turn = 0; turn < count; turn += 1) {
    const options = { fatal: next(3) === 0, ignoreBOM: next(4) === 0 };
    const decoder = new TextDecoder(label, options);
    for (let pieces = 1 + next(4); pieces > 0; pieces -= 1) {
      const kind = KINDS[next(KINDS.length)];
      const bytes = Uint8Array.from({ length: next(7) }, kind);
      const stream = next(4) > 0;
      try {
        answers.push(escape(decoder.decode(bytes, { stream })));
      } catch ({ name, code, message }) {
        answers.push([name, code, message]);
      }
    }
  }
  return answers;
}

describe('decoders in an isolate', () => {
  const places = bothPlaces();

  it.each(LABELS)('%s gives what the main thread gives', async (label) => {
    const input = [label, 500];
    const { isolates, threads } = places;
    const expected = await threads.run(decoded, { input });
    expect(await isolates.run(decoded, { input })).toEqual(expected);
  });

  it('pieces of a long text meet in the middle of characters', async () => {
    const job = () => {
      const bytes = new Uint8Array(3 * 2 ** 20 + 1);
      for (let at = 0; at < bytes.length; at += 1) {
        bytes[at] = at % 2 === 0 ? 0xb0 : 0xa1 + (at % 89);
      }
      const text = new TextDecoder('euc-kr').decode(bytes.subarray(1));
      let sum = 0;
      for (let at = 0; at < text.length; at += 1) {
        sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
      }
      return [text.length, sum];
    };
    const { isolates, threads } = places;
    expect(await isolates.run(job)).toEqual(await threads.run(job));
  });
});

// As on Windows, whose Node does not show ICU.
it('a library reads legacy encodings where ICU is not to be had', () => {
  const { host } = createBareContext();
  const { icu: _icu, ...versions } = host.process.versions;
  const overrides = { process: { ...host.process, versions } };
  const without = createBareContext({ overrides });
  const read = (label, bytes, options = '{}') =>
    without.run(
      `new TextDecoder('${label}', ${options}).decode(Uint8Array.of(${bytes}))`,
    );
  expect(read('big5', [0xa4, 0xa4])).toBe('\u4e2d');
  expect(read('euc-kr', [0xb0, 0xa1])).toBe('\uac00');
  expect(() => read('big5', [0xff], '{ fatal: true }')).toThrow(
    'The encoded data was not valid for encoding big5',
  );
  expect(without.compiled).toContain('encoding-library');
});
