'use strict';

// The rules of Web IDL for every interface: names, lengths, enumerability.

const { WorkerPool } = require('../../../lib/index.js');

let shape;

beforeAll(async () => {
  const pool = WorkerPool.create('interfaces', { workers: 1 });
  shape = await pool.run(() => {
    const flags = (of) =>
      `${of.enumerable ? 'e' : '-'}${of.configurable ? 'c' : '-'}${of.writable ? 'w' : '-'}`;
    const interfaces = {};
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      const own = Object.getOwnPropertyDescriptor(globalThis, name);
      const Class = globalThis[name];
      const isInterface =
        /^[A-Z]/.test(name) &&
        typeof Class === 'function' &&
        Object.hasOwn(Class, 'prototype') &&
        Object.hasOwn(Class.prototype, Symbol.toStringTag) &&
        !/ArrayBuffer$/.test(name) &&
        !/\[native code\]/.test(`${Class}`);
      if (!isInterface) continue;
      const members = {};
      for (const key of Object.getOwnPropertyNames(Class.prototype)) {
        const member = Object.getOwnPropertyDescriptor(Class.prototype, key);
        const work = member.value ?? member.get;
        members[key] = {
          flags: flags(member),
          work: typeof work === 'function' ? work.name : typeof work,
          size: typeof member.value === 'function' ? work.length : 0,
          set: member.set?.name,
        };
      }
      const tag = Object.getOwnPropertyDescriptor(
        Class.prototype,
        Symbol.toStringTag,
      );
      interfaces[name] = {
        flags: `${own.enumerable ? 'e' : '-'}${own.configurable ? 'c' : '-'}`,
        name: Class.name,
        size: Class.length,
        tag: [tag.value, flags(tag)],
        prototype: flags(Object.getOwnPropertyDescriptor(Class, 'prototype')),
        members,
      };
    }
    return interfaces;
  });
  await pool.stop();
});

// Ours and the libraries': no part of the interface.
const EXTRA = new Set([
  // Node has the same.
  'AbortSignal.reason',
  'AbortSignal.throwIfAborted',
  'Event.isTrusted',
]);

test('interfaces are there, named, tagged and not enumerable', () => {
  expect(Object.keys(shape).length).toBeGreaterThan(40);
  for (const [name, { flags, name: own, tag, prototype }] of Object.entries(
    shape,
  )) {
    expect([name, flags, own, tag, prototype]).toEqual([
      name,
      '-c',
      name,
      [name, '-c-'],
      // A function, because Node's is of C++.
      name === 'MessageChannel' ? '--w' : '---',
    ]);
  }
});

test('members are enumerable, and their functions named after them', () => {
  const wrong = [];
  for (const [name, { members }] of Object.entries(shape)) {
    // Node has the same (web/interfaces.test.js).
    if (name.startsWith('Performance')) continue;
    for (const [key, { flags, work, set }] of Object.entries(members)) {
      if (key === 'constructor' || EXTRA.has(`${name}.${key}`)) continue;
      const named = work === key || work === `get ${key}`;
      const constant = work === 'number' && flags === 'e--';
      const settable = set === undefined || set === `set ${key}`;
      if (constant || (flags.startsWith('ec') && named && settable)) continue;
      wrong.push([`${name}.${key}`, flags, work, set]);
    }
  }
  expect(wrong).toEqual([]);
});

test('lengths count the arguments that are required', () => {
  const sizes = (name) => [
    shape[name].size,
    Object.fromEntries(
      Object.entries(shape[name].members)
        .filter(([, { size }]) => size > 0)
        .map(([key, { size }]) => [key, size]),
    ),
  ];
  for (const name of ['AbortSignal', 'CryptoKey', 'Crypto', 'Navigator']) {
    expect([name, shape[name].size]).toEqual([name, 0]);
  }
  expect(sizes('SubtleCrypto')[1]).toMatchObject({
    decrypt: 3,
    deriveBits: 2,
    deriveKey: 5,
    digest: 2,
    unwrapKey: 7,
    wrapKey: 4,
  });
  expect(sizes('AbortController')).toEqual([0, {}]);
  expect(sizes('Event')[0]).toBe(1);
  expect(sizes('URL')[0]).toBe(1);
  expect(sizes('URLSearchParams')[1]).toMatchObject({ append: 2, get: 1 });
});
