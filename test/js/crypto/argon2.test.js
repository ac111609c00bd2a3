'use strict';

// The filling of the memory is ours, because OpenSSL's cannot be ended.

const { same } = require('./support.js');
const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 24 || (major === 24 && minor >= 7)) {
  same('argon2', {
    'has one result for all shapes': (crypto) =>
      ['argon2d', 'argon2i', 'argon2id'].flatMap((kind) =>
        [
          { parallelism: 1, memory: 8, passes: 1, tagLength: 4 },
          { parallelism: 1, memory: 2048, passes: 1, tagLength: 64 },
          { parallelism: 3, memory: 100, passes: 3, tagLength: 65 },
          { parallelism: 4, memory: 4096, passes: 2, tagLength: 128 },
          { parallelism: 7, memory: 777, passes: 4, tagLength: 33 },
        ].map((shape) =>
          crypto.argon2Sync(kind, {
            message: 'message'.repeat(shape.passes),
            nonce: Buffer.alloc(7 + shape.parallelism, 5),
            ...(shape.passes > 2
              ? { secret: 'secret', associatedData: Buffer.alloc(12, 4) }
              : {}),
            ...shape,
          }),
        ),
      ),
  });
} else {
  test.skip('no argon2 in this Node', () => {});
}
