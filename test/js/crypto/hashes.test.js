'use strict';

const { made, same } = require('./support.js');

// NIST's and the RFCs' own examples.
const KNOWN = {
  md5: '900150983cd24fb0d6963f7d28e17f72',
  sha1: 'a9993e364706816aba3e25717850c26c9cd0d89d',
  sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  'sha3-256':
    '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532',
  blake2s256:
    '508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982',
};

describe('hashes', () => {
  it.each(Object.entries(KNOWN))('%s of abc', async (name, expected) => {
    const digest = (crypto, hash) =>
      crypto.createHash(hash).update('abc').digest('hex');
    expect(await made(digest, name)).toBe(expected);
  });
});

same('random texts', {
  'are all different and say what they are': (crypto) => {
    const make = [crypto.randomUUID, crypto.randomUUIDv7 ?? crypto.randomUUID];
    const shape = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;
    return make.map((one) => {
      const all = Array.from({ length: 1000 }, () => one());
      return [
        new Set(all).size,
        new Set(all.map((id) => id.slice(-12))).size,
        all.every((id) => shape.test(id) && '89ab'.includes(id[19])),
        [...new Set(all.map((id) => id[14]))],
      ];
    });
  },
});

same('every hash', {
  'has the names and digests of this Node': (crypto) =>
    crypto
      .getHashes()
      .map((name) => [name, crypto.createHash(name).update('é').digest('hex')]),
  'takes data in pieces of every size': (crypto) => {
    const data = Buffer.alloc(20_000, 'abcdefg');
    const sizes = [0, 1, 63, 64, 65, 4095, 4096, 4097, 20_000];
    return sizes.map((size) => {
      const hash = crypto.createHash('sha256').update(data.subarray(0, size));
      return [
        hash.copy().digest('hex'),
        hash.update(data.subarray(size)).digest('base64'),
      ];
    });
  },
  'does not see what happens to the data later': (crypto) => {
    const data = Buffer.from('before');
    const hash = crypto.createHash('sha256').update(data);
    data.fill(0);
    const key = Buffer.from('key');
    const hmac = crypto.createHmac('sha256', key);
    key.fill(0);
    return [hash.digest('hex'), hmac.update('x').digest('hex')];
  },
  'has a length where it is free': (crypto) =>
    [0, 1, 16, 500].map((outputLength) =>
      crypto.createHash('shake128', { outputLength }).update('a').digest('hex'),
    ),
  'is a stream': (crypto) =>
    new Promise((resolve) => {
      const hash = crypto.createHash('sha256');
      const parts = [];
      hash.on('data', (part) => parts.push(part));
      hash.on('end', () => resolve([Buffer.concat(parts), hash.digest('hex')]));
      hash.write('ab');
      hash.end('c');
    }),
  'has digests in every encoding': (crypto) =>
    ['hex', 'base64', 'base64url', 'latin1', 'buffer', 'utf16le'].map((name) =>
      crypto.createHash('sha1').update('a').digest(name),
    ),
  'takes texts in every encoding': (crypto) =>
    ['utf8', 'hex', 'base64', 'latin1', 'utf16le'].map((name) =>
      crypto.createHash('sha1').update('abcd', name).digest('hex'),
    ),
  'takes views of every kind': (crypto) =>
    [
      new Uint16Array([1, 2, 3]),
      new DataView(new ArrayBuffer(9), 2, 5),
      Buffer.alloc(0),
      new Float64Array(100).fill(1.5),
    ].map((view) => crypto.createHash('md5').update(view).digest('hex')),
  'is one call': (crypto) => [
    crypto.hash('sha256', 'abc'),
    crypto.hash('md5', Buffer.from('abc'), 'base64'),
    crypto.hash('sha1', '', 'buffer'),
  ],
});

