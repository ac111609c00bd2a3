'use strict';
// The text of a function as it travels: an expression that evaluates to it.

const vm = require('node:vm');

const {
  functionName,
  functionSource,
} = require('../../../lib/entries/function-source.js');

const KIBI = 1024;

/** The function that a worker makes of it. */
const arrived = (fn) => vm.runInThisContext(functionSource(fn));

/** @returns {string[]} code, text and hint of the refusal */
function refusalOf(fn) {
  try {
    return [functionSource(fn)];
  } catch ({ code, message, hint }) {
    return [code, message, hint];
  }
}

test.each([
  ['an arrow function', (a) => a + 1],
  [
    'a function',
    function named(a) {
      return a + 1;
    },
  ],
  ['one whose name begins as a class', (classy) => classy + 1],
  // biome-ignore format: the text matters
  ['one whose parameter begins as a class', (class$) => class$ + 1],
  [
    'one that could be a function',
    {
      function(a) {
        return a + 1;
      },
    }.function,
  ],
  // biome-ignore format: the text matters
  ['one without a space', classy=>classy+1],
  ['one with a comment at its end', new Function('a', 'return a + 1 //')],
])('%s is put into parentheses', (_, fn) => {
  expect(functionSource(fn)).toBe(`(${fn}\n)`);
  expect(functionSource(fn)).toBe(`(${fn}\n)`);
  expect(arrived(fn)(1)).toBe(2);
});

const key = 'computed';
const symbol = Symbol('s');
// biome-ignore format: the texts matter
const METHODS = {
  plain(a) { return a + 1; },
  'with a dash'(a) { return a + 1; },
  7(a) { return a + 1; },
  [key](a) { return a + 1; },
  [`${key} [${[1]}]`](a) { return a + 1; },
  class(a) { return a + 1; },
  get(a) { return a + 1; },
  set (a) { return a + 1; },
  get1(a) { return a + 1; },
  set2(a) { return a + 1; },
  getter(a) { return a + 1; },
  settle(a) { return a + 1; },
  async(a) { return a + 1; },
  asynchronous(a) { return a + 1; },
};

