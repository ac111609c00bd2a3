'use strict';

// createCipheriv and createDecipheriv, and hashes as streams: what Node does
// with the same pieces is what must come out.

const crypto = require('node:crypto');

const { createBareContext } = require('./bare-context.js');

const bare = createBareContext();
const ours = bare.api.builtin('crypto');
const { pipeline } = bare.api.builtin('stream');

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const bytes = (length, seed) =>
  Buffer.from(
    Array.from({ length }, (_, at) => (at * 31 + seed * 17 + (at >> 3)) & 255),
  );

async function ended(done) {
  let over = false;
  const settled = done.finally(() => {
    over = true;
  });
  settled.catch(() => {});
  while (!over) await bare.loop.advance(5);
  return settled;
}

const MODES = ['ecb', 'cbc', 'ctr', 'gcm'];
const ALGORITHMS = MODES.flatMap((mode) =>
  [128, 192, 256].map((bits) => [`aes-${bits}-${mode}`, bits / 8, mode]),
);
const PIECES = [
  [],
  [16],
  [1, 2, 13, 16, 15, 33, 0, 64],
  [31, 1, 100],
  [5],
  [1000, 24],
];

const ivFor = (mode, length = mode === 'gcm' ? 12 : 16) =>
  mode === 'ecb' ? null : bytes(length, 3);

/** Every piece that comes out, so that none may be late. */
function encrypt(library, algorithm, key, iv, pieces, aad = []) {
  const cipher = library.createCipheriv(algorithm, key, iv);
  for (const part of aad) cipher.setAAD(part);
  const out = pieces.map((piece) => hex(cipher.update(piece)));
  out.push(hex(cipher.final()));
  if (algorithm.endsWith('gcm')) out.push(hex(cipher.getAuthTag()));
  return out;
}

function decrypt(library, algorithm, key, iv, pieces, tag, aad = []) {
  const decipher = library.createDecipheriv(algorithm, key, iv);
  if (tag) decipher.setAuthTag(tag);
  for (const part of aad) decipher.setAAD(part);
  const out = pieces.map((piece) => hex(decipher.update(piece)));
  return [...out, hex(decipher.final())];
}

describe.each(ALGORITHMS)('%s', (algorithm, size, mode) => {
  const key = bytes(size, 1);

  test('piece by piece, in both directions', () => {
    for (const lengths of PIECES) {
      const plain = lengths.map((length, at) => bytes(length, at));
      const aad = mode === 'gcm' ? [bytes(20, 9), bytes(5, 2)] : [];
      const iv = ivFor(mode);
      const want = encrypt(crypto, algorithm, key, iv, plain, aad);
      expect(encrypt(ours, algorithm, key, iv, plain, aad)).toEqual(want);
      const all = Buffer.from(
        want.slice(0, lengths.length + 1).join(''),
        'hex',
      );
      const tag = mode === 'gcm' ? Buffer.from(want.at(-1), 'hex') : undefined;
      const cut = [all.subarray(0, 7), all.subarray(7, 32), all.subarray(32)];
      expect(decrypt(ours, algorithm, key, iv, cut, tag, aad)).toEqual(
        decrypt(crypto, algorithm, key, iv, cut, tag, aad),
      );
    }
  });

  test('texts with encodings, a KeyObject, names in capitals', () => {
    const use = (library) => {
      const cipher = library.createCipheriv(
        algorithm.toUpperCase(),
        library.createSecretKey(key),
        ivFor(mode),
      );
      return (
        cipher.update('h\u00e9llo '.repeat(7), 'utf8', 'base64') +
        cipher.final('base64')
      );
    };
    expect(use(ours)).toBe(use(crypto));
  });
});

test.each([1, 7, 8, 16, 60])('GCM with an IV of %i bytes', (length) => {
  const use = (library) =>
    encrypt(library, 'aes-256-gcm', bytes(32, 1), ivFor('gcm', length), [
      bytes(50, 1),
    ]);
  expect(use(ours)).toEqual(use(crypto));
});

test('a counter of 32 bits wraps in GCM, one of 128 bits in CTR', () => {
  const end = Buffer.alloc(16, 255);
  for (const algorithm of ['aes-128-ctr', 'aes-128-gcm']) {
    const use = (library) =>
      encrypt(library, algorithm, bytes(16, 1), end, [bytes(100, 1)]);
    expect(use(ours)).toEqual(use(crypto));
  }
});

