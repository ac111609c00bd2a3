'use strict';

// The exports of node:crypto as they are before anything reads them: what does
// their work is loaded later, which no program may see.

const { WorkerPool } = require('../../../lib/index.js');

/** Runs in both places, so it may use nothing around it. */
function describeExports() {
  const { createRequire } = require('node:module');
  const crypto = createRequire('/x.js')('node:crypto');
  const shown = {};
  for (const name of Object.getOwnPropertyNames(crypto)) {
    const given = Object.getOwnPropertyDescriptor(crypto, name);
    const isCallable = typeof given.value === 'function';
    const { writable, enumerable, configurable } = given;
    shown[name] = { isCallable, writable, enumerable, configurable };
  }
  return shown;
}
const inIsolate = new Function(
  `const require = (name) => process.getBuiltinModule(name);
  return (${describeExports})();`,
);

let pool;
beforeAll(() => {
  pool = WorkerPool.create('exports');
});
afterAll(() => pool.stop());

test('functions and classes are plain properties, as in Node', async () => {
  const [theirs, ours] = [describeExports(), await pool.run(inIsolate)];
  const names = Object.keys(theirs).filter((name) => theirs[name].isCallable);
  const common = names.filter((name) => name in ours);
  expect(common.length).toBeGreaterThan(50);
  const only = (all) => Object.fromEntries(common.map((of) => [of, all[of]]));
  expect(only(ours)).toEqual(only(theirs));
});

test('a class has its own members before it makes anything', async () => {
  const members = await pool.run(() => {
    const crypto = process.getBuiltinModule('node:crypto');
    return ['Hash', 'Hmac', 'Cipheriv', 'Sign', 'ECDH'].map((name) => [
      name,
      Object.getOwnPropertyNames(crypto[name].prototype),
      Object.keys(crypto[name].prototype).includes('constructor'),
      crypto[name].prototype.constructor === crypto[name],
    ]);
  });
  const ofHash = ['constructor', '_transform', '_flush'];
  expect(members).toEqual([
    ['Hash', [...ofHash, 'copy', 'update', 'digest'], false, true],
    ['Hmac', [...ofHash, 'update', 'digest'], false, true],
    ['Cipheriv', expect.arrayContaining(['update', 'final']), false, true],
    ['Sign', ['constructor', '_write', 'update', 'sign'], false, true],
    ['ECDH', expect.arrayContaining(['generateKeys']), false, true],
  ]);
});
