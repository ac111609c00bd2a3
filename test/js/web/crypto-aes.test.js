'use strict';

const { webcrypto } = require('node:crypto');

const { WorkerPool } = require('../../../lib/index.js');

const hex = (bytes) => Buffer.from(bytes).toString('hex');

// Node's own answers say what is to come out.
async function counted(subtle) {
  const key = await subtle.importKey(
    'raw',
    new Uint8Array(16).fill(3),
    'AES-CTR',
    false,
    ['encrypt'],
  );
  const counter = new Uint8Array(16).fill(255);
  const texts = [];
  for (const length of [2, 7, 8, 12, 64, 128]) {
    const parameters = { name: 'AES-CTR', counter, length };
    const data = new Uint8Array(60);
    texts.push([
      ...new Uint8Array(await subtle.encrypt(parameters, key, data)),
    ]);
  }
  return texts;
}

async function tagged(subtle) {
  const key = await subtle.importKey(
    'raw',
    new Uint8Array(32).fill(3),
    'AES-GCM',
    false,
    ['encrypt', 'decrypt'],
  );
  const data = Uint8Array.from({ length: 50 }, (_, at) => at);
  const texts = [];
  for (const tagLength of [32, 64, 96, 104, 112, 120, 128]) {
    const parameters = { name: 'AES-GCM', iv: new Uint8Array(12), tagLength };
    const sealed = await subtle.encrypt(parameters, key, data);
    const opened = await subtle.decrypt(parameters, key, sealed);
    const changed = new Uint8Array(sealed);
    changed[52] ^= 1;
    const refused = await subtle.decrypt(parameters, key, changed).then(
      () => 'none',
      (error) => error.name,
    );
    texts.push(
      [...new Uint8Array(sealed)],
      new Uint8Array(opened)[49],
      refused,
    );
  }
  return texts;
}

describe('AES beside Node', () => {
  let pool;
  beforeAll(() => {
    pool = WorkerPool.create('aes', { workers: 1 });
  });
  afterAll(() => pool.stop());

  test.each([
    ['counters of any length', counted],
    ['tags of any length', tagged],
  ])('%s', async (_, work) => {
    const inside = new Function(
      `return async () => (${work.toString()})(crypto.subtle)`,
    )();
    const [ours, nodes] = await Promise.all([
      pool.run(inside),
      work(webcrypto.subtle),
    ]);
    expect(JSON.stringify(ours)).toBe(JSON.stringify(nodes));
    expect(hex(ours[0]).length).toBeGreaterThan(0);
  });
});
