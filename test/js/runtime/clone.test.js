'use strict';

const { isDeepStrictEqual } = require('node:util');
const { runInContext } = require('node:vm');

const { createBareContext } = require('./bare-context.js');

const bare = createBareContext();
const run = (source) => runInContext(`(() => { ${source} })()`, bare.context);
const nameOf = (source) =>
  run(
    `try { ${source} } catch (e) { return e.name + ' ' + (e instanceof DOMException); }`,
  );

describe('structuredClone', () => {
  const VALUES = [
    'undefined',
    'null',
    '-0',
    'NaN',
    '12n',
    "'text \\u20ac'",
    '[1, , 3]',
    '({ a: { b: [1, 2, { c: null }] } })',
    'new Date(5)',
    '/a+/giy',
    'new Map([[{ k: 1 }, new Set([1, 2])]])',
    'new Uint8Array([1, 2, 3]).subarray(1)',
    'new Float64Array([1.5])',
    'new ArrayBuffer(4)',
    'new DataView(new ArrayBuffer(4), 1)',
    'Object(5)',
    "Object('s')",
    'new RangeError("r")',
  ];

  test.each(VALUES)('copies %s', (source) => {
    const value = run(`return ${source}`);
    const copy = run(`return structuredClone(${source})`);
    expect(isDeepStrictEqual(copy, value)).toBe(true);
  });

  test('keeps identities and cycles, drops prototypes and accessors', () => {
    const result = run(`
      class A { constructor() { this.x = 1; } get y() { return 2; } m() {} }
      const shared = { s: 1 };
      const value = { one: shared, two: shared, a: new A(), get g() { return 7; } };
      value.self = value;
      const copy = structuredClone(value);
      return [copy.self === copy, copy.one === copy.two, copy.one !== shared,
        Object.getPrototypeOf(copy.a) === Object.prototype, copy.a.y, copy.g,
        Object.getOwnPropertyDescriptor(copy, 'g').value].join()`);
    expect(result).toBe('true,true,true,true,,7,7');
  });

  test('what cannot be cloned is a DataCloneError', () => {
    for (const value of [
      '() => {}',
      "Symbol('s')",
      '({ f() {} })',
      'new WeakMap()',
      'Promise.resolve()',
    ]) {
      expect([value, nameOf(`structuredClone(${value})`)]).toEqual([
        value,
        'DataCloneError true',
      ]);
    }
    expect(
      nameOf(`structuredClone({ get x() { throw new RangeError(); } })`),
    ).toBe('RangeError false');
    expect(nameOf(`structuredClone()`)).toBe('TypeError false');
    expect(nameOf(`structuredClone(1, 5)`)).toBe('TypeError false');
  });

  test('transfers buffers, each once', () => {
    expect(
      run(`
        const u = new Uint8Array([1, 2]);
        const copy = structuredClone({ u }, { transfer: [u.buffer] });
        return [u.byteLength, copy.u[1]].join()`),
    ).toBe('0,2');
    expect(
      nameOf(
        `const b = new ArrayBuffer(1); structuredClone(b, { transfer: [b, b] })`,
      ),
    ).toBe('DataCloneError true');
    expect(nameOf(`structuredClone(1, { transfer: [{}] })`)).toMatch(/Error/);
  });

  test('DOMException, Blob and File keep their kind at any depth', async () => {
    const copy = run(`
      const error = new DOMException('m', 'AbortError');
      const blob = new Blob(['abc'], { type: 'text/x' });
      const value = { list: [error, blob, blob], map: new Map([['f', new File(['f'], 'n', { lastModified: 3 })]]) };
      value.self = value;
      const copy = structuredClone(value);
      globalThis.copy = copy;
      return [copy.list[0] instanceof DOMException, copy.list[0].name, copy.list[0].message,
        copy.list[0] !== error, copy.list[0].stack === error.stack, copy.list[1].type,
        copy.list[1] === copy.list[2], copy.list[1] !== blob, copy.map.get('f').name,
        copy.map.get('f').lastModified, copy.self === copy].join()`);
    expect(copy).toBe('true,AbortError,m,true,true,text/x,true,true,n,3,true');
    expect(await run(`return copy.list[1].text()`)).toBe('abc');
  });
});
