'use strict';

const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const { KIND_NUMBER } = require('../../../lib/protocol/codec/grammar.js');

const FILE = join(__dirname, '../../../src/runtime/codec.js');

/** The part as a realm runs it; `natives` counts who asks for those. */
function load() {
  const shapes = [];
  const natives = jest.fn(() => ({
    defineShape: (text) => shapes.push(text) - 1,
    shapeText: (id) => shapes[id],
    compileFunction: () => null,
  }));
  const runtime = { more: natives };
  new Function('require', 'native', 'runtime', readFileSync(FILE, 'utf8'))(
    createRequire(FILE),
    { H: new Float64Array(16), options: {} },
    runtime,
  );
  return { codec: runtime.codec, natives };
}

const LIMIT = 1000;

function copy(encode, decode, value) {
  const out = encode(value, LIMIT);
  const { kind, number, slots, slotCount, text, more } = out;
  return decode(kind, number, slots?.slice(0, slotCount), 0, text, more);
}

it('is not made for what needs none', () => {
  const { codec, natives } = load();
  expect(codec.decode(KIND_NUMBER, 2.5)).toBe(2.5);
  expect(natives).not.toHaveBeenCalled();
});

it('is made once, also for who keeps its functions', () => {
  const { codec, natives } = load();
  const { encode, decode } = codec;
  for (const value of [{ a: 1 }, [2], { a: 3 }]) {
    expect(copy(encode, decode, value)).toEqual(value);
    expect(copy(codec.encode, codec.decode, value)).toEqual(value);
  }
  expect(natives).toHaveBeenCalledTimes(1);
});
