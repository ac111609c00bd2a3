'use strict';
// Damaged conversations with a process, as its owner reads them:
//   node test/fuzz/frames.js [--cases 200000] [--seed n]
//
// A job may write what it likes to the descriptor of its process. Each
// conversation ends in reports that are checked, an error, or a wait for more,
// and leaves nothing behind in this realm.

const { isNativeError } = require('node:util').types;

const { FrameReader, headerOf } = require('../../lib/wire/frames.js');
const { Kind, serialize } = require('../../lib/executors/process/frames.js');
const {
  ReportReader,
} = require('../../lib/executors/process/report-reader.js');
const {
  createRealmCodec,
} = require('../../lib/executors/process/process-codec.js');
const {
  doneHead,
  messageParts,
  pack,
} = require('../../lib/executors/process/small-frames.js');
const { ToldShapes } = require('../../lib/executors/owned/packed.js');
const { Report, isReport } = require('../../lib/executors/owned/reports.js');
const { report, runRounds } = require('./rounds.js');

const MAX_BYTES = 1 << 18;
const LENGTHS = [0, 1, 2 ** 16, 2 ** 16 + 1, 2 ** 31, 2 ** 32 - 1];

const nested = (depth) => {
  let value = 1;
  for (let i = 0; i < depth; i += 1) value = [value];
  return value;
};
const REPORTS = [
  { kind: Report.Starts, at: 1n, state: 3, timeoutMs: 5 },
  { kind: Report.Ready },
  { kind: Report.Began, seq: 1, at: 2n },
  { kind: Report.Message, seq: 1, channel: 0, value: { a: [1, 'ж', null] } },
  { kind: Report.Message, seq: 0, channel: 2, value: nested(200) },
  { kind: Report.Done, seq: 1, status: 0, detail: 0, value: new Map([[1, 2]]) },
  {
    kind: Report.Done,
    seq: 1,
    status: 0,
    detail: 0,
    value: new Uint8Array(99),
  },
  { kind: Report.Done, seq: 1, status: 0, detail: 0, value: 'x'.repeat(500) },
  { kind: Report.Failed, at: 1n, status: 3, detail: 1, value: { props: {} } },
];

const frame = (kind, body, number = 0) =>
  Buffer.concat([headerOf(kind, number, body.length), body]);

// Objects as processes write them, and the shapes that they refer to.
const codec = createRealmCodec();
const packed = (value) => codec.encode(value, Infinity).text;
const PACKED = [
  { id: 1, name: 'ж', of: [1, 2.5, 2 ** 1001] },
  Array.from({ length: 9 }, (_, id) => ({ id, on: id > 3, un: undefined })),
  { bytes: new Uint8Array([1, 2, 3]), buffer: Buffer.from('four') },
  JSON.parse(`{ "__proto__": [[[1]]], "": "${'x'.repeat(5000)}" }`),
].map(packed);
// Some of a value's large buffers come before, or too few, or too many.
const LARGE = [
  [new Uint8Array(2 ** 16 + 1), new Uint8Array(2 ** 16)],
  { a: new Float64Array(2 ** 14).buffer, b: [Buffer.alloc(2 ** 17, 7)] },
].map(packed);
const buffersOf = ({ large }) =>
  Array.from(large, (bytes) => frame(Kind.Buffer, Buffer.from(bytes)));
const largeFrames = (value) => {
  const before = buffersOf(value);
  return packedFrames(value).map((each) => Buffer.concat([...before, each]));
};
const packedFrames = (value) => {
  const done = { status: 0, detail: 0 };
  const message = { kind: Report.Message, seq: 1, channel: 0, value };
  const [length, ...parts] = messageParts(message);
  return [
    frame(Kind.Done, Buffer.concat([doneHead(done), pack(value)]), 1),
    frame(Kind.Report, Buffer.concat(parts), length),
  ];
};
const shapes = new ToldShapes().next(PACKED[0]);
const SHAPES = [
  ...[shapes, shapes.slice(0, 1), [], ['2:ab1:']],
  ...[
    [':'],
    ['1'],
    ['5:abc'],
    ['-1:a'],
    ['1e3:a'],
    [1],
    'a',
    { length: 2 ** 31 },
  ],
].map((texts) => frame(Kind.Shapes, serialize(texts)));

const FRAMES = [
  frame(Kind.Online, Buffer.alloc(0)),
  ...REPORTS.map((report) => frame(Kind.Report, serialize(report))),
  ...REPORTS.filter(({ kind }) => kind === Report.Done).map((report) =>
    frame(Kind.Done, Buffer.concat([doneHead(report), pack(report.value)])),
  ),
  ...PACKED.flatMap(packedFrames),
  ...LARGE.flatMap(largeFrames),
  ...LARGE.flatMap(buffersOf),
  frame(Kind.Buffer, Buffer.alloc(9)),
  ...SHAPES,
];

const DAMAGES = [
  (bytes, random) => {
    bytes[random.below(bytes.length)] = random.below(256);
  },
  (bytes, random) => bytes.writeUInt32LE(random.pick(LENGTHS), 12),
  (bytes, random) => {
    const length = bytes.readUInt32LE(12);
    bytes.writeUInt32LE((length + (random.chance(0.5) ? 1 : -1)) >>> 0, 12);
  },
  (bytes, random) => {
    bytes[4] = random.below(11);
  },
  (bytes, random) => bytes.writeUInt32LE(random.pick(LENGTHS), 8),
  (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
];

function conversation(random) {
  // Most know the shapes.
  const parts = random.chance(0.8) ? [SHAPES[0]] : [];
  for (let n = 1 + random.below(4); n > 0; n -= 1) {
    const bytes = Buffer.from(random.pick(FRAMES));
    const cut = random.chance(0.7)
      ? random.pick(DAMAGES)(bytes, random)
      : undefined;
    parts.push(Buffer.isBuffer(cut) ? cut : bytes);
  }
  const whole = Buffer.concat(parts);
  const at = random.below(whole.length + 1);
  return [whole.subarray(0, at), whole.subarray(at)];
}

/** The frames as ProcessLine reads them. */
function hear(chunks, counts) {
  const reports = new ReportReader(MAX_BYTES);
  const take = (kind, number, body) => {
    if (kind === Kind.Online || kind === Kind.State) return;
    const report = reports.take(kind, number, body);
    if (report === undefined) return;
    if (isReport(report)) counts.reports += 1;
    else counts.unlike += 1;
  };
  const reader = new FrameReader(take, () => MAX_BYTES, true);
  for (const chunk of chunks) {
    // The socket's memory, which the next chunk is read into.
    const lent = Buffer.from(chunk);
    reader.pushLent(lent);
    lent.fill(255);
  }
}

report('frames', FRAMES.length, () => {
  const counts = { reports: 0, unlike: 0, refused: 0 };
  runRounds('frames', {
    counts,
    isExpected: isNativeError,
    round: (random) => hear(conversation(random), counts),
  });
});
