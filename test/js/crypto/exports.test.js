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

/** The same of classes: members, whether one shows, whose `constructor` it is. */
function describeClasses() {
  const crypto = process.getBuiltinModule('node:crypto');
  return ['Hash', 'Hmac', 'Cipheriv', 'Sign', 'ECDH'].map((name) => {
    const { prototype } = crypto[name];
    return [
      name,
      Object.getOwnPropertyNames(prototype).sort(),
      Object.keys(prototype).includes('constructor'),
      // Since Node 22 what is exported warns, and makes objects of another class.
      prototype.constructor === crypto[name],
    ];
  });
}

test('a class has its own members before it makes anything', async () => {
  const inNode = describeClasses();
  expect(await pool.run(describeClasses)).toEqual(inNode);
});