same('errors of hashes', {
  unknown: (crypto) => crypto.createHash('none'),
  'no name': (crypto) => crypto.createHash(5),
  'no data': (crypto) => crypto.createHash('md5').update(5),
  'bad hexadecimal digits': (crypto) =>
    crypto.createHash('md5').update('abc', 'hex'),
  'twice digested': (crypto) => {
    const hash = crypto.createHash('md5');
    hash.digest();
    return hash.digest();
  },
  'update after digest': (crypto) => {
    const hash = crypto.createHash('md5');
    hash.digest();
    return hash.update('a');
  },
  'a length that is not free': (crypto) =>
    crypto.createHash('sha256', { outputLength: 5 }),
  'no HMAC of it': (crypto) => crypto.createHmac('none', 'key'),
  'no key': (crypto) => crypto.createHmac('md5', null),
});

same('HMAC', {
  'of every hash': (crypto) =>
    crypto
      .getHashes()
      .filter((name) => !/shake|ssl3|keccak-kmac/i.test(name))
      .map((name) => {
        try {
          return crypto.createHmac(name, 'key').update('data').digest('hex');
        } catch (error) {
          return error.message;
        }
      }),
  'with keys of every length': (crypto) =>
    [0, 1, 64, 65, 1000].map((size) =>
      crypto
        .createHmac('sha256', Buffer.alloc(size, 7))
        .update('a')
        .update(Buffer.alloc(5000))
        .digest('hex'),
    ),
  'with a KeyObject': (crypto) =>
    crypto
      .createHmac('sha1', crypto.createSecretKey(Buffer.from('key')))
      .update('a')
      .digest('hex'),
  'a second digest': (crypto) => {
    const hmac = crypto.createHmac('sha1', 'key');
    hmac.digest();
    return [hmac.digest(), hmac.digest('hex')];
  },
});

same('keys from passwords', {
  pbkdf2: (crypto) => [
    // RFC 6070
    crypto.pbkdf2Sync('password', 'salt', 4096, 20, 'sha1').toString('hex'),
    crypto.pbkdf2Sync('p', 's', 3, 0, 'sha512'),
    crypto.pbkdf2Sync(Buffer.from('p'), Buffer.alloc(9), 5, 200, 'sha3-256'),
  ],
  scrypt: (crypto) => [
    // RFC 7914
    crypto
      .scryptSync('password', 'NaCl', 64, { N: 1024, r: 8, p: 16 })
      .toString('hex'),
    crypto.scryptSync('', '', 64, { cost: 16, blockSize: 1 }).toString('hex'),
    crypto.scryptSync('p', 's', 33, { N: 2, r: 3, p: 5 }),
  ],
  hkdf: (crypto) => [
    // RFC 5869
    crypto.hkdfSync(
      'sha256',
      Buffer.alloc(22, 11),
      Buffer.from('000102030405060708090a0b0c', 'hex'),
      Buffer.from('f0f1f2f3f4f5f6f7f8f9', 'hex'),
      42,
    ),
    crypto.hkdfSync('sha1', 'key', '', '', 300),
  ],
  'later, by callbacks': (crypto) =>
    new Promise((resolve) => {
      crypto.pbkdf2('a', 'b', 1, 5, 'md5', (...first) =>
        crypto.scrypt('a', 'b', 5, (...second) =>
          crypto.hkdf('md5', 'a', 'b', 'c', 5, (...third) =>
            resolve([first, second, third]),
          ),
        ),
      );
    }),
  'unknown hash': (crypto) => crypto.pbkdf2Sync('a', 'b', 1, 5, 'none'),
  'no rounds': (crypto) => crypto.pbkdf2Sync('a', 'b', 0, 5, 'md5'),
  'no password': (crypto) => crypto.pbkdf2Sync(1, 'b', 1, 5, 'md5'),
  'too much memory': (crypto) => crypto.scryptSync('a', 'b', 5, { N: 2 ** 20 }),
  'both names': (crypto) => crypto.scryptSync('a', 'b', 5, { N: 2, cost: 2 }),
  'too long': (crypto) => crypto.hkdfSync('md5', 'a', 'b', 'c', 16 * 255 + 1),
  'a negative length': (crypto) => crypto.hkdfSync('md5', 'a', 'b', 'c', -1),
  'no callback': (crypto) => crypto.scrypt('a', 'b', 5),
});
