'use strict';
// Jobs and their ends in few bytes say at the other end what they said here.

const {
  doneHead,
  doneOf,
  jobHead,
  jobOf,
  messageOf,
  messageParts,
  pack,
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
