'use strict';

const { inBare, inNode, same } = require('./subtle-support.js');

const NAMES = ['RSASSA-PKCS1-v1_5', 'RSA-PSS', 'RSA-OAEP'];

// A pair of `make`, exported, and what its private or public key made.
const MAKE = (name, hash) => `
  const name = '${name}', hash = '${hash}';
  const uses = name === 'RSA-OAEP' ? ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] : ['sign', 'verify'];
  const pair = await subtle.generateKey(
    { name, hash, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }, true, uses);
  const { privateKey, publicKey } = pair;
  const run = { name, saltLength: 20, label: bytes('label') };
  return {
    pkcs8: hex(await subtle.exportKey('pkcs8', privateKey)),
    spki: hex(await subtle.exportKey('spki', publicKey)),
    jwk: await subtle.exportKey('jwk', privateKey),
    made: hex(name === 'RSA-OAEP'
      ? await subtle.encrypt(run, publicKey, data)
      : await subtle.sign(run, privateKey, data)),
  };`;

const READ = (name, hash) => `
  const name = '${name}', hash = '${hash}';
  const [own, other] = name === 'RSA-OAEP' ? ['decrypt', 'encrypt'] : ['sign', 'verify'];
  const algorithm = { name, hash };
  const run = { name, saltLength: 20, label: bytes('label') };
  const secret = await subtle.importKey('pkcs8', unhex(given.pkcs8), algorithm, true, [own]);
  const open = await subtle.importKey('spki', unhex(given.spki), algorithm, true, [other]);
  const { n, e, kty } = given.jwk;
  const jwk = await subtle.importKey('jwk', { n, e, kty }, algorithm, true, [other]);
  const { key_ops, ext, ...numbers } = given.jwk;
  const again = await subtle.importKey('jwk', numbers, algorithm, false, [own]);
  const made = unhex(given.made);
  const wrong = made.slice();
  wrong[9] ^= 1;
  return [
    secret.algorithm, secret.type, secret.usages, secret.extractable,
    [...secret.algorithm.publicExponent], open.algorithm, open.type, jwk.algorithm,
    again.extractable,
    await subtle.exportKey('jwk', secret),
    await subtle.exportKey('jwk', open),
    hex(await subtle.exportKey('pkcs8', secret)) === given.pkcs8,
    hex(await subtle.exportKey('spki', jwk)) === given.spki,
    name === 'RSA-OAEP'
      ? [hex(await subtle.decrypt(run, again, made)),
         await nameOf(subtle.decrypt(run, again, wrong)),
         await nameOf(subtle.decrypt({ name }, again, made))]
      : [await subtle.verify(run, jwk, made, data),
         await subtle.verify(run, open, wrong, data),
         await subtle.verify(run, open, made.slice(0, -1), data),
         await subtle.verify(run, open, made, made)],
    name === 'RSASSA-PKCS1-v1_5' && hex(await subtle.sign(run, again, data)),
  ];
  function nameOf(promise) { return promise.then(() => 'no error', (error) => error.name); }`;

test.each(NAMES)('%s: keys and results go to Node and back', async (scheme) => {
  for (const hash of ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512']) {
    const seen = await same(
      READ(scheme, hash),
      await inNode(MAKE(scheme, hash)),
    );
    expect(seen.at(-2)[0]).toBe(
      scheme === 'RSA-OAEP'
        ? Buffer.from('some data that is longer than one block').toString('hex')
        : true,
    );
  }
  // Keys of ours are slow to make: one is enough.
  await same(READ(scheme, 'SHA-256'), await inBare(MAKE(scheme, 'SHA-256')));
});

// A public key, and texts whose signatures begin with a zero.
const MODULUS =
  'teqMa7FN0HZmWgz9B0hgC0pKnsPkSzhhXNlHlKXsPVzmlDmtIgSSR_lTQBciHCXFmbiqA34W3e1f' +
  'o3sr1bEs1_izHzLvn9d3EFFAGl-6ijdF90E96-pMq0VaO9gNw8iMp1yUXdTTfryhyNVzAT2Q-coB' +
  'yeyyFWCQ8bh0p6KO_S0';
