'use strict';
// Jobs and their ends in few bytes say at the other end what they said here.

const {
  AsciiText,
  doneHead,
  doneOf,
  jobHead,
  jobOf,
  messageOf,
  messageParts,
  pack,
  packLater,
  unpack,
} = require('../../../../lib/executors/process/small-frames.js');
const { Report } = require('../../../../lib/executors/owned/reports.js');

const read = () => 'of the codec';

test.each([true, false])('an end, spoilt: %p', (spoilt) => {
  const said = { status: 7, detail: 3, spoilt };
  const body = Buffer.concat([doneHead(said), pack('text')]);
  expect(doneOf(5, body, read)).toEqual({
    kind: Report.Done,
    seq: 5,
    ...said,
    value: 'text',
  });
});

describe('a long text', () => {
  const SMALL_BYTES = 16 * 1024;

  test('of ASCII has its bytes later', () => {
    const text = 'x'.repeat(SMALL_BYTES);
    const later = packLater(text);
    expect(later).toBeInstanceOf(AsciiText);
    expect(later.length).toBe(1 + text.length);
    expect(later.toBytes()).toEqual(pack(text));
    expect(pack(text)).toHaveLength(later.length);
    const written = Buffer.concat([AsciiText.mark, Buffer.from(later.text)]);
    expect(unpack(written, read)).toBe(text);
  });

  test.each([
    ['a shorter one', 'x'.repeat(SMALL_BYTES - 1)],
    ['another one', `ж${'x'.repeat(SMALL_BYTES)}`],
    ['a list', ['x'.repeat(SMALL_BYTES)]],
    ['a list as long', { length: SMALL_BYTES }],
    ['a number', 5],
  ])('%s has them at once', (_what, value) => {
    const bytes = packLater(value);
    expect(bytes).toEqual(pack(value));
    expect(unpack(bytes, read)).toEqual(value);
  });

  test.each([
    [1024, 'x', 2049],
    [1025, 'x', 1026],
    [1024, 'ж', 2049],
  ])('%i times %s is as short as it may be', (count, text, length) => {
    expect(pack(text.repeat(count))).toHaveLength(length);
  });
});

test('values without bytes of their own have few', () => {
  expect(pack(undefined)).toHaveLength(1);
  expect(pack(1.5)).toHaveLength(9);
  expect(pack('')).toHaveLength(1);
});

test('a value of no known kind is an error', () => {
  expect(() => unpack(Buffer.of(6), read)).toThrow('no known kind');
});

describe('a job', () => {
  const job = { id: 3, mode: 2, remainingMs: 1.5, runMs: Infinity, forget: [] };

  test('with nothing but its numbers', () => {
    const body = Buffer.concat([jobHead(job), pack(9)]);
    expect(jobOf(4, body)).toEqual({
      ...job,
      seq: 4,
      entry: undefined,
      input: pack(9),
    });
  });

  test.each([0, 3])('that is ahead, in the slot %i', (slot) => {
    const ahead = { ...job, slot, aheadAt: 123_456_789n };
    const body = Buffer.concat([jobHead(ahead), pack(9)]);
    expect(jobOf(4, body)).toMatchObject({ slot, aheadAt: 123_456_789n });
  });

  test('that is not ahead has neither slot nor time', () => {
    const { aheadAt, slot } = jobOf(4, Buffer.concat([jobHead(job), pack(9)]));
    expect([aheadAt, slot]).toEqual([undefined, undefined]);
  });

  test.each([
    [{ entry: { id: 3 } }],
    [{ shared: { number: 1 } }],
    [{ forget: [1] }],
  ])('with %p has no place for it', (more) => {
    expect(jobHead({ ...job, ...more })).toBeUndefined();
  });
});

test('a message whose value is no Packed is one part', () => {
  const message = { mail: 3, value: [1, { a: 'b' }] };
  const [length, body, ...others] = messageParts(message);
  expect([length, others]).toEqual([0, []]);
  expect(messageOf(length, body, read)).toEqual(message);
});
