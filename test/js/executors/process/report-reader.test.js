'use strict';
// Shapes and large buffers, which a process tells before the reports that have
// them. And when a pool starts none.

const {
  createRealmCodec,
} = require('../../../../lib/executors/process/process-codec.js');
const {
  ReportReader,
} = require('../../../../lib/executors/process/report-reader.js');
const { ToldShapes } = require('../../../../lib/executors/owned/packed.js');
const {
  Kind,
  serialize,
} = require('../../../../lib/executors/process/frames.js');
const {
  doneHead,
} = require('../../../../lib/executors/process/small-frames.js');
const { FrameError, LARGE_BYTES } = require('../../../../lib/wire/frames.js');

const SIZE = LARGE_BYTES + 1;

/** A process that tells ends of jobs, and what its owner makes of them. */
function line(mostBytes) {
  const reader = new ReportReader(mostBytes);
  const codec = createRealmCodec();
  const told = new ToldShapes();
  return (value, most = Infinity) => {
    const { text: packed } = codec.encode(value, 2 ** 30);
    const shapes = serialize(told.next(packed));
    expect(reader.take(Kind.Shapes, 0, shapes)).toBeUndefined();
    for (const each of Array.from(packed.large ?? []).slice(0, most)) {
      const body = Buffer.from(each.slice().buffer);
      expect(reader.take(Kind.Buffer, 0, body)).toBeUndefined();
    }
    const head = doneHead({ status: 0, detail: 0, spoilt: false });
    const body = Buffer.concat([head, packed.bytes]);
    return reader.take(Kind.Done, 7, body).value;
  };
}

const bytesOf = (count, length = SIZE) =>
  Array.from({ length: count }, (_, n) => new Uint8Array(length).fill(n));

test('large buffers are those of the value that follows, and of no other', () => {
  const tell = line(2 * SIZE);
  for (let round = 0; round < 3; round += 1) {
    const found = tell({ list: bytesOf(2) });
    expect(found.list.map((each) => [each.length, each[9]])).toEqual([
      [SIZE, 0],
      [SIZE, 1],
    ]);
  }
  expect(tell({ a: 1 })).toEqual({ a: 1 });
  expect(() => tell(bytesOf(2), 1)).toThrow(FrameError);
});

test('they have a size each, and all together', () => {
  const buffer = (reader, length) =>
    reader.take(Kind.Buffer, 0, Buffer.alloc(length));
  expect(() => buffer(new ReportReader(2 ** 30), LARGE_BYTES)).toThrow(
    FrameError,
  );
  expect(() => buffer(new ReportReader(SIZE), SIZE)).not.toThrow();
  expect(() => buffer(new ReportReader(SIZE - 1), SIZE)).toThrow(FrameError);
  const reader = new ReportReader(2 * SIZE);
  buffer(reader, SIZE);
  buffer(reader, SIZE);
  expect(() => buffer(reader, SIZE)).toThrow(/too many/);
});

test.each([
  ['shapes that V8 does not know', Kind.Shapes, Buffer.of(1, 2, 3)],
  ['half an end', Kind.Done, Buffer.of(1, 2, 3)],
  ['a report of nothing', Kind.Report, Buffer.alloc(0)],
  ['a job', Kind.Job, Buffer.alloc(100)],
])('%s: a FrameError', (_what, kind, body) => {
  expect(() => new ReportReader(100).take(kind, 0, body)).toThrow(FrameError);
});

describe('starts that fail', () => {
  const first = new Error('the first');
  let time;
  let pauses;
  const fail = (count, error) => {
    for (let n = 0; n < count; n += 1) pauses.failed(error ?? new Error());
  };

  beforeEach(() => {
    time = 5;
    jest.isolateModules(() => {
      jest.doMock('../../../../lib/base/own-time.js', () => ({
        now: () => time,
      }));
      const own = require('../../../../lib/executors/process/start-pauses.js');
      jest.dontMock('../../../../lib/base/own-time.js');
      pauses = new own.StartPauses();
    });
    pauses.failed(first);
  });

  test('three in a row make a pause, with the first one’s cause', () => {
    fail(1);
    expect(pauses.cause).toBeUndefined();
    fail(1);
    expect(pauses.cause).toBe(first);
    fail(6);
    expect(pauses.cause).toBe(first);
  });

  test('one that succeeds ends the row and the pause', () => {
    fail(2);
    pauses.succeeded();
    expect(pauses.cause).toBeUndefined();
    const other = new Error('another');
    fail(2, other);
    expect(pauses.cause).toBeUndefined();
    fail(1, first);
    expect(pauses.cause).toBe(other);
  });

  test.each([
    [3, 1000],
    [4, 2000],
    [7, 16_000],
    [8, 30_000],
    [40, 30_000],
  ])('%i of them make a pause of %i ms', (count, ms) => {
    fail(count - 1);
    time += ms - 1;
    expect(pauses.cause).toBe(first);
    time += 1;
    expect(pauses.cause).toBeUndefined();
  });
});
