'use strict';
// src/runtime/wasm-limits.js outside of a realm: the bytes it makes, and what
// V8 says to them.

const { readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const fc = require('fast-check');

const file = join(__dirname, '../../../src/runtime/wasm-limits.js');
const runtime = {};
new Function('native', 'runtime', 'require', readFileSync(file, 'utf8'))(
  {},
  runtime,
  (path) => require(join(dirname(file), path)),
);
const { limitWasm } = runtime;

const HEAD = [0, 97, 115, 109, 1, 0, 0, 0];
const PAGES = 100;

function leb(value) {
  const bytes = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) + 128);
  }
  return [...bytes, rest];
}

const section = (id, content) => [id, ...leb(content.length), ...content];
const text = (value) => [value.length, ...Buffer.from(value)];
const memories = (...limits) =>
  section(5, [...leb(limits.length), ...limits.flat()]);
const named = (...content) => section(0, [...text('name'), ...content]);
const wasm = (...sections) => Uint8Array.from([...HEAD, ...sections.flat()]);
const EXPORT = section(7, [1, ...text('m'), 2, 0]);

/** The pages that a memory has, and those that it gets. */
function room(bytes) {
  const memory = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports
    .m;
  const before = memory.buffer.byteLength;
  try {
    for (;;) memory.grow(1);
  } catch {
    return [before / 65536, memory.buffer.byteLength / 65536];
  }
}

describe('limitWasm', () => {
  it.each([
    ['no maximum', [0, ...leb(1)], [1, PAGES]],
    ['a higher one', [1, 1, ...leb(60_000)], [1, PAGES]],
    ['a lower one', [1, 1, 7], [1, 7]],
    ['just as many', [1, 1, ...leb(PAGES)], [1, PAGES]],
    ['more to begin with', [0, ...leb(150)], [150, 150]],
    ['shared', [3, 1, ...leb(60_000)], [1, PAGES]],
  ])('limits a memory with %s', (_, limits, expected) => {
    const given = wasm(memories(limits), EXPORT);
    expect(room(limitWasm(given, PAGES) ?? given)).toEqual(expected);
  });

  it('leaves what needs no change', () => {
    const unchanged = [
      wasm(),
      wasm(memories([1, 1, 100])),
      wasm(memories()),
      wasm(named(1, 2, 3)),
      new Uint8Array(0),
      new Uint8Array([0, 97, 115]),
      new Uint8Array([...HEAD.slice(0, 4), 2, 0, 0, 0]),
    ];
    for (const bytes of unchanged) {
      expect(limitWasm(bytes, PAGES)).toBeUndefined();
    }
  });

  it('keeps all other sections as they are', () => {
    const before = named(9, 8, 7);
    const after = [
      EXPORT,
      named(1, 2, 3),
      section(0, [...text('x'), 4]),
    ].flat();
    const given = wasm(before, memories([0, 1]), after);
    const made = limitWasm(given, PAGES);
    const wanted = wasm(before, memories([1, 1, ...leb(PAGES)]), after);
    expect([...made]).toEqual([...wanted]);
    const compiled = new WebAssembly.Module(made);
    expect(
      WebAssembly.Module.customSections(compiled, 'name').map((buffer) => [
        ...new Uint8Array(buffer),
      ]),
    ).toEqual([
      [9, 8, 7],
      [1, 2, 3],
    ]);
  });

  it('keeps every place where there was a maximum', () => {
    const given = wasm(memories([1, 1, ...leb(60_000)]), EXPORT);
    const made = limitWasm(given, PAGES);
    expect(made).toHaveLength(given.length);
    expect([...made.slice(-EXPORT.length)]).toEqual(EXPORT);
  });

  it('shares the pages among the memories of a module', () => {
    const made = limitWasm(wasm(memories([0, 1], [0, 2], [1, 3, 4])), 90);
    const wanted = wasm(memories([1, 1, 30], [1, 2, 30], [1, 3, 4]));
    expect([...made]).toEqual([...wanted]);
  });

  it('knows memories of 64 bits', () => {
    const made = limitWasm(wasm(memories([4, 1], [5, 1, ...leb(2 ** 40)])), 90);
    const padded = [45 + 128, 128, 128, 128, 128, 0];
    expect([...made]).toEqual([
      ...wasm(memories([5, 1, 45], [5, 1, ...padded])),
    ]);
  });

  it('leaves flags it does not know, and broken sections, to V8', () => {
    const broken = [
      wasm(memories([8, 1, 16])),
      wasm(memories([0])),
      wasm([5, 3, 1, 0]),
      wasm([5, 200, 1, 1, 0, 1]),
      wasm(section(5, [...leb(2 ** 31), 0, 1])),
      wasm(section(5, [1, 0, 1, 0])),
      wasm(section(5, [1, 0, ...Array.from({ length: 11 }, () => 255)])),
    ];
    for (const bytes of broken) {
      expect(limitWasm(bytes, PAGES)).toBeUndefined();
    }
  });

  it('takes every kind of source, and nothing else', () => {
    const bytes = wasm(memories([0, 1]));
    const around = new Uint8Array(bytes.length + 7);
    around.set(bytes, 3);
    const shared = new SharedArrayBuffer(bytes.length);
    new Uint8Array(shared).set(bytes);
    const sources = [
      bytes.buffer,
      shared,
      around.subarray(3, 3 + bytes.length),
      new DataView(around.buffer, 3, bytes.length),
    ];
    const made = sources.map((source) => [...limitWasm(source, PAGES)]);
    expect(made).toEqual(made.map(() => [...limitWasm(bytes, PAGES)]));
    for (const source of [undefined, null, {}, [], 'x', 5, { buffer: bytes }]) {
      expect(limitWasm(source, PAGES)).toBeUndefined();
    }
  });

  it('makes valid modules of valid ones, and fails on nothing', () => {
    const odd = fc.uint8Array({ maxLength: 40 });
    fc.assert(
      fc.property(odd, fc.boolean(), (tail, hasHead) => {
        const bytes = hasHead ? Uint8Array.from([...HEAD, ...tail]) : tail;
        const made = limitWasm(bytes, PAGES);
        if (made === undefined) return;
        expect(limitWasm(made, PAGES)).toBeUndefined();
        if (WebAssembly.validate(bytes)) {
          expect(WebAssembly.validate(made)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
    const limits = fc.tuple(fc.nat({ max: 65536 }), fc.nat({ max: 65536 }));
    fc.assert(
      fc.property(limits, fc.boolean(), ([a, b], hasMax) => {
        const [least, most] = a < b ? [a, b] : [b, a];
        const given = wasm(
          memories(
            hasMax ? [1, ...leb(least), ...leb(most)] : [0, ...leb(least)],
          ),
        );
        expect(WebAssembly.validate(limitWasm(given, PAGES) ?? given)).toBe(
          true,
        );
      }),
    );
  });
});
