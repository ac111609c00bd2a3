'use strict';

const { WorkerPool } = require('../../../../lib/index.js');
const { NO_OPERATION } = require('../../../../lib/admission/operation.js');
const {
  SubmitRing,
} = require('../../../../lib/executors/isolate/submit-ring.js');
const { smallEncoding } = require('../../../../lib/payload/small-values.js');
const { RingLayout } = require('../../../../lib/protocol/wire.gen.js');

// The block of src/pool/submit_ring.h.
const { Rows, RowBytes, BodySlots } = RingLayout;
const BODY_AT = Rows * RowBytes;
const QUEUED_AT = BODY_AT + Rows * BodySlots * 8;
const LIMITS_AT = QUEUED_AT + Rows * 8;
const READ_AT = LIMITS_AT + Rows * 8;
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
    metrics: null,
    operation: NO_OPERATION,
  };
  const encode = (encoding) => {
    return { kind: 6, number: 0, slots: [], slotCount: 0, ...encoding };
  };
  const push = (encoding, more) =>
    ring.push({ ...job, ...more }, encode(encoding));
  const pushPlain = (slot, entry, encoding) =>
    ring.pushPlain(slot, entry, encode(encoding));
  const pushSmall = (slot, entry, kind, value) =>
    ring.pushPlain(slot, entry, smallEncoding(kind, value));
  const pushWatched = (encoding, mode, expiresAt) =>
    ring.pushWatched(3, 7, encode(encoding), mode, expiresAt);
  return {
    push,
    pushPlain,
    pushSmall,
    pushWatched,
    ring,
    words: (row) => Array.from(new Int32Array(memory, row * RowBytes + 8, 2)),
    number: (row) => new Float64Array(memory, row * RowBytes, 1)[0],
    body: Buffer.from(memory, BODY_AT, 128),
    queued: new Float64Array(memory, QUEUED_AT, Rows),
    limits: new Float64Array(memory, LIMITS_AT, Rows),
    read: new Int32Array(memory, READ_AT, 1),
    attend: new Int32Array(memory, READ_AT + 64, 1),
  };
}

const FIRST_LAP = 1;
const ENTRY = 7 << RingLayout.EntryAt;
const kindBits = (kind) => kind << RingLayout.KindAt;
const [TIMED, LIMITED, SIGNALLED, BODIED] = [27, 28, 29, 30].map(
  (bit) => 2 ** bit,
);

test.each([true, false])('a row has the numbers of its job (%s)', (light) => {
  const all = setUp({ lightFence: light, clockOffset: 100 });
  const { push, pushPlain, pushWatched, words, number, limits } = all;
  const operation = { expiresAt: 12.5 };
  const more = { operation, mode: 16, priority: 6 };
  expect(push({ kind: 4, number: 1.5 }, more)).toBe(true);
  expect(words(0)).toEqual([
    3 + kindBits(4) + (2 << 25) + LIMITED + SIGNALLED,
    ENTRY + FIRST_LAP,
  ]);
  expect(number(0)).toBe(1.5);
  expect(limits[0]).toBe(112.5);
  expect(push({ kind: 1 })).toBe(true);
  expect(words(1)).toEqual([3 + kindBits(1), ENTRY + FIRST_LAP]);
  expect(pushPlain(8, 2, { kind: 2 })).toBe(true);
  expect(words(2)).toEqual([8 + kindBits(2), (2 << 8) + FIRST_LAP]);
  expect(pushWatched({ kind: 2 }, 16, 2.5)).toBe(true);
  expect(words(3)[0]).toBe(3 + kindBits(2) + LIMITED + SIGNALLED);
  expect(limits[3]).toBe(102.5);
  expect(pushWatched({ kind: 2 }, 16, Infinity)).toBe(true);
  expect(words(4)[0]).toBe(3 + kindBits(2) + SIGNALLED);
  expect(pushWatched({ kind: 2 }, 0, 2.5)).toBe(true);
  expect(words(5)[0]).toBe(3 + kindBits(2) + LIMITED);
});

test.each([
  [2 ** 22 - 1, 2 ** 24 - 1, true],
  [2 ** 22, 1, false],
  [1, 2 ** 24, false],
])('slot %d of entry %d fits into a row: %s', (slot, entry, fits) => {
  const { pushPlain, pushSmall, words, number } = setUp();
  expect(pushPlain(slot, entry, { kind: 3 })).toBe(fits);
  const written = fits ? (entry << 8) | FIRST_LAP : 0;
  expect(words(0)[1]).toBe(written);
  expect(pushSmall(slot, entry, 4, -2.5)).toBe(fits);
  if (!fits) return;
  expect(words(1)).toEqual([slot + kindBits(4), written]);
  expect(number(1)).toBe(-2.5);
});

test('a timed job says since when it is queued, on the clock of the addon', () => {
  const { push, words, queued } = setUp({ clockOffset: 1e6 });
  const from = performance.now() + 1e6;
  expect(push({}, { metrics: { bits: 64 } })).toBe(true);
  expect(words(0)[0] & TIMED).not.toBe(0);
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
  const { push, words, number, body } = setUp();
  expect(push({ slots: [2.5, 9], slotCount: 1, text: 'café' })).toBe(true);
  expect(words(0)[0] & BODIED).not.toBe(0);
  expect(number(0)).toBe(1 + 16 * 4);
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
  expect(words(0)[1]).toBe(0);
});

test('256 rows, and more when some were read', () => {
  const { push, read, words } = setUp();
  for (let n = 0; n < 256; n += 1) expect(push({})).toBe(true);
  expect(push({})).toBe(false);
  read[0] = 1;
  expect(push({}, { slot: 9 })).toBe(true);
  expect(words(0)).toEqual([9 + kindBits(6), ENTRY + FIRST_LAP + 1]);
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
