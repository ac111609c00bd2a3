'use strict';
// Buffer, TextDecoder, atob and btoa in an isolate answer as Node's do, for
// short and long texts, right and wrong ones.

const { WorkerPool } = require('../../../lib/index.js');

const ENCODINGS = [
  'utf8',
  'latin1',
  'binary',
  'ascii',
  'hex',
  'base64',
  'base64url',
  'utf16le',
  'UCS-2',
];
const SIZES = [
  0, 1, 2, 3, 4, 5, 31, 32, 47, 48, 63, 64, 65, 66, 111, 112, 113, 128, 1000,
  1023, 1025,
];

// Runs in both places.
function answers({ input: { names, sizes, large } }) {
  // Plain payloads have no undefined.
  const encodings = [...names, undefined];
  const out = [];
  const add = (name, make) => {
    let answer;
    try {
      answer = make();
    } catch (error) {
      answer = `${error.name}`;
    }
    if (answer instanceof Uint8Array) {
      answer = [Buffer.isBuffer(answer), ...answer];
    }
    out.push(JSON.stringify([name, answer]));
  };
  let seed = 7;
  const next = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed >>> 8;
  };
  const kinds = {
    ascii: () => 32 + (next() % 95),
    latin1: () => next() % 256,
    // No surrogates, which the encodings replace.
    wide: () => 0x3b1 + (next() % 0x400),
    digits: () => '0123456789abcdefABCDEF'.charCodeAt(next() % 22),
    letters: () =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_'.charCodeAt(
        next() % 66,
      ),
  };
  for (const [kind, code] of Object.entries(kinds)) {
    for (const size of sizes) {
      const text = String.fromCharCode(...Array.from({ length: size }, code));
      for (const encoding of encodings) {
        const name = `${kind} ${size} ${encoding}`;
        const is64 = `${encoding}`.startsWith('base64');
        if (!is64 || kind !== 'wide') {
          add(`from ${name}`, () => Buffer.from(text, encoding));
        }
        add(`length ${name}`, () => Buffer.byteLength(text, encoding));
        if (!is64) {
          add(`write ${name}`, () => {
            const bytes = Buffer.alloc(size, 1);
            const written = bytes.write(text, 1 % (size + 1), encoding);
            return [written, ...bytes];
          });
        }
      }
      const bytes = Uint8Array.from({ length: size }, kinds.latin1);
      // An odd place leaves two bytes unaligned.
      const odd = Buffer.from(new ArrayBuffer(size + 1), 1, size);
      odd.set(bytes);
      for (const encoding of encodings) {
        const name = `${kind} ${size} ${encoding}`;
        add(`text ${name}`, () => Buffer.from(bytes).toString(encoding));
        add(`odd ${name}`, () => odd.toString(encoding));
        for (const [from, to] of [
          [1, 5],
          [-3, undefined],
          [2, 1],
          [0, 2e9],
          [size, size + 1],
          [Number.NaN, 3],
        ]) {
          add(`part ${from} ${to} ${name}`, () =>
            odd.toString(encoding, from, to),
          );
        }
      }
      add(`decoded ${kind} ${size}`, () => {
        const decoder = new TextDecoder('windows-1252');
        return [decoder.encoding, decoder.decode(bytes.map((b) => b & 127))];
      });
      add(`atob ${kind} ${size}`, () => atob(text));
      add(`btoa ${kind} ${size}`, () => btoa(text));
      add(`both ${kind} ${size}`, () =>
        atob(btoa(Buffer.from(text).toString('latin1'))),
      );
      const half = Buffer.from(bytes).subarray(size >> 1, (size >> 1) + 5);
      add(`find ${kind} ${size}`, () => [
        Buffer.from(bytes).indexOf(half),
        Buffer.from(bytes).indexOf(half, 2),
        Buffer.from(bytes).indexOf(half, 'hex'),
        Buffer.from(bytes).includes('zzz'),
        Buffer.from(text).indexOf('e'),
        Buffer.from(text).indexOf('a'.repeat(80)),
        Buffer.from(text).indexOf(bytes[0] ?? 0),
        Buffer.from(text).indexOf(text.slice(1, 4), 1, 'utf8'),
      ]);
      add(`order ${kind} ${size}`, () => {
        const other = Buffer.from(bytes);
        if (size > 0) other[size - 1] ^= 1;
        return [
          Buffer.compare(other, bytes),
          other.compare(bytes),
          other.compare(Buffer.from(text)),
          other.equals(bytes),
          Buffer.from(bytes).equals(bytes),
          other.compare(bytes, 0, size >> 1),
        ];
      });
      add(`fill ${kind} ${size}`, () => Buffer.alloc(size).fill(300));
      add(`fill text ${kind} ${size}`, () => Buffer.alloc(size, 'abc'));
    }
  }
  for (const text of ['abc', 'zz', 'a', '0g', '12 34', 'é1']) {
    add(`hex ${text}`, () => Buffer.from(text, 'hex'));
  }
  for (const text of [
    'YQ==',
    'YQ',
    'Y Q = =',
    'YWI=\n',
    'YWJj',
    '=',
    '_-8',
    'YWJjZA',
    ' YQ==',
    'YQ=',
  ]) {
    add(`base64 ${text}`, () => Buffer.from(text, 'base64'));
    add(`atob ${text}`, () => atob(text));
  }
  // Memory is made for all letters, and most of these are none.
  add('atob of spaces', () => [
    atob(`${' '.repeat(3e5)}YWJj`),
    atob(' '.repeat(5)),
    atob(`${'YWJj\n'.repeat(1e5)}YQ==`).length,
  ]);
  add('two-byte string of ASCII', () => {
    const text = `YWJj${'\u20ac'}`.slice(0, 4);
    return [atob(text), `${Buffer.from(text, 'base64')}`];
  });
  add('windows-1252', () => {
    const all = Uint8Array.from({ length: 256 }, (_, n) => n);
    const decoder = new TextDecoder('latin1', { fatal: true });
    const piece = decoder.decode(all.subarray(120, 140), { stream: true });
    return [piece, decoder.decode(all), decoder.decode(all.subarray(0, 100))];
  });
  const big = Buffer.alloc(large, 'some bytes, more than are decoded at once');
  for (const encoding of ['hex', 'base64', 'base64url', 'ascii', 'latin1']) {
    const text = big.toString(encoding);
    add(`large ${encoding}`, () => [
      text.length,
      text.slice(-9),
      Buffer.from(text, encoding).equals(big),
    ]);
  }
  for (const [at, from, to] of [[], [1], [0, 1], [2, 1, 3], [9], [0, 5, 2]]) {
    add(`copy ${at} ${from} ${to}`, () => {
      const bytes = Buffer.alloc(4);
      return [Buffer.from('abcdef').copy(bytes, at, from, to), ...bytes];
    });
  }
  for (const length of [undefined, 0, 3, 9]) {
    add(`concat ${length}`, () =>
      Buffer.concat([Buffer.from('ab'), Uint8Array.of(1, 2)], length),
    );
  }
  add('concat nothing', () => Buffer.concat([]));
  add('concat others', () => Buffer.concat(['a']));
  const part = Buffer.from('abcdef').subarray(1, 4);
  add('part', () => [
    Buffer.isBuffer(part),
    `${part}`,
    part.constructor === Buffer,
  ]);
  add('mapped', () => Buffer.isBuffer(part.map((n) => n + 1)));
  add('constructor', () => [
    Buffer.prototype.constructor === Buffer,
    Object.getPrototypeOf(Buffer.prototype) === Uint8Array.prototype,
    Buffer.from('a') instanceof Buffer,
    Buffer.alloc(3) instanceof Buffer,
    Object.prototype.toString.call(Buffer.from('a')),
  ]);
  for (const wrong of ['nope', 5]) {
    add(`unknown ${wrong}`, () => Buffer.from('a', wrong));
    add(`unknown text ${wrong}`, () => Buffer.from('a').toString(wrong));
  }
  return out;
}

test('an isolate answers as Node', async () => {
  const input = { names: ENCODINGS, sizes: SIZES, large: (12 << 20) + 7 };
  const pool = WorkerPool.create('codecs', { memoryLimitMb: 256 });
  try {
    const there = await pool.run(answers, { input });
    const here = answers({ input });
    const wrong = here
      .map((answer, n) => ({ node: answer, isolate: there[n] }))
      .filter(({ node, isolate }) => node !== isolate);
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(there.length).toBe(here.length);
  } finally {
    await pool.stop();
  }
});

test.each(['hex', 'base64'])(
  '%s beyond the memory limit ends the job',
  async (encoding) => {
    const pool = WorkerPool.create('codecs', { memoryLimitMb: 64 });
    try {
      const job = ({ input }) => {
        const bytes = Buffer.alloc(57 << 20, 'a');
        return bytes.toString(input).length;
      };
      await expect(pool.run(job, { input: encoding })).rejects.toMatchObject({
        code: 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED',
      });
      expect(await pool.run(() => Buffer.from('a').toString('hex'))).toBe('61');
    } finally {
      await pool.stop();
    }
  },
);
