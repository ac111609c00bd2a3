'use strict';

// Ciphers that newer Nodes let take their text in one piece, and private keys
// in DER whose form has another name.

const { same } = require('./support.js');

same('ciphers of one piece', {
  'take it once, and do not end without it': (crypto) => {
    const bytes = (size) => Buffer.from([...Array(size).keys()]);
    const names = crypto
      .getCiphers()
      .filter((name) =>
        /aes-?(?:128|256).*(?:wrap|ccm|siv|xts|gcm)/i.test(name),
      );
    return names.flatMap((name) => {
      const { keyLength, ivLength, mode } = crypto.getCipherInfo(name);
      const iv = ivLength === undefined ? null : bytes(ivLength);
      const options = mode === 'ccm' ? { authTagLength: 16 } : undefined;
      return ['createCipheriv', 'createDecipheriv'].flatMap((create) => {
        const made = () => {
          const cipher = crypto[create](name, bytes(keyLength), iv, options);
          if (create === 'createDecipheriv' && /ccm|siv/.test(name)) {
            cipher.setAuthTag(bytes(16));
          }
          return cipher;
        };
        return [
          (cipher) => cipher.final(),
          (cipher) => [cipher.update(bytes(16)), cipher.final()],
          (cipher) => [cipher.update(bytes(16)), cipher.update(bytes(16))],
          (cipher) => {
            cipher.update(bytes(16));
            try {
              cipher.update(bytes(16));
            } catch {
              // The first one counts.
            }
            return cipher.final();
          },
          (cipher) => [cipher.update(bytes(0)), cipher.update(bytes(24))],
        ].map((work) => {
          try {
            return [name, work(made())];
          } catch ({ message, code, opensslErrorStack: others }) {
            return [name, message, code, others];
          }
        });
      });
    });
  },
});

same('private keys in DER', {
  'are read by the form that this Node asks for': (crypto) => {
    const pairs = {
      ec: { namedCurve: 'P-256' },
      ed25519: {},
      rsa: { modulusLength: 512 },
      dh: { group: 'modp5' },
    };
    const seen = [];
    for (const [kind, options] of Object.entries(pairs)) {
      const { privateKey, publicKey } = crypto.generateKeyPairSync(
        kind,
        options,
      );
      const forms = { ec: ['sec1'], rsa: ['pkcs1'] }[kind] ?? [];
      const keys = [
        ...['pkcs8', ...forms].map((type) => [privateKey, type]),
        [publicKey, 'spki'],
      ].map(([from, type]) => [type, from.export({ format: 'der', type })]);
      for (const [type, key] of keys) {
        for (const asked of ['pkcs1', 'pkcs8', 'sec1']) {
          const input = { key, format: 'der', type: asked };
          for (const create of ['createPrivateKey', 'createPublicKey']) {
            let made;
            try {
              made = crypto[create](input).asymmetricKeyType;
            } catch {
              made = 'refused';
            }
            seen.push([kind, type, asked, create, made]);
          }
        }
      }
    }
    return seen;
  },
  'are refused by name where a public one is wanted': (crypto) => {
    const { privateKey } = crypto.generateKeyPairSync('ed25519');
    const key = privateKey.export({ format: 'der', type: 'pkcs8' });
    return [key, Buffer.alloc(10), Buffer.from('300a020100', 'hex')].map(
      (given) => {
        try {
          return crypto.createPublicKey({
            key: given,
            format: 'der',
            type: 'spki',
          }).type;
        } catch ({ message, code, library, opensslErrorStack: others }) {
          return [message, code, library, others];
        }
      },
    );
  },
});
