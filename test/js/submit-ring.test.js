'use strict';

const { WorkerPool } = require('../../lib/index.js');
const { NO_OPERATION } = require('../../lib/internal/operation.js');
const { SubmitRing } = require('../../lib/internal/submit-ring.js');

const SIZE = 256 * (8 + 16) * 8 + 3 * 64;
const HEAD = 8;
const BODY_AT = 256 * HEAD * 8;

function setUp() {
  const memory = new ArrayBuffer(SIZE);
  const ring = new SubmitRing(memory, true, 0);
  const job = {
    slot: 3,
    entry: { id: 7 },
    mode: 0,
    priority: 4,
    watcher: null,
    operation: NO_OPERATION,
  };
  const push = (encoding, more) =>
    ring.push(
      { ...job, ...more },
      { kind: 6, number: 0, slots: [], slotCount: 0, ...encoding },
    );
  return {
    push,
    heads: new Float64Array(memory, 0, 256 * HEAD),
    body: Buffer.from(memory, BODY_AT, 128),
    words: new Int32Array(memory, SIZE - 3 * 64),
  };
}

test('a row has the numbers of its job', () => {
  const { push, heads, words } = setUp();
  const operation = { expiresAt: 12.5 };
  expect(push({ kind: 4, number: 1.5 }, { operation })).toBe(true);
  expect([...heads.slice(0, HEAD)]).toEqual([3, 7, 4, 1.5, 4, 0, 0, 12.5]);
  expect(words[0]).toBe(1);
});

test('slots, and behind them a short text of one byte a unit', () => {
  const { push, heads, body } = setUp();
  expect(push({ slots: [2.5, 9], slotCount: 1, text: 'café' })).toBe(true);
  expect(heads[5]).toBe(1 + 16 * 4);
  expect(body.readDoubleLE(0)).toBe(2.5);
  expect(body.toString('latin1', 8, 12)).toBe('café');
});

test.each([
  ['two bytes a unit', { text: 'a\u0100' }],
  ['a long text', { text: 'x'.repeat(49) }],
  ['many slots', { slotCount: 13, slots: new Array(13).fill(0) }],
  [
    'both together',
    { slotCount: 12, slots: new Array(12).fill(0), text: 'x'.repeat(33) },
  ],
  ['further parts', { more: [] }],
])('%s has to go by a call', (_, encoding) => {
  const { push, words } = setUp();
  expect(push(encoding)).toBe(false);
  expect(words[0]).toBe(0);
});

test('256 rows, and more when some were read', () => {
  const { push, words } = setUp();
  for (let n = 0; n < 256; n += 1) expect(push({})).toBe(true);
  expect(push({})).toBe(false);
  words[16] = 1;
  expect(push({})).toBe(true);
  expect(push({})).toBe(false);
});

test('short values come back as they went, with limits on', async () => {
  const pool = WorkerPool.create('ring', { workers: 2, maxQueued: 10_000 });
  const { signal } = new AbortController();
  const values = [];
  for (let n = 0; n < 60; n += 1) {
    const units = Array.from({ length: n }, (_, i) => 32 + ((i * 7 + n) % 224));
    const text = String.fromCharCode(...units);
    values.push(text, `${text}\u2603`, { text, n }, { a: text, b: [n, text] });
    values.push([text.slice(n >> 1), null, true, -n / 3]);
  }
  const echo = ({ input }) => input;
  const results = await Promise.all(
    values.map((input) => pool.run(echo, { input, timeoutMs: 60_000, signal })),
  );
  expect(results).toEqual(values);
  await pool.stop();
});