const SIGNED = [
  {
    name: 'RSASSA-PKCS1-v1_5',
    text: 'text 13',
    signature:
      'ALGQg2LmpS5/cdHGRnm+Pw34JDLl12QXZxN/AQf2pjFWUHoIaytwVrxxqjJdxaGnORFKi3llPpMJ' +
      'ahA+TOzNrsQWxDrKk6nIzPn3oSluCYVpWc9Ox7uZ0AgiSOQyIXS/mAkUU+Afea99O3XH0krzLSa/' +
      '1940aOpGn3HWb61jKkI=',
  },
  {
    name: 'RSA-PSS',
    text: 'text 214',
    signature:
      'AMnS6C6mD4S8i9JF6pktEjEhLKm53OMe4vD+MpDb3c7DKpthMiWzL2Vd5ofUwn4clZDlV7EJxBTK' +
      'JgvlhSS72xqksJB+i9R3aJWaXwwaBOgOu+qoZaV0BdggJv/JPjk2wQ8a4qU0sZ3qfxXtzxqd8g79' +
      'TpaCAbeEVv4PK9NI844=',
  },
];

// Node takes such an RSA-PSS signature.
test.each(SIGNED)(
  '$name: a signature that is shorter is answered as in Node',
  async (given) => {
    const [first, whole] = await same(
      `
    const { name, n, text, signature } = given;
    const key = await subtle.importKey('jwk', { kty: 'RSA', n, e: 'AQAB' },
      { name, hash: 'SHA-256' }, false, ['verify']);
    const made = bytes(atob(signature));
    const verify = (bytesMade) => subtle.verify({ name, saltLength: 0 }, key, bytesMade, bytes(text));
    return [made[0], await verify(made), await verify(made.slice(1))];`,
      { n: MODULUS, ...given },
    );
    expect([first, whole]).toEqual([0, true]);
  },
);

test('an AES key is wrapped and unwrapped', async () => {
  const made = await inNode(MAKE('RSA-OAEP', 'SHA-256'));
  const seen = await inBare(
    `
    const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' };
    const open = await subtle.importKey('spki', unhex(given.spki), algorithm, true, ['wrapKey']);
    const secret = await subtle.importKey('pkcs8', unhex(given.pkcs8), algorithm, true, ['unwrapKey']);
    const aes = await raw('AES-GCM', 16, ['encrypt']);
    const wrapped = await subtle.wrapKey('raw', aes, open, 'RSA-OAEP');
    const back = await subtle.unwrapKey('raw', wrapped, secret, 'RSA-OAEP', 'AES-GCM', true, ['encrypt']);
    return [wrapped.byteLength, hex(await subtle.exportKey('raw', back))];`,
    made,
  );
  expect(seen).toEqual([256, '07'.repeat(16)]);
});

test('what is refused, and how', async () => {
  const made = await inNode(MAKE('RSA-PSS', 'SHA-256'));
  await same(
    `
    const pss = { name: 'RSA-PSS', hash: 'SHA-256' };
    const import_ = (format, key, algorithm, uses) => subtle.importKey(format, key, algorithm, true, uses);
    const secret = await import_('pkcs8', unhex(given.pkcs8), pss, ['sign']);
    const open = await import_('spki', unhex(given.spki), pss, ['verify']);
    const { key_ops, ext, ...jwk } = given.jwk;
    return [
      await name(import_('spki', unhex(given.pkcs8), pss, ['verify'])),
      await name(import_('spki', iv, pss, ['verify'])),
      await name(import_('jwk', { ...jwk, kty: 'EC' }, pss, ['sign'])),
      await name(import_('jwk', jwk, { name: 'RSA-PSS', hash: 'MD5' }, ['sign'])),
      await name(import_('spki', unhex(given.spki), pss, ['sign'])),
      await name(import_('pkcs8', unhex(given.pkcs8), pss, [])),
      await name(subtle.sign({ name: 'RSA-PSS', saltLength: 20 }, open, data)),
      await name(subtle.sign('RSASSA-PKCS1-v1_5', secret, data)),
      await name(subtle.sign({ name: 'RSA-PSS', saltLength: 999 }, secret, data)),
      await name(subtle.generateKey({ ...pss, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }, true, ['encrypt'])),
      await name(subtle.generateKey({ ...pss, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }, true, ['verify'])),
      await name(subtle.generateKey({ ...pss, modulusLength: 2048, publicExponent: new Uint8Array([2]) }, true, ['sign'])),
    ];`,
    made,
  );
});

// Node 20 compares the hash alone.
test('a JWK for another algorithm is refused where this Node refuses it', async () => {
  const { jwk } = await inNode(MAKE('RSA-PSS', 'SHA-256'));
  await same(
    `
    const { key_ops, ext, ...numbers } = given;
    const algorithm = { name: 'RSA-PSS', hash: 'SHA-256' };
    const seen = [];
    for (const alg of ['RS256', 'PS256', 'PS512', 'RS1', 'nope']) {
      const { length } = seen;
      const imported = subtle.importKey('jwk', { ...numbers, alg }, algorithm, true, ['sign']);
      seen[length] = await name(imported);
    }
    return seen;`,
    jwk,
  );
});
