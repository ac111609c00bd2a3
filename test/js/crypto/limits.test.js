'use strict';

// A native cannot be ended in its middle, so long ones look between pieces
// whether the worker is to end. Without that each of these takes minutes.

const { WorkerPool } = require('../../../lib/index.js');

const [major, minor] = process.versions.node.split('.').map(Number);

const LONG = {
  pbkdf2: async () =>
    (await import('node:crypto')).pbkdf2Sync(
      'a',
      'b',
      2 ** 31 - 1,
      64,
      'sha512',
    ),
  'scrypt of many lanes': async () =>
    (await import('node:crypto')).scryptSync('a', 'b', 64, {
      N: 2,
      r: 1,
      p: 2 ** 17 - 1,
      maxmem: 2 ** 30,
    }) &&
    (await import('node:crypto')).scryptSync('a', 'b', 64, {
      N: 2 ** 14,
      r: 8,
      p: 10_000,
      maxmem: 2 ** 30,
    }),
  'prime numbers': async () =>
    (await import('node:crypto')).generatePrimeSync(8192, { safe: true }),
  'RSA keys': async () =>
    (await import('node:crypto')).generateKeyPairSync('rsa', {
      modulusLength: 16_384,
    }),
  'parameters of DSA': async () =>
    (await import('node:crypto')).generateKeyPairSync('dsa', {
      modulusLength: 8192,
      divisorLength: 256,
    }),
  'a group of Diffie and Hellman': async () =>
    (await import('node:crypto')).createDiffieHellman(4096),
  'whether a long number is a prime': async () => {
    const { checkPrimeSync } = await import('node:crypto');
    // 2 ** 216091 - 1 is one.
    return checkPrimeSync((1n << 216_091n) - 1n);
  },
  'whether a long group is one': async () => {
    const { createDiffieHellman } = await import('node:crypto');
    // 2 ** 9941 - 1 is a prime.
    const prime = Buffer.alloc(1243, 0xff).fill(0x1f, 0, 1);
    return createDiffieHellman(prime, 3).verifyError;
  },
  'hashes of much data': async () => {
    const { createHash } = await import('node:crypto');
    const data = new Uint8Array(2 ** 29);
    for (;;) createHash('sha512').update(data).digest();
  },
};

if (major > 24 || (major === 24 && minor >= 7)) {
  LONG['passes of argon2'] = async () =>
    (await import('node:crypto')).argon2Sync('argon2id', {
      message: 'a',
      nonce: Buffer.alloc(16),
      parallelism: 1,
      tagLength: 32,
      memory: 4096,
      passes: 2 ** 32 - 1,
    });
}

describe('a time limit ends', () => {
  it.each(Object.entries(LONG))(
    '%s',
    async (_, job) => {
      const pool = WorkerPool.create('limits', {
        workers: 1,
        memoryLimitMb: 1024,
      });
      try {
        const result = pool.run(job, { timeoutMs: 300 });
        await expect(result).rejects.toMatchObject({
          code: 'SLOPPY_E_WORK_JOB_TIMEOUT',
        });
        // The same worker goes on.
        expect(await pool.run(() => 'next')).toBe('next');
      } finally {
        await pool.stop();
      }
    },
    60_000,
  );
});

describe('memory', () => {
  it('of scrypt counts in the limit', async () => {
    const pool = WorkerPool.create('memory', { workers: 1, memoryLimitMb: 64 });
    try {
      const result = pool.run(async () => {
        const { scryptSync } = await import('node:crypto');
        return scryptSync('a', 'b', 64, { N: 2 ** 20, r: 8, maxmem: 2 ** 31 })
          .length;
      });
      await expect(result).rejects.toThrow();
      expect(await pool.run(() => 'next')).toBe('next');
    } finally {
      await pool.stop();
    }
  });

  it('of random bytes counts in the limit', async () => {
    const pool = WorkerPool.create('memory', { workers: 1, memoryLimitMb: 64 });
    try {
      const result = pool.run(async () => {
        const { randomBytes } = await import('node:crypto');
        const all = [];
        for (let i = 0; i < 100; i += 1) all.push(randomBytes(10_000_000));
        return all.length;
      });
      await expect(result).rejects.toThrow();
      expect(await pool.run(() => 'next')).toBe('next');
    } finally {
      await pool.stop();
    }
  });
});

// An isolate has Node 24's errors where Node itself crashes on some versions.
describe('a number that is longer than those of OpenSSL', () => {
  const pool = WorkerPool.create('long', { workers: 1, memoryLimitMb: 1024 });
  afterAll(() => pool.stop());

  const CASES = [
    ['checkPrime', 'ERR_OSSL_BN_BIGNUM_TOO_LONG'],
    ['add of generatePrime', 'ERR_CRYPTO_OPERATION_FAILED'],
    ['rem of generatePrime', 'ERR_CRYPTO_OPERATION_FAILED'],
    ['setPublicKey', 'ERR_INVALID_ARG_VALUE'],
    ['setPrivateKey', 'ERR_INVALID_ARG_VALUE'],
    ['computeSecret', 'ERR_CRYPTO_INVALID_KEYTYPE'],
    ['ECDH', 'ERR_CRYPTO_OPERATION_FAILED'],
  ];

  it.each(CASES)(
    'is refused: %s',
    async (name, code) => {
      const result = pool.run(
        async ({ input }) => {
          const crypto = (await import('node:crypto')).default;
          const long = new Uint8Array(2 ** 26).fill(1, 0, 1);
          const group = () =>
            crypto.createDiffieHellman(
              crypto.getDiffieHellman('modp1').getPrime(),
            );
          const generated = (made) => {
            made.generateKeys();
            return made;
          };
          const programs = {
            checkPrime: () => crypto.checkPrimeSync(long),
            'add of generatePrime': () =>
              crypto.generatePrimeSync(64, { add: long }),
            'rem of generatePrime': () =>
              crypto.generatePrimeSync(64, { rem: long }),
            setPublicKey: () => group().setPublicKey(long),
            setPrivateKey: () => group().setPrivateKey(long),
            computeSecret: () => generated(group()).computeSecret(long),
            ECDH: () => crypto.createECDH('prime256v1').setPrivateKey(long),
          };
          try {
            programs[input]();
          } catch (error) {
            return error.code;
          }
          return 'no error';
        },
        { input: name },
      );
      expect(await result).toBe(code);
    },
    60_000,
  );
});
