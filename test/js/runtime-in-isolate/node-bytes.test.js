'use strict';
// Node's own buffer, string_decoder and encoding over our natives: what they
// answer and throw is what this Node answers and throws.

const { WorkerPool } = require('../../../lib');

const answers = () => {
  const [buffer, util, { StringDecoder }] = [
    'buffer',
    'util',
    'string_decoder',
  ].map((id) => process.getBuiltinModule(id));
  const { Buffer } = buffer;
  const bytes = Buffer.from('h\u00e9llo \u20ac \u{1f600}', 'utf8');
  const kinds = ['ascii', 'latin1', 'utf8', 'utf16le', 'hex', 'base64url'];
  const piecewise = (encoding, data) => {
    const decoder = new StringDecoder(encoding);
    const pieces = Array.from(data, (byte) => decoder.write(Buffer.of(byte)));
    return [...pieces, decoder.end()];
  };
  const decoded = (label, options, pieces) => {
    const decoder = new TextDecoder(label, options);
    const texts = pieces.map((piece) =>
      decoder.decode(Uint8Array.from(piece), { stream: true }),
    );
    return `${texts.join('|')}|${decoder.decode()}`;
  };
  const told = (work) => {
    try {
      return util.inspect(work(), { depth: 5 });
    } catch (error) {
      return [error.name, error.code, error.message, `${error}`];
    }
  };
  return [
    () => Object.keys(buffer),
    () => Object.getOwnPropertyNames(Buffer.prototype).sort(),
    () => kinds.map((kind) => bytes.toString(kind, 1, 9)),
    () => kinds.map((kind) => Buffer.from('a\u00ff\u20acff', kind)),
    () => Buffer.from(new Map().keys()),
    () => Buffer.from(5),
    () => Buffer.alloc(3).readInt32LE(0),
    () => Buffer.alloc(8).writeDoubleBE('x', 9),
    () => Buffer.alloc(7).fill('ab\u20ac', 1, 6, 'utf8'),
    () => Buffer.alloc(1).fill('\u00fc', 'none'),
    () => bytes.indexOf('llo', -99, 'latin1') + bytes.lastIndexOf(0x6c),
    () => Buffer.concat([bytes, 'x']),
    () => Buffer.alloc(3).swap16(),
    () => bytes.write('x', 99),
    () => buffer.isUtf8(bytes) && !buffer.isAscii(bytes),
    () =>
      ['ascii', 'latin1', 'ucs2'].map((to) =>
        buffer.transcode(bytes, 'utf8', to),
      ),
    () => buffer.transcode(bytes, 'ascii', 'utf8'),
    () => buffer.transcode(Buffer.of(0xff), 'utf8', 'ucs2'),
    () => buffer.transcode(Buffer.of(0x61, 0xd8), 'ucs2', 'utf8'),
    () => buffer.transcode(bytes, 'hex', 'utf8'),
    () => buffer.transcode('x', 'utf8', 'ucs2'),
    () => kinds.map((kind) => piecewise(kind, bytes)),
    () => new StringDecoder('none'),
    () => [btoa('a\u00ff'), atob(' YWI= ')],
    () => btoa('\u0100'),
    () => atob('a'),
    () => new TextEncoder().encodeInto('a\u20ac', new Uint8Array(3)),
    () => new TextEncoder().encodeInto('a', []),
    () => new TextDecoder('none'),
    () => new TextDecoder('x-user-defined').encoding,
    () => new TextDecoder('iso-8859-16').encoding,
    () =>
      decoded('utf-8', {}, [
        [0xef, 0xbb],
        [0xbf, 0xe2],
        [0x82, 0xac, 0xf0],
      ]),
    () => decoded('utf-8', { ignoreBOM: true }, [[0xef, 0xbb, 0xbf, 0x61]]),
    () => decoded('utf-8', { fatal: true }, [[0x61, 0xe2], [0x41]]),
    () => decoded('windows-1252', {}, [[0x80, 0x61], [0x9f]]),
    () => decoded('shift_jis', {}, [[0x82], [0xa0, 0x82]]),
    () => decoded('gbk', {}, [[0xc4], [0xe3]]),
    () =>
      decoded('utf-16le', {}, [
        [0xff, 0xfe, 0x3d],
        [0xd8, 0, 0xde],
      ]),
    () => new TextDecoder('utf-16be').decode('x'),
    () => new TextDecoder().decode(5),
    () => new TextDecoder('latin1', { fatal: true }),
  ].map(told);
};

let pool;
beforeAll(() => {
  pool = WorkerPool.create('node-bytes', { workers: 1 });
});
afterAll(() => pool.stop());

test('answers and errors are those of this Node', async () => {
  const here = new Function(`return (${answers})()`)();
  expect(await pool.run(answers)).toEqual(here);
});

test('the slab of small Buffers cannot be moved away', async () => {
  const seen = await pool.run(async () => {
    const [one, two] = [Buffer.from('one'), Buffer.from('two')];
    let name;
    try {
      structuredClone(one, { transfer: [one.buffer] });
    } catch (error) {
      name = error.name;
    }
    return [one.buffer === two.buffer, name, `${one}${two}`];
  });
  expect(seen).toEqual([true, 'DataCloneError', 'onetwo']);
});

test('small Buffers of a slab arrive alone, and the slab stays', async () => {
  const job = () => {
    globalThis.kept ??= Buffer.from('kept');
    return [Buffer.from('new'), `${globalThis.kept}`];
  };
  for (let round = 0; round < 3; round += 1) {
    const [made, kept] = await pool.run(job);
    expect([made.toString(), kept]).toEqual(['new', 'kept']);
  }
});

// Blocks of 64 and of 32 letters are decoded at once, up to what is no letter.
test('Base64 is decoded as on this thread, whatever is between its letters', async () => {
  const decode = ({ input: { letters, others } }) => {
    const texts = [];
    for (let at = 0; at < 200; at += 1) {
      const other = others[at % others.length];
      texts.push(letters.slice(0, at) + other + letters.slice(at));
    }
    return texts.map((text) => {
      const room = Buffer.alloc(160, 7);
      const written = room.write(text, 1, 151, 'base64url');
      let forgiving;
      try {
        forgiving = atob(text.replace(/[-_]/g, 'x'));
      } catch ({ name }) {
        forgiving = name;
      }
      const bytes = Buffer.from(text, 'base64').toString('hex');
      return [bytes, written, room.toString('hex'), forgiving];
    });
  };
  const alphabet =
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_';
  const letters = alphabet.repeat(4).slice(0, 200);
  const others = [...'=\n*@[`{?]};\u0080\u00FF\u00EF', '', '\u20AC'];
  const input = { letters, others };
  expect(await pool.run(decode, { input })).toEqual(decode({ input }));
});
