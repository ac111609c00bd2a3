'use strict';
// Columns that texts take: ICU's, as on the main thread.

const { WorkerPool } = require('../../..');
const { createBareContext } = require('../runtime/bare-context.js');

const pools = [];

afterAll(() => Promise.all(pools.map((pool) => pool.stop())));

/** Texts in columns, whose padding tells the width of each. */
async function columns({ input: [from, to] }) {
  const { inspect: show } = await import('node:util');
  const PER_LIST = 64;
  const options = { maxArrayLength: null, breakLength: 100 };
  const shown = [];
  for (let first = from; first < to; first += PER_LIST) {
    const length = Math.min(PER_LIST, to - first);
    const texts = Array.from({ length }, (_, i) =>
      String.fromCodePoint(first + i),
    );
    shown.push(show(texts, options));
  }
  return shown.join('\n');
}

function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PARTS = [
  'a',
  '\u0301',
  '\u3042',
  '\u3099',
  '\u{1f468}',
  '\u200d',
  '\u{1f3fb}',
  '\u{1f1e6}',
  '\ufe0f',
  '\ud83d',
  '\udc00',
  '\u00a1',
  '\u00ad',
  '\x1b[31m',
  '\u{e0100}',
  '\uffe6',
];

// One is longer than what the native reads at a time, with a pair of
// surrogates where pieces meet.
function texts() {
  const next = random(45);
  const some = Array.from({ length: 2000 }, () =>
    Array.from({ length: 1 + next(6) }, () => PARTS[next(PARTS.length)]).join(
      '',
    ),
  );
  return [...some, `\u3042${'\u{1f600}'.repeat(1000)}`];
}

// The keys of a table are padded by their widths, without escapes.
const table = async ({ input: keys }) => {
  const { Console } = await import('node:console');
  const { Writable } = await import('node:stream');
  const out = [];
  const stdout = new Writable();
  stdout.write = (text) => out.push(text);
  new Console({ stdout }).table(Object.fromEntries(keys.map((k) => [k, 1])));
  return out.join('');
};

describe('in an isolate', () => {
  const poolOf = (runtime) => {
    const pool = WorkerPool.create(`widths-${runtime}`, {
      runtime,
      workers: 1,
    });
    pools.push(pool);
    return pool;
  };
  let isolate;
  let thread;
  beforeAll(() => {
    isolate = poolOf('isolate');
    thread = poolOf('thread');
  });
  const same = async (job, input) =>
    expect(await isolate.run(job, { input })).toBe(
      await thread.run(job, { input }),
    );

  // Planes 3 to 13 have no characters but those of one kind.
  it.each([
    [0x20, 0x8000],
    [0x8000, 0x10000],
    [0x10000, 0x18000],
    [0x18000, 0x20000],
    [0x2ff00, 0x30100],
    [0x3ff00, 0x40100],
    [0xe0000, 0xe0200],
    [0x10ff00, 0x110000],
  ])('each character from %i to %i is as wide', (from, to) =>
    same(columns, [from, to]),
  );

  it('texts of several characters are as wide', () => same(table, texts()));
});

// As on Windows, whose Node does not show ICU.
const isOfTables = process.versions.unicode === '17.0';
(isOfTables ? it : it.skip)(
  'widths of the own tables are those of Unicode 17',
  () => {
    const { host } = createBareContext();
    globalThis.host = host;
    const { makeIcu } = require('../../../src/runtime/node/icu.js');
    const without = makeIcu(undefined, {
      convertersOf: () => undefined,
      widthsOf: () => undefined,
    });
    delete globalThis.host;
    const major = Number.parseInt(process.versions.icu, 10);
    const { getStringWidth } = host.binding('icu').widthsOf(major);
    const others = [];
    for (let character = 0; character < 0x110000; character += 1) {
      const text = String.fromCodePoint(character);
      if (without.getStringWidth(text) !== getStringWidth(text)) {
        others.push(character);
      }
    }
    expect(others).toEqual([]);
    for (const text of texts()) {
      expect(without.getStringWidth(text)).toBe(getStringWidth(text));
    }
  },
);
