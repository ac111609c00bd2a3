'use strict';
// Damaged conversations with the process of a sandbox, as its owner reads them:
//   node test/fuzz/sandbox-talk.js [--cases 200000] [--seed n]
//
// Code of strangers may have taken the process over. Whatever it says is a
// plain value that could have been sent the other way, or a FrameError, and
// leaves nothing behind in this realm.

const { createCodec } = require('../../lib/protocol/codec.js');
const { Channel } = require('../../lib/protocol/wire.gen.js');
const { Conversation } = require('../../lib/executors/sandbox/conversation.js');
const { Kind } = require('../../lib/executors/sandbox/kinds.js');
const {
  FrameError,
  FrameReader,
  NOTHING,
  headerOf,
} = require('../../lib/wire/frames.js');
const { packPayload } = require('../../lib/wire/payload-bytes.js');
const { nodeBuffers } = require('../../lib/base/node-buffers.js');
const { report, runRounds } = require('./rounds.js');

const HEADER = 16;
const SEQ = 7;
const MAX_BYTES = 1 << 16;
const settings = { maxResultBytes: MAX_BYTES, memoryLimitMb: 64 };
const codec = createCodec(
  {
    defineShape: () => -1,
    shapeText: () => '',
    compileFunction: () => null,
  },
  undefined,
  nodeBuffers,
);

const nested = (depth) => {
  let value = 1;
  for (let i = 0; i < depth; i += 1) value = i % 2 ? [value] : { value };
  return value;
};
const shared = new ArrayBuffer(24);
const VALUES = [
  ...[
    undefined,
    null,
    true,
    0,
    -1.5,
    2 ** 1010,
    '',
    'a',
    'ж',
    'x'.repeat(5000),
  ],
  [1, 'two', [], {}, 'three ж'],
  { a: 1, b: { __proto__: null, c: [true, null] }, 'long key ж': 'v' },
  JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": 1}}'),
  new Uint8Array(9),
  [new DataView(shared, 3, 5), new Float64Array(shared, 8, 1), shared],
  Buffer.from('bytes'),
  nested(400),
  [1, 'host', ['argument', 5]],
];
const ERROR = {
  ...{ type: 'RangeError', name: 'RangeError', message: 'm', stack: 's' },
  props: { code: 'E', n: 5 },
  cause: { type: 'Error', message: 'c', errors: [{ value: 1 }] },
};

function word(...values) {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries())
    bytes.writeUInt32LE(value, at * 4);
  return bytes;
}
const packed = (value) => packPayload(codec.encode(value, Infinity));
const frame = (kind, number, ...parts) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([headerOf(kind, number, body.length), body]);
};

const START = [
  frame(Kind.Hello, 0, Buffer.alloc(40)),
  frame(Kind.Ready, 0, NOTHING),
];
const FRAMES = [
  ...START,
  ...VALUES.flatMap((value) => [
    frame(Kind.Done, SEQ, word(0, 0, 0), packed(value)),
    frame(Kind.Message, SEQ, word(Channel.Emit), packed(value)),
    frame(Kind.Message, SEQ, word(Channel.Stream), packed(value)),
  ]),
  frame(Kind.Message, SEQ, word(Channel.Host), packed([1, 'host', [5]])),
  frame(Kind.Message, 0, word(Channel.Uncaught), packed(ERROR)),
  frame(Kind.Done, SEQ, word(3, 1, 0), packed(ERROR)),
  frame(Kind.Failed, 0, word(3, 1), packed(ERROR)),
  frame(Kind.File, 1, Buffer.alloc(8), Buffer.from('/app/tasks.mjs')),
  frame(Kind.Loaded, 1, NOTHING),
  frame(Kind.Took, 0, NOTHING),
];

const TAG = 2 ** 1000;
const DOUBLES = [
  ...[Number.NaN, Infinity, -Infinity, -0, -1, 0.5, 1, 2 ** 31, 2 ** 53],
  ...[2 ** 1023, TAG * 1.5],
  ...Array.from({ length: 40 }, (_, code) => code * TAG),
];
const LENGTHS = [0, 1, 2, 2 ** 16, 2 ** 31, 2 ** 31 + 1, 2 ** 32 - 1];
const aligned = (random, bytes, size) =>
  HEADER + size * random.below(Math.floor((bytes.length - HEADER) / size));

const DAMAGES = [
  (bytes, random) => {
    bytes[random.below(bytes.length)] = random.below(256);
  },
  (bytes, random) => {
    bytes[4] = random.pick(Object.values(Kind));
  },
  (bytes, random) => bytes.writeUInt32LE(random.pick(LENGTHS), 12),
  (bytes, random) => {
    if (bytes.length < HEADER + 4) return;
    const at = aligned(random, bytes, 4);
    bytes.writeUInt32LE(random.pick(LENGTHS), at);
  },
  // Slots stand at multiples of four bytes.
  (bytes, random) => {
    if (bytes.length < HEADER + 8) return;
    const at = Math.min(aligned(random, bytes, 4), bytes.length - 8);
    bytes.writeDoubleLE(random.pick(DOUBLES), at);
  },
  (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
];

function damaged(random) {
  const bytes = Buffer.from(random.pick(FRAMES));
  for (let n = random.below(3); n > 0; n -= 1) {
    const cut = random.pick(DAMAGES)(bytes, random);
    if (Buffer.isBuffer(cut)) return cut;
  }
  return bytes;
}

function conversation(random) {
  const said = random.chance(0.9) ? [...START] : [];
  for (let n = 1 + random.below(4); n > 0; n -= 1) said.push(damaged(random));
  const whole = Buffer.concat(said);
  const at = random.below(whole.length + 1);
  return [whole.subarray(0, at), whole.subarray(at)];
}

/** The frames as SandboxLine reads them. */
function hear(chunks, counts) {
  const talk = new Conversation(codec, settings);
  talk.starts();
  talk.loads();
  talk.begins(SEQ);
  const take = (kind, number, body) => {
    const { kind: heard, seq, channel, value } = talk.read(kind, number, body);
    counts.heard += 1;
    if (heard === Kind.Done) talk.begins(SEQ);
    if (seq === SEQ && channel !== undefined) talk.heard(channel, 1);
    // A value that the owner hands on must be one that a payload may be.
    if (heard === Kind.Message || heard === Kind.Done) {
      codec.encode(value, Infinity);
      counts.values += 1;
    }
  };
  const reader = new FrameReader(take, (kind) => talk.limitOf(kind));
  for (const chunk of chunks) {
    // The socket's memory, which the next chunk is read into.
    const lent = Buffer.from(chunk);
    reader.pushLent(lent);
    lent.fill(255);
  }
}

report("a sandbox's talk", FRAMES.length, () => {
  const counts = { heard: 0, values: 0, refused: 0 };
  runRounds("a sandbox's talk", {
    counts,
    isExpected: (error) => error instanceof FrameError,
    round: (random) => hear(conversation(random), counts),
  });
});
