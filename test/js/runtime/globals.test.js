'use strict';

const { execFileSync } = require('node:child_process');
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { runInNewContext } = require('node:vm');

const {
  INTERFACES,
  LANGUAGE,
  OPERATIONS,
  REPLACEABLE,
} = require('../../../src/runtime/globals/names.js');
const { createBareContext } = require('./bare-context.js');

const ROOT = join(__dirname, '../../..');
const names = [
  ...Object.values(INTERFACES).flat(2),
  ...Object.values(OPERATIONS).flat(),
];

describe('installing the globals', () => {
  test('the bundles are those of the sources', () => {
    const script = join(ROOT, 'scripts/bundle-runtime.mjs');
    const check = () => execFileSync(process.execPath, [script, '--check']);
    expect(check).not.toThrow();
  });

  test('a bundle is ASCII and names no place of this machine', () => {
    const folder = join(ROOT, 'src/runtime/gen');
    const bundles = readdirSync(folder).filter((name) => name.endsWith('.js'));
    expect(bundles.length).toBeGreaterThan(30);
    for (const name of bundles) {
      const text = readFileSync(join(folder, name), 'latin1');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
      expect(/^[\x00-\x7f]*$/.test(text)).toBe(true);
      expect(text).not.toContain(ROOT);
    }
  });

  test('nothing is compiled before it is touched', () => {
    const bare = createBareContext();
    expect(bare.compiled).toEqual([]);
    bare.run(`Object.keys(globalThis); setTimeout`);
    expect(bare.compiled).toEqual(['timers']);
  });

  test('every name is there, once touched as a plain property or an accessor', () => {
    const bare = createBareContext();
    for (const name of names) {
      expect([name, bare.run(`typeof ${name}`)]).not.toEqual([
        name,
        'undefined',
      ]);
      const own = bare.run(
        `Object.getOwnPropertyDescriptor(globalThis, '${name}')`,
      );
      const kind = REPLACEABLE.includes(name)
        ? { get: expect.anything(), set: expect.anything() }
        : { writable: true };
      expect(own).toMatchObject({ ...kind, configurable: true });
    }
  });

  test('enumerable as in Node and browsers', () => {
    const bare = createBareContext();
    const keys = bare.run(`Object.keys(globalThis)`);
    expect([...keys].sort()).toEqual(
      [
        ...Object.values(OPERATIONS).flat(),
        'global',
        'onerror',
        'onrejectionhandled',
        'onunhandledrejection',
        'self',
      ].sort(),
    );
  });

  test('an assignment replaces a global and loads nothing', () => {
    const bare = createBareContext();
    const value = bare.run(`URL = 5; var setTimeout = 6; URL + setTimeout`);
    expect(value).toBe(11);
    expect(bare.compiled).toEqual([]);
  });

  test('a script may declare the names for itself', () => {
    const bare = createBareContext();
    expect(bare.run(`const Blob = 1; let Event = 2; Blob + Event`)).toBe(3);
    expect(bare.run(`function atob() { return 'mine'; } atob()`)).toBe('mine');
  });

  test('interfaces carry their own names', () => {
    const bare = createBareContext();
    const classes = Object.values(INTERFACES)
      .flat(2)
      .filter((name) => !['console', 'process', 'Performance'].includes(name));
    for (const name of classes) {
      expect(bare.run(`${name}.name`)).toBe(name);
      // Ports have their own from Node 26 on.
      if (/^(Buffer|URLPattern|MessagePort)$/.test(name)) continue;
      const tag = bare.run(`${name}.prototype[Symbol.toStringTag]`);
      if (tag !== undefined) expect(tag).toBe(name);
    }
  });

  test('two isolates share nothing', () => {
    const one = createBareContext();
    const two = createBareContext();
    one.run(`URL.mark = 1`);
    expect(two.run(`URL.mark`)).toBeUndefined();
  });

  test('the host is out of reach', () => {
    const bare = createBareContext();
    const seen = bare.run(`
      const found = [];
      const open = [globalThis];
      const done = new Set();
      while (open.length) {
        const next = open.pop();
        if (Object(next) !== next || done.has(next)) continue;
        done.add(next);
        for (const key of Reflect.ownKeys(next)) {
          if (key === 'terminateProcess' || key === 'setTimer') found.push(key);
          let value;
          try { value = next[key]; } catch {}
          if (value instanceof Promise) value.catch(() => {});
          open.push(value);
        }
        open.push(Object.getPrototypeOf(next));
      }
      found`);
    expect([...seen]).toEqual([]);
  });

  test('navigator and reportError', () => {
    const bare = createBareContext();
    expect(bare.run(`navigator.hardwareConcurrency`)).toBe(
      bare.host.hardwareConcurrency,
    );
    expect(bare.run(`navigator.userAgent`)).toBe(
      `Node.js/${process.versions.node.split('.')[0]}`,
    );
    bare.run(`reportError('x')`);
    expect(bare.reported).toEqual(['x']);
    expect(() => bare.run(`reportError()`)).toThrow(/1 argument required/);
  });
});

test('the names of the language are all that this V8 has', () => {
  const names = runInNewContext('Object.getOwnPropertyNames(globalThis)');
  const known = new Set(LANGUAGE);
  // Another test of this process may have set --expose-gc.
  known.add('gc');
  const others = Array.from(names).filter((name) => !known.has(name));
  expect(others.sort()).toEqual(['WebAssembly', 'console', 'globalThis']);
});