test.each(Object.keys(METHODS))('a method called %p', (name) => {
  const fn = METHODS[name];
  const text = functionSource(fn);
  expect(text).toMatch(/^\(\{/);
  expect(text.endsWith(`\n})[${JSON.stringify(name)}]`)).toBe(true);
  expect(arrived(fn)(1)).toBe(2);
});

// biome-ignore format: the texts matter
const ASYNC = {
  async plain(a) { return a + 1; },
  async [`${key}[]`](a) { return a + 1; },
  async   [`${key}`] (a) { return a + 1; },
  async get(a) { return a + 1; },
};
// biome-ignore format: the texts matter
const GENERATORS = {
  *plain(a) { yield a + 1; },
  *[`${key}[]`](a) { yield a + 1; },
  * [`${key}`](a) { yield a + 1; },
  async *later(a) { yield a + 1; },
  async *[`${key} later`](a) { yield a + 1; },
};

test.each(Object.keys(ASYNC))('an asynchronous method: %s', async (name) => {
  expect(await arrived(ASYNC[name])(1)).toBe(2);
});

test.each(Object.keys(GENERATORS))('a generator method: %s', async (name) => {
  for await (const item of arrived(GENERATORS[name])(1)) expect(item).toBe(2);
});

const accessorOf = (object, name) =>
  Object.getOwnPropertyDescriptor(object, name);
// biome-ignore format: the texts matter
const ACCESSORS = {
  get plain() { return 1; },
  set written(_) {},
  get"text"() { return 1; },
  get'other'() { return 1; },
  get[key]() { return 1; },
  get [`${key} too`]() { return 1; },
  get.5() { return 1; },
  get 1() { return 1; },
};

test.each(Object.keys(ACCESSORS))('an accessor is refused: %s', (name) => {
  const { get, set } = accessorOf(ACCESSORS, name);
  expect(refusalOf(get ?? set)).toEqual([
    'SLOPPY_E_WORKER_CRASHED',
    expect.stringContaining('compile'),
    expect.anything(),
  ]);
});

test('a method that cannot stand alone is refused', () => {
  class Own {
    #secret() {
      return 1;
    }
    static secret = new Own().#secret;
  }
  class Derived extends Own {
    go() {
      return super.toString();
    }
  }
  const { secret } = Own;
  expect(refusalOf(secret)[0]).toBe('SLOPPY_E_WORKER_CRASHED');
  expect(arrived(Derived.prototype.go).call(1)).toBe('[object Number]');
  const nameless = { [symbol]() {} }[symbol];
  expect(functionSource(nameless)).toContain('"[s]"');
});

test.each([
  ['a native one', Math.max],
  ['a bound one', ((a) => a).bind(null)],
  ['a proxy', new Proxy(() => 1, {})],
])('%s has no text', (_, fn) => {
  expect(refusalOf(fn)).toEqual([
    'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD',
    expect.stringContaining('native or bound'),
    expect.stringContaining('a function that calls it there'),
  ]);
});

test('a text that has `[native code]` elsewhere is one', () => {
  for (const text of [
    '"{ [native code] "',
    '"[native code] }"',
    '"{ [native code] }"',
  ]) {
    const fn = new Function('a', `return ${text}`);
    expect(arrived(fn)()).toBe(JSON.parse(text));
  }
});

// biome-ignore format: the texts matter
test.each([
  ['with a name', class A {}],
  ['without one', class{}],
  ['that extends another', class extends Array {}],
  ['after a comment', class/* c */ {}],
])('a class %s is refused', (_, fn) => {
  expect(refusalOf(fn)).toEqual([
    'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD',
    expect.stringContaining('is a class'),
    expect.stringContaining('a function that makes the object'),
  ]);
});

test('what is no function cannot be read', () => {
  expect(refusalOf({})).toEqual([
    'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED',
    expect.stringContaining('unreadable'),
    expect.anything(),
  ]);
});

test('a text of more than 1 MiB is refused', () => {
  const ofLength = (length) => {
    const make = (fill) => new Function(`/*${'x'.repeat(fill)}*/`);
    const { length: least } = String(make(0));
    return make(length - least);
  };
  const most = ofLength(KIBI * KIBI);
  expect(functionSource(most)).toBe(`(${most}\n)`);
  expect(refusalOf(ofLength(KIBI * KIBI + 1))).toEqual([
    'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED',
    expect.stringContaining('1 MiB'),
    expect.stringContaining('module'),
  ]);
});

describe('texts that were parsed', () => {
  /** How often V8 parses what `functionSource` is called with. */
  function counting() {
    jest.resetModules();
    const parse = jest.fn((text) => new vm.Script(text));
    jest.doMock('node:vm', () => ({
      Script: class {
        constructor(text) {
          parse(text);
        }
      },
    }));
    const fresh = require('../../../lib/entries/function-source.js');
    jest.dontMock('node:vm');
    return (fn) => {
      fresh.functionSource(fn);
      return parse.mock.calls.length;
    };
  }
  const numbered = (n) => new Function(`return ${n}`);

  test('are known, of so many', () => {
    const read = counting();
    for (let n = 0; n < 256; n += 1) expect(read(numbered(n))).toBe(n + 1);
    for (let n = 0; n < 256; n += 1) expect(read(numbered(n))).toBe(256);
    // Another one makes room by forgetting all, but for the last that was used.
    expect(read(numbered(256))).toBe(257);
    expect(read(numbered(256))).toBe(257);
    expect(read(numbered(255))).toBe(258);
    expect(read(numbered(0))).toBe(259);
    expect(read(numbered(0))).toBe(259);
  });

  test('are known if they are no longer than 4096', () => {
    const read = counting();
    const { length } = String(new Function('/**/'));
    const make = (size) => new Function(`/*${'x'.repeat(size - length)}*/`);
    expect(read(make(4096))).toBe(1);
    expect(read(make(4096))).toBe(1);
    expect(read(make(4097))).toBe(2);
    expect(read(make(4097))).toBe(3);
  });

  test('of methods are not, because names differ', () => {
    const named = (name) => ({ [name]() {} })[name];
    expect(functionSource(named('a'))).toContain('"a"');
    expect(functionSource(named('b'))).toContain('"b"');
  });
});

test('functionName', () => {
  expect(functionName(function named() {})).toBe('named');
  expect(functionName(() => 1)).toBe('');
  const odd = Object.defineProperty(() => 1, 'name', { value: 5 });
  expect(functionName(odd)).toBe('');
  const failing = Object.defineProperty(() => 1, 'name', {
    get() {
      throw new Error('its own');
    },
  });
  expect(functionName(failing)).toBe('');
});
