'use strict';

// Hashes, signatures and ciphers as streams, and what they refuse.

const { answersAsInNode } = require('./as-in-node-support.js');

answersAsInNode({
  'a hash that is at its end takes no more': async () => {
    const crypto = (await import('node:crypto')).default;
    const makes = [
      () => crypto.createHmac('sha1', 'key'),
      () => crypto.createHash('sha1'),
    ];
    const ends = [
      (hash) => hash.digest(),
      (hash) => hash.end(),
      (hash) => hash.end('x').read(),
      (hash) => hash.end().digest(),
    ];
    const values = ['a', '', 5, undefined, Buffer.from('x'), {}];
    const answers = [];
    const note = (work) => {
      try {
        answers.push(work());
      } catch ({ code, message, name }) {
        answers.push([name, code, message]);
      }
    };
    for (const make of makes) {
      for (const end of ends) {
        for (const value of values) {
          for (const encoding of [undefined, 'hex', 'bad']) {
            const hash = make().on('error', () => {});
            note(() => typeof end(hash));
            note(() => hash.update(value, encoding).constructor.name);
            note(() => hash.digest('hex'));
            note(() => hash.copy?.().constructor.name);
          }
        }
      }
    }
    return answers;
  },
  'they are streams before anything has touched one': async () => {
    const crypto = (await import('node:crypto')).default;
    const makes = [
      () => crypto.createHash('sha256'),
      () => crypto.createHmac('sha256', 'key'),
      () => crypto.createSign('sha256'),
      () => crypto.createVerify('sha256'),
      () =>
        crypto.createCipheriv(
          'aes-128-cbc',
          Buffer.alloc(16),
          Buffer.alloc(16),
        ),
    ];
    const names = [
      ...['readable', 'writable', 'destroyed', 'readableLength', 'closed'],
      ...['writableLength', 'writableHighWaterMark', 'readableFlowing'],
      ...['writableEnded', 'readableEnded', 'errored', 'readableEncoding'],
    ];
    const methods = ['map', 'filter', 'toArray', 'eventNames', 'push', 'wrap'];
    return makes.map((make) => [
      names.map((name) => make()[name]),
      methods.map((name) => typeof make()[name]),
      make()
        .on('close', () => {})
        .eventNames(),
      make().setMaxListeners(4).getMaxListeners(),
    ]);
  },
  'an operator of a hash': async () => {
    const crypto = (await import('node:crypto')).default;
    const hash = crypto.createHash('md5');
    const mapped = hash.map((bytes) => bytes.toString('hex')).toArray();
    hash.end('text');
    return mapped;
  },
  'signatures have the state of a stream': async () => {
    const crypto = (await import('node:crypto')).default;
    return [crypto.createSign('sha256'), crypto.createVerify('md5')].map(
      (signing) => [signing.eventNames(), signing.rawListeners('error')],
    );
  },
  'a hash that has ended takes no more': async () => {
    const crypto = (await import('node:crypto')).default;
    const log = [];
    for (const stream of [
      crypto.createHash('sha256'),
      crypto.createHmac('sha256', 'key'),
    ]) {
      stream.end('text');
      await new Promise((resolve) => setTimeout(resolve, 5));
      for (const work of [
        () => stream.update('more') === stream,
        () => stream.digest('hex'),
      ]) {
        try {
          log.push(work());
        } catch ({ name, message, code }) {
          log.push([name, message, code]);
        }
      }
    }
    return log;
  },
  'a refused key leaves what was added': async () => {
    const crypto = (await import('node:crypto')).default;
    const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519');
    const bad = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----';
    const ec = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const sign = crypto.createSign('sha256').update('text');
    const verify = crypto.createVerify('sha256').update('text');
    const log = [];
    const tell = (work) => {
      try {
        const value = work();
        log.push(typeof value === 'boolean' ? value : typeof value);
      } catch ({ name, message, code }) {
        log.push([name, message, code]);
      }
    };
    let signature;
    for (const key of [bad, publicKey]) tell(() => sign.sign(key));
    tell(() => {
      signature = sign.sign(ec.privateKey);
    });
    tell(() => sign.sign(ec.privateKey));
    tell(() => sign.sign(bad));
    tell(() => verify.verify(bad, signature));
    tell(() => verify.verify(ec.publicKey, signature));
    tell(() => verify.verify(ec.publicKey, signature));
    return [log, privateKey.type];
  },
  'the second random number comes in the next tick': async () => {
    const crypto = (await import('node:crypto')).default;
    const log = [];
    const draw = (name) =>
      new Promise((resolve) => {
        crypto.randomInt(3, (error, value) => {
          log.push([name, error, typeof value]);
          resolve();
        });
      });
    crypto.randomInt(3);
    const first = draw('first');
    Promise.resolve().then(() => log.push('microtask'));
    setImmediate(() => log.push('immediate'));
    log.push('returned');
    await first;
    await new Promise((resolve) => setTimeout(resolve, 5));
    return log;
  },
  'old names and constructors warn': async () => {
    const crypto = (await import('node:crypto')).default;
    const process = (await import('node:process')).default;
    const log = [];
    const note = ({ name, message, code }) => log.push([name, message, code]);
    process.on('warning', note);
    const hash = new crypto.Hash('md5');
    const hmac = new crypto.Hmac('md5', 'key');
    log.push(crypto.createHash('md5') instanceof crypto.Hash);
    log.push(hash.update('a').digest('hex'), hmac.update('a').digest('hex'));
    try {
      crypto.generateKeyPairSync('rsa-pss', {
        modulusLength: 512,
        hash: 'sha1',
        mgf1Hash: 'sha1',
      });
    } catch ({ name, message, code }) {
      log.push([name, message, code]);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('warning', note);
    return log;
  },
  'the order in which arguments are checked': async () => {
    const crypto = (await import('node:crypto')).default;
    const { subtle } = globalThis.crypto;
    const results = [
      () => crypto.getCipherInfo(Buffer.alloc(1), { keyLength: 'x' }),
      () => crypto.getCipherInfo(Buffer.alloc(1), 5),
      () => crypto.diffieHellman({}, 'no callback'),
    ].map((work) => {
      try {
        return work();
      } catch ({ name, message, code }) {
        return [name, message, code];
      }
    });
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const bytes = new Uint8Array(9);
    for (const key of [
      await subtle.importKey('raw', bytes, algorithm, true, ['sign']),
      await subtle.generateKey(algorithm, true, ['sign']),
    ]) {
      results.push(JSON.stringify(key.algorithm));
    }
    return results;
  },
  'an ECDH whose keys are no pair': async () => {
    const crypto = (await import('node:crypto')).default;
    const other = crypto.createECDH('secp256k1');
    const point = other.generateKeys();
    const states = {
      none: () => {},
      open: (ecdh) => ecdh.setPublicKey(point),
      secret: (ecdh) => ecdh.setPrivateKey('1'.repeat(64), 'hex'),
      mixed: (ecdh) => ecdh.generateKeys() && ecdh.setPublicKey(point),
    };
    return Object.entries(states).map(([name, set]) => {
      const ecdh = crypto.createECDH('secp256k1');
      set(ecdh);
      return [point, Buffer.of(0)].map((given) => {
        try {
          return [name, ecdh.computeSecret(given).length];
        } catch (error) {
          return [name, error.name, error.code, error.message];
        }
      });
    });
  },
  'short tags of GCM whose length nobody has named': async () => {
    const crypto = (await import('node:crypto')).default;
    const log = [];
    const listen = ({ name, code, message }) => log.push([name, code, message]);
    process.on('warning', listen);
    const open = (options) =>
      crypto.createDecipheriv(
        'aes-256-gcm',
        Buffer.alloc(32),
        Buffer.alloc(12),
        options,
      );
    for (const [size, options] of [
      [16, {}],
      [12, { authTagLength: 12 }],
      [12, undefined],
      [4, {}],
    ]) {
      try {
        open(options).setAuthTag(Buffer.alloc(size));
      } catch ({ code }) {
        log.push(code);
      }
      await new Promise(setImmediate);
      log.push(size);
    }
    process.off('warning', listen);
    return log;
  },
  'what user code changes in the parts of a CryptoKey': async () => {
    const { inspect } = await import('node:util');
    const { subtle } = globalThis.crypto;
    const log = [];
    const attempt = async (work) => {
      try {
        log.push(await work());
      } catch ({ name, message }) {
        log.push([name, message]);
      }
    };
    const curve = { name: 'ECDSA', namedCurve: 'P-256' };
    const { privateKey: key } = await subtle.generateKey(curve, true, ['sign']);
    const { algorithm, usages } = key;
    log.push(algorithm === key.algorithm, usages === key.usages);
    algorithm.name = 'HMAC';
    usages.push('verify');
    const data = Buffer.from('data');
    const how = { name: 'ECDSA', hash: 'SHA-256' };
    await attempt(() => [key.algorithm, key.usages, inspect(key)]);
    await attempt(async () => (await subtle.sign(how, key, data)).byteLength);
    await attempt(async () => (await subtle.exportKey('jwk', key)).key_ops);
    await attempt(() => [structuredClone(key).algorithm.name]);
    const bytes = Buffer.alloc(16);
    const of = { name: 'HMAC', hash: 'SHA-256' };
    const mac = await subtle.importKey('raw', bytes, of, true, ['sign']);
    mac.algorithm.hash.name = 'SHA-1';
    mac.usages.push('verify');
    await attempt(
      async () => (await subtle.sign('HMAC', mac, data)).byteLength,
    );
    await attempt(() => subtle.verify('HMAC', mac, bytes, data));
    await attempt(async () => (await subtle.exportKey('jwk', mac)).alg);
    return log;
  },
  'compressed points of an SPKI': async () => {
    const { createPublicKey } = (await import('node:crypto')).default;
    const { subtle } = globalThis.crypto;
    const hex = (bytes) => Buffer.from(bytes).toString('hex');
    const log = [];
    // The base points, and those with the other sign.
    const points = {
      'P-256': [
        '3039301306072a8648ce3d020106082a8648ce3d030107032200',
        '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
      ],
      'P-384': [
        '3046301006072a8648ce3d020106052b81040022033200',
        'aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a38' +
          '5502f25dbf55296c3a545e3872760ab7',
      ],
      'P-521': [
        '3058301006072a8648ce3d020106052b81040023034400',
        '00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d' +
          '3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66',
      ],
    };
    for (const [namedCurve, [head, x]] of Object.entries(points)) {
      for (const name of ['ECDSA', 'ECDH']) {
        for (const sign of ['02', '03']) {
          const der = Buffer.from(head + sign + x, 'hex');
          const usages = name === 'ECDSA' ? ['verify'] : [];
          const how = { name, namedCurve };
          const key = await subtle.importKey('spki', der, how, true, usages);
          log.push(hex(await subtle.exportKey('spki', key)));
          log.push(hex(await subtle.exportKey('raw', key)));
          const options = { key: der, format: 'der', type: 'spki' };
          const object = createPublicKey(options);
          log.push(hex(object.export({ format: 'der', type: 'spki' })));
        }
      }
    }
    return log;
  },
});
