'use strict';
// Damaged payloads into the decoder:
//   node test/fuzz/decoder.js [--seconds 20] [--seed n]
//
// Payloads only come from our own encoder. Should memory be damaged on the way
// all the same, decoding must end: with a value or an error, soon, and without
// taking more memory than a payload of that size may describe.

const assert = require('node:assert');
const { parseArgs } = require('node:util');
const { createCodec } = require('../../lib/protocol/codec.js');
const { Random } = require('../chaos/random.js');

const LIMIT = 1 << 26;
// CPU time counts, because the machine may have something else to do.
const MAX_MS = 2000;
const MAX_GROWTH = 256 << 20;
const ODD = [
  0,
  -0,
  1,
  -1,
  0.5,
  NaN,
  Infinity,
  -Infinity,
  2 ** 31,
  2 ** 53,
  1e308,
];

const VALUES = [
  'text',
  [1, 2, 3],
  [null, true, false, undefined, 'a', ['b', ['c']]],
  { a: 1, b: { c: [1, 'two', { three: null }] } },
  [{ a: 1 }, { a: 2 }, { a: 'three', b: [] }],
  { long: 'x'.repeat(5000), wide: 'é€😀'.repeat(50) },
  new Uint8Array([1, 2, 3]),
  { bytes: new Float64Array([1, 2]), view: new DataView(new ArrayBuffer(8)) },
  [new ArrayBuffer(4), new BigInt64Array(2), new Int16Array(3)],
  Array.from({ length: 300 }, (_, i) => ({ i, name: `n${i}` })),
  Array.from({ length: 50 }, (_, i) => ({ [`k${i}`]: [i] })),
  { list: Array.from({ length: 200 }, (_, i) => i / 3), ['__proto__']: 1 },
];

function makeCodec() {
  const shapes = [];
  return createCodec({
    defineShape(text) {
      const known = shapes.indexOf(text);
      return known === -1 ? shapes.push(text) - 1 : known;
    },
    shapeText: (id) => shapes[id] ?? '',
    compileFunction: (parameter, body) => new Function(parameter, body),
  });
}

function encodings(codec) {
  const made = [];
  for (const value of VALUES) {
    try {
      const o = codec.encode(value, LIMIT);
      made.push({
        kind: o.kind,
        number: o.number,
        run: Float64Array.from(o.slots?.slice(0, o.slotCount) ?? []),
        text: o.text,
        texts: Array.from(o.more?.[0] ?? []).slice(1),
        buffers: Array.from(o.more?.[1] ?? [], () => new ArrayBuffer(16)),
      });
    } catch (error) {
      assert.strictEqual(error, codec.refused);
    }
  }
  return made;
}

function damage(payload, random) {
  const run = payload.run.slice();
  for (let i = 1 + random.below(3); i > 0 && run.length > 0; i--) {
    const value = random.chance(0.5) ? random.pick(ODD) : random.below(300);
    run[random.below(run.length)] = value;
  }
  const cut = random.chance(0.2)
    ? run.slice(0, random.below(run.length + 1))
    : run;
  const kind = random.chance(0.05) ? random.below(12) : payload.kind;
  const text = random.chance(0.1) ? undefined : payload.text;
  const texts = random.chance(0.2) ? [] : payload.texts;
  const buffers = random.chance(0.2) ? [] : payload.buffers;
  return [kind, payload.number, cut, 0, text, [undefined, texts, buffers]];
}

async function main() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '20' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    },
  });
  const random = new Random(Number(values.seed));
  console.log(`fuzz on ${process.version}, seed ${values.seed}`);
  const codec = makeCodec();
  const whole = encodings(codec);
  assert.ok(whole.length >= VALUES.length - 1);
  const end = performance.now() + Number(values.seconds) * 1000;
  const counts = { values: 0, errors: 0 };
  while (performance.now() < end) {
    const damaged = damage(random.pick(whole), random);
    const begun = process.cpuUsage();
    const before = process.memoryUsage().rss;
    try {
      codec.decode(...damaged);
      counts.values += 1;
    } catch (error) {
      assert.ok(error instanceof Error || error === codec.refused);
      counts.errors += 1;
    }
    const { user, system } = process.cpuUsage(begun);
    const ms = (user + system) / 1000;
    const grown = process.memoryUsage().rss - before;
    if (ms > MAX_MS || grown > MAX_GROWTH) {
      console.log(`${ms} ms, ${grown} bytes`, damaged);
      throw new Error('the decoder took too much');
    }
  }
  console.log(counts);
  const { report } = await import('../../scripts/lib/results.mjs');
  report('fuzz', { passed: VALUES.length });
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
