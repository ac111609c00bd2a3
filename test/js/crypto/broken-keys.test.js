'use strict';

// Keys that are cut, mutated, under another label, of another form, or with
// another passphrase: which error is thrown, and its own properties in their
// order. OpenSSL's errors are most of them.

const crypto = require('node:crypto');

const { made, same } = require('./support.js');

const LABELS = [
  'PRIVATE KEY',
  'ENCRYPTED PRIVATE KEY',
  'RSA PRIVATE KEY',
  'EC PRIVATE KEY',
  'PUBLIC KEY',
  'RSA PUBLIC KEY',
  'CERTIFICATE',
  'X',
];
const TYPES = ['pkcs1', 'pkcs8', 'sec1', 'spki', undefined];
const PASSPHRASES = ['pass', 'wrong', undefined, '', 'x'.repeat(1025)];
const CALLS = [
  'createPrivateKey',
  'createPublicKey',
  'sign',
  'verify',
  'Sign',
  'Verify',
  'publicEncrypt',
  'privateDecrypt',
  'privateEncrypt',
  'publicDecrypt',
];

/** Texts and bytes of keys of all kinds, in all of their forms. */
function allForms() {
  const make = (type, options) => crypto.generateKeyPairSync(type, options);
  const pairs = [
    make('rsa', { modulusLength: 1024 }),
    make('rsa-pss', { modulusLength: 1024 }),
    make('ec', { namedCurve: 'P-256' }),
    make('ed25519'),
    make('x25519'),
    make('dh', { group: 'modp5' }),
  ];
  const forms = [];
  const add = (key, options) => {
    try {
      forms.push({ ...options, key: key.export(options) });
    } catch {
      // Not every kind has every form.
    }
  };
  const sealed = { cipher: 'aes-128-cbc', passphrase: 'pass' };
  for (const { privateKey, publicKey } of pairs) {
    for (const format of ['pem', 'der']) {
      for (const type of ['pkcs8', 'pkcs1', 'sec1']) {
        add(privateKey, { type, format });
        add(privateKey, { type, format, ...sealed });
      }
      for (const type of ['spki', 'pkcs1']) add(publicKey, { type, format });
    }
  }
  return forms;
}

