'use strict';

const assert = require('node:assert');
const vm = require('node:vm');

const { createCodec, Refusal } = require('../../../lib/protocol/codec.js');

const LIMIT = 1 << 20;

/** Two codecs that share shapes, for values without bytes or long texts. */
function pair() {
  const shapes = [];
  const host = {
    defineShape(text) {
      const known = shapes.indexOf(text);
      return known === -1 ? shapes.push(text) - 1 : known;
    },
    shapeText: (id) => shapes[id] ?? '',
    compileFunction: (parameter, body) => new Function(parameter, body),
  };
  return { from: createCodec(host), to: createCodec(host) };
}

function roundTrip({ from, to }, value) {
  const { kind, number, slots, slotCount, text, more } = from.encode(
    value,
    LIMIT,
  );
  expect(more).toBeUndefined();
  return to.decode(kind, number, slots.slice(0, slotCount), 0, text);
}

function refusalOf({ from }, value) {
  try {
    from.encode(value, LIMIT);
  } catch (error) {
    expect(error).toBe(from.refused);
    return error.reason;
  }
  return 0;
}

/** Codecs that have made code for objects with these keys. */
function pairThatKnows(value) {
  const codecs = pair();
  for (let i = 0; i < 20; i += 1) roundTrip(codecs, value);
  return codecs;
}

describe('an object of a frequent shape', () => {
  const usual = { id: 1, name: 'a', ok: true };

  test.each([
    ['the usual types', { id: 2, name: 'b', ok: false }],
    ['other types', { id: 'c', name: null, ok: 3 }],
    ['objects in all places', { id: [1], name: { x: {} }, ok: [[]] }],
    ['numbers that need an escape', { id: -0, name: 2 ** 1001, ok: 1e308 }],
    ['a long text', { id: 4, name: 'é'.repeat(4000), ok: '\ud800' }],
    ['keys in another order', { name: 'a', id: 1, ok: true }],
    ['a key less', { id: 1, name: 'a' }],
    ['a key more', { id: 1, name: 'a', ok: true, more: 1 }],
    ['no key', {}],
  ])('with %s', (_name, value) => {
    const codecs = pairThatKnows(usual);
    assert.deepStrictEqual(roundTrip(codecs, value), value);
    assert.deepStrictEqual(roundTrip(codecs, usual), usual);
  });

  test('loses what is undefined', () => {
    const copy = roundTrip(pairThatKnows(usual), { ...usual, name: undefined });
    assert.deepStrictEqual(copy, { id: 1, ok: true });
  });

  test('without a prototype, or of another realm, is plain', () => {
    const codecs = pairThatKnows(usual);
    const bare = { __proto__: null, ...usual };
    assert.deepStrictEqual(roundTrip(codecs, bare), usual);
    const foreign = vm.runInNewContext('({ id: 1, name: "a", ok: true })');
    assert.deepStrictEqual(roundTrip(codecs, foreign), usual);
  });

  test('of a class is refused', () => {
    class Named {
      id = 1;
      name = 'a';
      ok = true;
    }
    const codecs = pairThatKnows(usual);
    expect(refusalOf(codecs, new Named())).toBe(Refusal.UNSUPPORTED);
    expect(refusalOf(codecs, [usual, new Named()])).toBe(Refusal.UNSUPPORTED);
    expect(refusalOf(codecs, Object.create(usual))).toBe(Refusal.UNSUPPORTED);
    const date = Object.assign(new Date(0), usual);
    expect(refusalOf(codecs, date)).toBe(Refusal.UNSUPPORTED);
  });

  test('has no keys of a prototype', () => {
    const codecs = pairThatKnows(usual);
    const inherits = Object.assign(Object.create({ ok: true }), {
      id: 1,
      name: 'a',
    });
    expect(refusalOf(codecs, inherits)).toBe(Refusal.UNSUPPORTED);
    Object.prototype.ok = true;
    try {
      const copy = roundTrip(codecs, { id: 1, name: 'a' });
      expect(Object.keys(copy)).toEqual(['id', 'name']);
      assert.deepStrictEqual(roundTrip(codecs, usual), usual);
    } finally {
      delete Object.prototype.ok;
    }
  });

  test('is asked once for each property, without those that are hidden', () => {
    const codecs = pairThatKnows(usual);
    const asked = [];
    const value = {
      get id() {
        return asked.push('id');
      },
      get name() {
        return `${asked.push('name')}`;
      },
      get ok() {
        return asked.push('ok');
      },
    };
    Object.defineProperty(value, 'hidden', { value: 1 });
    const copy = roundTrip(codecs, value);
    assert.deepStrictEqual(copy, { id: 1, name: '2', ok: 3 });
    expect(asked).toEqual(['id', 'name', 'ok']);
  });

  test('behind a proxy', () => {
    const codecs = pairThatKnows(usual);
    assert.deepStrictEqual(roundTrip(codecs, new Proxy(usual, {})), usual);
    const asWith = (traps) => refusalOf(codecs, new Proxy(usual, traps));
    const fail = () => {
      throw new Error('no');
    };
    expect(asWith({ ownKeys: fail })).toBe(Refusal.UNREADABLE);
    expect(asWith({ get: fail })).toBe(Refusal.UNREADABLE);
    expect(asWith({ getPrototypeOf: fail })).toBe(Refusal.UNREADABLE);
    const ofClass = { getPrototypeOf: () => Date.prototype };
    expect(asWith(ofClass)).toBe(Refusal.UNSUPPORTED);
  });

  test('that changes while it is read', () => {
    const codecs = pairThatKnows(usual);
    const value = {
      get id() {
        delete value.ok;
        return 1;
      },
      name: 'a',
      ok: true,
    };
    assert.deepStrictEqual(roundTrip(codecs, value), { id: 1, name: 'a' });
  });

  test('in itself is a cycle', () => {
    const codecs = pairThatKnows({ id: {} });
    const value = { id: null };
    value.id = value;
    expect(refusalOf(codecs, value)).toBe(Refusal.CYCLE);
  });
});