describe('what goes wrong is what goes wrong in Node', () => {
  const key = bytes(32, 1);
  const iv = bytes(16, 2);
  const cbc = (library, encrypts = true) =>
    library[encrypts ? 'createCipheriv' : 'createDecipheriv'](
      'aes-256-cbc',
      key,
      iv,
    );
  const gcm = (library, encrypts = true, options = undefined) =>
    library[encrypts ? 'createCipheriv' : 'createDecipheriv'](
      'aes-256-gcm',
      key,
      iv,
      options,
    );
  const failed = (call) => {
    try {
      return { value: `${call()}` };
    } catch ({ name, code, message }) {
      return { name, code, message };
    }
  };
  const CASES = {
    'unknown cipher': (c) => c.createCipheriv('aes-256-nope', key, iv),
    'key length': (c) => c.createCipheriv('aes-128-cbc', key, iv),
    'IV length': (c) => c.createCipheriv('aes-256-cbc', key, bytes(12, 1)),
    'no IV': (c) => c.createCipheriv('aes-256-cbc', key, null),
    'IV of ECB': (c) => c.createCipheriv('aes-256-ecb', key, iv),
    'empty IV of GCM': (c) => c.createCipheriv('aes-256-gcm', key, bytes(0, 1)),
    'no text': (c) => c.createCipheriv(5, key, iv),
    'no key': (c) => c.createCipheriv('aes-256-cbc', 5, iv),
    'no data': (c) => cbc(c).update(5),
    'bad padding': (c) => {
      const decipher = cbc(c, false);
      decipher.update(bytes(16, 1));
      decipher.final();
    },
    'half a block': (c) => {
      const decipher = cbc(c, false);
      decipher.update(bytes(5, 1));
      decipher.final();
    },
    'half a block without padding': (c) => {
      const cipher = cbc(c).setAutoPadding(false);
      cipher.update('x');
      cipher.final();
    },
    'final twice': (c) => {
      const cipher = cbc(c);
      cipher.final();
      cipher.final();
    },
    'update after final': (c) => {
      const cipher = cbc(c);
      cipher.final();
      cipher.update('x');
    },
    'no tag': (c) => gcm(c, false).final(),
    'wrong tag': (c) => gcm(c, false).setAuthTag(bytes(16, 1)).final(),
    'short tag': (c) => gcm(c, false).setAuthTag(bytes(3, 1)),
    'tag twice': (c) =>
      gcm(c, false).setAuthTag(bytes(16, 1)).setAuthTag(bytes(16, 1)),
    'tag too long': (c) =>
      gcm(c, false, { authTagLength: 12 }).setAuthTag(bytes(16, 1)),
    'tag length': (c) => gcm(c, true, { authTagLength: 3 }),
    'tag before the end': (c) => gcm(c).getAuthTag(),
    'tag of CBC': (c) => cbc(c).getAuthTag(),
    'AAD too late': (c) => {
      const cipher = gcm(c);
      cipher.update('x');
      cipher.setAAD(iv);
    },
    'AAD of CBC': (c) => cbc(c).setAAD(iv),
  };

  test.each(Object.entries(CASES))('%s', (_, use) => {
    const want = failed(() => use(crypto));
    expect(want.message).toBeDefined();
    expect(failed(() => use(ours))).toEqual(want);
  });

  test('and what is allowed is allowed', () => {
    const short = (library) => {
      const cipher = gcm(library, true, { authTagLength: 12 });
      cipher.final();
      return hex(cipher.getAuthTag());
    };
    expect(short(ours)).toBe(short(crypto));
    const bare = (library) => {
      const cipher = cbc(library).setAutoPadding(false);
      return hex(cipher.update(bytes(32, 1))) + hex(cipher.final());
    };
    expect(bare(ours)).toBe(bare(crypto));
    const unpadded = (library) => {
      const decipher = cbc(library, false).setAutoPadding(false);
      return hex(decipher.update(bytes(32, 1))) + hex(decipher.final());
    };
    expect(unpadded(ours)).toBe(unpadded(crypto));
  });
});

test('what there is to know of a cipher', () => {
  for (const name of ours.getCiphers()) {
    expect(crypto.getCiphers().map((each) => each.toLowerCase())).toContain(
      name,
    );
    expect([name, ours.getCipherInfo(name)]).toEqual([
      name,
      crypto.getCipherInfo(name),
    ]);
  }
  expect(ours.getCipherInfo('none')).toBeUndefined();
  expect(ours.getCipherInfo('aes-128-cbc', { ivLength: 3 })).toBeUndefined();
});

describe('streams', () => {
  test('a hash, an HMAC and a cipher are streams', async () => {
    const make = (library) => [
      library.createHash('sha256'),
      library.createHmac('sha1', 'k'),
      library.createCipheriv('aes-128-cbc', bytes(16, 1), bytes(16, 2)),
    ];
    const streamed = async (each) => {
      each.write('some data');
      each.end('some data'.repeat(8));
      const chunks = [];
      for await (const chunk of each) chunks.push(chunk);
      return hex(Buffer.concat(chunks));
    };
    const wanted = await Promise.all(make(crypto).map(streamed));
    const results = make(ours).map(streamed);
    expect(await ended(Promise.all(results))).toEqual(wanted);
  });

  test('in a pipeline', async () => {
    const { Readable } = bare.api.builtin('stream');
    const hash = ours.createHash('md5').setEncoding('hex');
    const done = new Promise((resolve, reject) => {
      const over = (error) => (error ? reject(error) : resolve(hash.read()));
      pipeline(Readable.from(['a', 'b']), hash, over);
      // What it writes is also what it reads.
      hash.on('readable', () => {});
    });
    expect(await ended(done)).toBe(
      crypto.createHash('md5').update('ab').digest('hex'),
    );
  });
});