/** Numbers that are the same in each run. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function mutated(bytes, below) {
  const at = below(bytes.length + 1);
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
  const one = Buffer.of(below(256));
  switch (below(5)) {
    case 0:
      return head;
    case 1:
      return Buffer.concat([head, one, tail]);
    case 2:
      return Buffer.concat([head, tail.subarray(1 + below(4))]);
    case 3:
      return Buffer.concat([bytes, one]);
    default: {
      const changed = Buffer.from(bytes);
      changed[below(Math.min(40, bytes.length))] = one[0];
      return changed;
    }
  }
}

const pemOf = (label, der) =>
  `-----BEGIN ${label}-----\n${der.toString('base64')}\n-----END ${label}-----\n`;

// Node asks at the terminal for the passphrase of a public key, and waits.
const isAskedFor = (label, text) =>
  ['PUBLIC KEY', 'RSA PUBLIC KEY', 'CERTIFICATE'].includes(label) &&
  text.includes('Proc-Type');

const relabelled = (text, label) =>
  text.replaceAll(/(BEGIN|END) [A-Z ]+/g, `$1 ${label}`);

// Runs in both places. A signature comes first each time, because Node leaves
// errors in OpenSSL's queue, and that empties it.
const outcomes = `(crypto, cases) => {
  const { privateKey } = crypto.generateKeyPairSync('ed25519');
  const data = Buffer.from('x');
  const old = Buffer.alloc(128, 1);
  const calls = {
    sign: (key) => crypto.sign('sha256', data, key),
    verify: (key) => crypto.verify('sha256', data, key, old),
    Sign: (key) => crypto.createSign('sha256').update(data).sign(key),
    Verify: (key) => crypto.createVerify('sha256').update(data).verify(key, old),
    publicEncrypt: (key) => crypto.publicEncrypt(key, data),
    privateDecrypt: (key) => crypto.privateDecrypt(key, old),
    privateEncrypt: (key) => crypto.privateEncrypt(key, data),
    publicDecrypt: (key) => crypto.publicDecrypt(key, old),
  };
  const shown = (value) => {
    if (ArrayBuffer.isView(value)) return 'bytes';
    if (typeof value !== 'object') return String(value);
    const type = value.type === 'private' ? 'pkcs8' : 'spki';
    return value.export({ type, format: 'pem' });
  };
  const tried = ({ call, key, ...options }) => {
    const given = Array.isArray(key) ? Buffer.from(key[0], 'base64') : key;
    const all = options.format === undefined ? given : { key: given, ...options };
    try {
      const work = calls[call] ?? ((each) => crypto[call](each));
      return shown(work(all));
    } catch (error) {
      const own = Object.getOwnPropertyNames(error).map((name) =>
        name === 'stack' ? [name, error.stack.split('\\n')[0]] : [name, error[name]]);
      return [error.name, own];
    }
  };
  return cases.map((each) => {
    crypto.sign(null, data, privateKey);
    return [each.call, tried(each)];
  });
}`;

const over = (cases) =>
  `(crypto) => (${outcomes})(crypto, ${JSON.stringify(cases)})`;

// Keys in DER as the base64 of their bytes, because cases travel as text.
const asCase = (call, key, options) => ({
  call,
  key: typeof key === 'string' ? key : [key.toString('base64')],
  ...options,
});

const forms = allForms();
const pems = forms.filter(({ format }) => format === 'pem');
const ders = forms.filter(({ format }) => format === 'der');

function mutations(seed) {
  const below = numbers(seed);
  const pick = (list) => list[below(list.length)];
  return Array.from({ length: 400 }, () => {
    const { key, format, type } = pick(forms);
    const { key: der } = pick(ders);
    const passphrase = pick(PASSPHRASES);
    const options = { format, type: below(4) ? type : pick(TYPES), passphrase };
    if (format === 'der')
      return asCase(pick(CALLS), mutated(key, below), options);
    const text = below(2)
      ? mutated(Buffer.from(key), below).toString('latin1')
      : pemOf(pick(LABELS), mutated(der, below));
    return asCase(pick(CALLS), text, below(3) ? options : {});
  });
}

same('keys of all kinds', {
  'under each label': over(
    LABELS.flatMap((label) =>
      pems
        .filter(({ key }) => !isAskedFor(label, key))
        .flatMap(({ key }) =>
          ['createPrivateKey', 'createPublicKey'].map((call) =>
            asCase(call, relabelled(key, label), {}),
          ),
        ),
    ),
  ),
  'as another form in DER': over(
    TYPES.flatMap((type) =>
      ders.flatMap(({ key }) =>
        ['createPrivateKey', 'createPublicKey'].map((call) =>
          asCase(call, key, { format: 'der', type, passphrase: 'pass' }),
        ),
      ),
    ),
  ),
  'with another passphrase': over(
    PASSPHRASES.flatMap((passphrase) =>
      forms.map(({ key, format, type }) =>
        asCase('createPrivateKey', key, { format, type, passphrase }),
      ),
    ),
  ),
  'that are empty': over(
    CALLS.flatMap((call) => [
      asCase(call, '', {}),
      asCase(call, ' ', { format: 'pem' }),
      ...TYPES.map((type) =>
        asCase(call, Buffer.alloc(0), { format: 'der', type }),
      ),
    ]),
  ),
  'with a second key after a broken one': over(
    pems.map(({ key }) =>
      asCase(
        'createPublicKey',
        `${pemOf('PUBLIC KEY', Buffer.of(48))}${key}`,
        {},
      ),
    ),
  ),
});

same('mutated keys', {
  'of the seed 1': over(mutations(1)),
  'of the seed 2': over(mutations(2)),
  'of the seed 3': over(mutations(3)),
});

it('a public key with a passphrase is refused, and nobody is asked', async () => {
  const sealed = pems.find(({ key }) => key.includes('Proc-Type')).key;
  const [[, [name]]] = await made(
    over([asCase('createPublicKey', relabelled(sealed, 'PUBLIC KEY'), {})]),
  );
  expect(name).toBe('Error');
});