test('objects of many shapes follow each other in any order', () => {
  const codecs = pair();
  const made = [
    (n) => ({ a: n }),
    (n) => ({ a: n, b: `${n}` }),
    (n) => ({ a: n, b: { a: n } }),
    (n) => ({ c: [n, { a: n }, { b: [] }] }),
    () => ({ __proto__: null }),
    (n) => ({ ['__proto__']: n }),
    (n) => Object.fromEntries(Array.from({ length: 60 }, (_, i) => [i, n])),
  ];
  let seed = 1;
  const next = () => {
    seed = (seed * 48271) % 2147483647;
    return seed;
  };
  for (let i = 0; i < 300; i += 1) {
    const value = Array.from({ length: 20 }, () =>
      made[next() % made.length](next() % 100),
    );
    const plain = value.map((o) => ({ ...o }));
    assert.deepStrictEqual(roundTrip(codecs, value), plain);
  }
});

test('room for what a row of numbers is followed by', () => {
  const codecs = pair();
  const wide = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`k${i}`, i]),
  );
  for (let i = 0; i < 20; i += 1) roundTrip(codecs, wide);
  for (let length = 8100; length < 8200; length += 7) {
    const value = [new Array(length).fill(0.5), wide, { wide, n: [wide] }];
    assert.deepStrictEqual(roundTrip(codecs, value), value);
  }
});

describe('an array', () => {
  test.each([
    ['numbers', [1, -0, 0.5, 2 ** 31]],
    ['numbers that need an escape among others', [1, 2 ** 1001, 3]],
    ['numbers and then others', [1, 2, 'x', 3, null]],
    ['others and then numbers', [{}, 1, 2]],
    ['nothing', []],
  ])('of %s', (_name, value) => {
    const codecs = pair();
    for (let i = 0; i < 3; i += 1) {
      assert.deepStrictEqual(roundTrip(codecs, value), value);
    }
  });

  test('has null for a hole, and is refused with NaN', () => {
    const holey = [1, 2, 3];
    delete holey[1];
    assert.deepStrictEqual(roundTrip(pair(), holey), [1, null, 3]);
    expect(refusalOf(pair(), [1, NaN])).toBe(Refusal.NOT_FINITE);
  });

  test('is asked once for each element', () => {
    let asked = 0;
    const value = [1, 2, 3];
    Object.defineProperty(value, 1, {
      get() {
        asked += 1;
        return `${asked}`;
      },
      enumerable: true,
    });
    assert.deepStrictEqual(roundTrip(pair(), value), [1, '1', 3]);
    expect(asked).toBe(1);
  });

  test('of numbers is filled past setters of its prototypes', () => {
    const codecs = pair();
    Object.defineProperty(Array.prototype, 1, {
      set() {
        throw new Error('called');
      },
      configurable: true,
    });
    try {
      const copy = roundTrip(codecs, [1, 2, 3]);
      expect(Object.hasOwn(copy, 1) && copy[1] === 2).toBe(true);
    } finally {
      delete Array.prototype[1];
    }
  });
});
