'use strict';

const { WorkerPool } = require('../../lib/index.js');
const { NO_OPERATION } = require('../../lib/internal/operation.js');
const { SubmitRing } = require('../../lib/internal/submit-ring.js');

// src/pool/submit_ring.h
const BODY_AT = 256 * 32;
const QUEUED_AT = BODY_AT + 256 * 16 * 8;
const READ_AT = QUEUED_AT + 256 * 8;
const SIZE = READ_AT + 2 * 64;

function setUp({
  lightFence = true,
  hasLightFence = () => lightFence,
  clockOffset = 0,
} = {}) {
  const memory = new ArrayBuffer(SIZE);
  const ring = new SubmitRing(memory, hasLightFence, clockOffset);
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
    ring,
    words: (row) => Array.from(new Int32Array(memory, row * 32, 4)),
    doubles: (row) => Array.from(new Float64Array(memory, row * 32 + 16, 2)),
    body: Buffer.from(memory, BODY_AT, 128),
    queued: new Float64Array(memory, QUEUED_AT, 256),
    read: new Int32Array(memory, READ_AT, 1),
    attend: new Int32Array(memory, READ_AT + 64, 1),
  };
}

test.each([true, false])('a row has the numbers of its job (%s)', (light) => {
  const { push, words, doubles } = setUp({ lightFence: light });
  const operation = { expiresAt: 12.5 };
  const more = { operation, mode: 16, priority: 6 };
  expect(push({ kind: 4, number: 1.5 }, more)).toBe(true);
  expect(words(0)).toEqual([3, 7, 4 + (6 << 3) + (16 << 17), 1]);
  expect(doubles(0)).toEqual([1.5, 12.5]);
  expect(push({ kind: 1 })).toBe(true);
  expect(words(1)).toEqual([3, 7, 1 + (4 << 3), 2]);
  expect(doubles(1)).toEqual([0, Infinity]);
});

test('a timed job says since when it is queued, on the clock of the addon', () => {
  const { push, words, queued } = setUp({ clockOffset: 1e6 });
  const from = performance.now() + 1e6;
  expect(push({}, { watcher: { bits: 64 } })).toBe(true);
  expect(words(0)[2] & (1 << 16)).not.toBe(0);
  expect(queued[0]).toBeGreaterThanOrEqual(from);
  expect(queued[0]).toBeLessThanOrEqual(performance.now() + 1e6);
});

test.each([true, false])('who must be woken is a word (%s)', (lightFence) => {
  const { ring, attend } = setUp({ lightFence });
  expect(ring.wantsKick).toBe(false);
  attend[0] = 1;
  expect(ring.wantsKick).toBe(true);
});

test('the fence that comes later is asked for once a lap, until it is there', () => {
  const answers = [false, false, true];
  const hasLightFence = jest.fn(() => answers.shift());
  const { push, read } = setUp({ hasLightFence });
  for (let lap = 0; lap < 4; lap += 1) {
    for (let n = 0; n < 256; n += 1) expect(push({})).toBe(true);
    read[0] += 256;
  }
  expect(hasLightFence).toHaveBeenCalledTimes(3);
});

test('slots, and behind them a short text of one byte a unit', () => {
  const { push, words, body } = setUp();
  expect(push({ slots: [2.5, 9], slotCount: 1, text: 'café' })).toBe(true);
  expect((words(0)[2] >> 6) & 0x3ff).toBe(1 + 16 * 4);
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
  expect(words(0)[3]).toBe(0);
});

test('256 rows, and more when some were read', () => {
  const { push, read, words } = setUp();
  for (let n = 0; n < 256; n += 1) expect(push({})).toBe(true);
  expect(push({})).toBe(false);
  read[0] = 1;
  expect(push({}, { slot: 9 })).toBe(true);
  expect(words(0)).toEqual([9, 7, 6 + (4 << 3), 257]);
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
