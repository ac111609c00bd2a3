'use strict';
// Runs first in the processes of a pool with `runtime: 'process'`.

const fs = require('node:fs');
const net = require('node:net');

const { Packed, ToldShapes } = require('../owned/packed.js');
const { hideHandles } = require('../owned/hidden-handles.js');
const { keepNewest, lastingMap } = require('../owned/lasting-map.js');
const { now } = require('../owned/realm-clock.js');
const { startRealm } = require('../owned/realm-main.js');
const { Report } = require('../owned/reports.js');
const { FrameReader, NOTHING, writeFrame } = require('../../wire/frames.js');
const { Kind, deserialize, isKept, serialize } = require('./frames.js');
const {
  allocAlone,
  bufferFrom,
  partOf,
  writeLatin1,
} = require('../../wire/buffers.js');
const { substring } = require('../../protocol/codec/captured.js');
const { Unpacker } = require('../owned/packing-codec.js');
const {
  AsciiText,
  doneHead,
  jobOf,
  messageOf,
  messageParts,
  packLater,
  unpack,
} = require('./small-frames.js');
const { createRealmCodec } = require('./process-codec.js');
const { guardProcess } = require('./process-guard.js');

const FD = 3;
const WATCH_FD = 4;
const WORDS_FD = 5;
// The first pause for an owner that has to read, and the longest one.
const PAUSE_MS = 0.05;
const MAX_PAUSE_MS = 1;
// How often a loop that looks at its signal may look here.
const LOOK_MS = 1;
const LOOK_BYTES = 4096;
const READ_BYTES = 64 * 1024;
// About what the socket takes at once.
const PIECE_BYTES = 128 * 1024;
const MOST_REASONS = 64;
const never = new Int32Array(new SharedArrayBuffer(4));
// Captured, because jobs share this realm.
const { readSync, writeSync } = fs;
const later = setImmediate;
const { wait } = Atomics;
const { min } = Math;
const { hasOwn } = Object;
const exit = process.exit.bind(process);

// All reads are into the same memory, because Node would take some for each read,
// and leave it to the collector.
const socket = new net.Socket({
  fd: FD,
  readable: true,
  writable: true,
  onread: { buffer: allocAlone(READ_BYTES), callback: hear },
});
let why = 0;
// The reasons by the number of the job.
const reasons = lastingMap();
let realm;
let isLooking = false;
let nextLook = 0;
// Messages that have come while a job was in a loop.
const seen = [];

// Waits until the owner reads: what it was told is there if this process ends in
// the next line, and one that tells too much waits for its owner.
function writeAll(bytes) {
  let pauseMs = PAUSE_MS;
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(FD, bytes, from);
      pauseMs = PAUSE_MS;
    } catch (error) {
      // The owner is gone, and this process goes too.
      if (error.code !== 'EAGAIN') return;
      wait(never, 0, 0, pauseMs);
      pauseMs = min(2 * pauseMs, MAX_PAUSE_MS);
    }
  }
}

// The bytes of a long text, a piece at a time in the same memory.
let piece = null;
function writeText({ text }) {
  piece ??= allocAlone(PIECE_BYTES);
  writeAll(AsciiText.mark);
  for (let from = 0; from < text.length; from += PIECE_BYTES) {
    const part = substring(text, from, min(from + PIECE_BYTES, text.length));
    writeLatin1(piece, part, 0, part.length);
    writeAll(partOf(piece, 0, part.length));
  }
}

function writeNow(bytes) {
  if (bytes instanceof AsciiText) writeText(bytes);
  else writeAll(bytes);
}

function writeLater(bytes) {
  socket.write(bytes instanceof AsciiText ? bytes.toBytes() : bytes);
}

const write = process.platform === 'win32' ? writeLater : writeNow;

// No list of arguments, because jobs may replace the iterator of arrays.
const tell = (kind, number, head, rest) =>
  writeFrame(write, kind, number, head, rest);

const unpacker = new Unpacker();
const told = new ToldShapes();

// Shapes and large buffers come before the bytes of a value.
function tellFirst(packed) {
  const texts = told.next(packed);
  if (texts.length > 0) tell(Kind.Shapes, 0, serialize(texts));
  const { large } = packed;
  for (let i = 0; i < (large?.length ?? 0); i += 1) {
    tell(Kind.Buffer, 0, NOTHING, large[i]);
  }
}

function tellReport(report) {
  if (report.value instanceof Packed) tellFirst(report.value);
  if (report.kind === Report.Done) {
    tell(Kind.Done, report.seq, doneHead(report), packLater(report.value));
  } else {
    const parts = messageParts(report);
    tell(Kind.Report, parts[0], parts[1], parts[2]);
  }
}

const link = {
  tell: tellReport,
  // The only one; Node's module for it is not loaded, because each start pays.
  threadId: 0,
  why: look,
  reasonOf: (seq) => reasons.get(seq),
  reach: (state) => tell(Kind.State, state, NOTHING),
};

function start({ options, initData, guard, owner, aheadBytes }) {
  if (options.nice !== 0) {
    require('../owned/priority.js').lowerPriority(options.nice);
  }
  if (!guardProcess(guard, owner)) {
    require('./owner-watch.js').watchOwner(WATCH_FD);
  }
  if (aheadBytes > 0) {
    const { AheadQueue } = require('../owned/ahead-queue.js');
    const { openWords } = require('./opened-words.js');
    link.ahead = new AheadQueue(openWords(guard, WORDS_FD, aheadBytes));
  }
  const createCodec = createRealmCodec;
  realm = startRealm({ options, initData, link, createCodec });
}

function receive(message) {
  if (hasOwn(message, 'seq')) {
    // One that is ahead says nothing of the job that runs.
    if (message.aheadAt === undefined) why = 0;
    try {
      message.input = unpack(message.input, unpacker.read);
    } catch {
      realm.unreadable();
      return;
    }
  } else if (hasOwn(message, 'cancel')) ({ why } = message);
  realm.receive(message);
}

function keepReason(message) {
  reasons.set(message.seq, message);
  // The oldest belongs to a job that has not read it.
  keepNewest(reasons, MOST_REASONS);
}

function take(kind, number, body) {
  if (kind === Kind.Shapes) {
    unpacker.learn(deserialize(body));
    return;
  }
  const message =
    kind === Kind.Job
      ? jobOf(number, body)
      : messageOf(number, body, unpacker.read);
  if (kind === Kind.Start) start(message);
  else if (kind === Kind.Reason) keepReason(message);
  else if (isLooking) lookAt(message);
  else receive(message);
}

// A job that looks at its signal in a loop without an end learns of its
// cancellation; what else has come waits until the loop is over.
function lookAt(message) {
  if (hasOwn(message, 'cancel')) ({ why } = message);
  // The memory of a job's input may be read into before the job begins.
  if (hasOwn(message, 'seq')) message.input = bufferFrom(message.input);
  seen.push(message);
}

function receiveSeen() {
  while (seen.length > 0) receive(seen.shift());
}

function look() {
  if (why !== 0 || process.platform === 'win32' || now() < nextLook) return why;
  isLooking = true;
  try {
    for (;;) {
      const bytes = Buffer.alloc(LOOK_BYTES);
      reader.push(bytes.subarray(0, needSome(readSync(FD, bytes))));
    }
  } catch {
    // Nothing more is there: EAGAIN.
  }
  isLooking = false;
  if (seen.length > 0) later(receiveSeen);
  nextLook = now() + LOOK_MS;
  return why;
}

function needSome(count) {
  if (count === 0) throw new Error('the owner is gone');
  return count;
}

// A job has replaced what reading needs: the owner ends this process.
function unreadable() {
  try {
    realm.unreadable();
  } catch {
    exit(1);
  }
}

const reader = new FrameReader(take, () => Infinity, true, isKept);
function hear(length, buffer) {
  try {
    receiveSeen();
    reader.pushLent(partOf(buffer, 0, length));
  } catch {
    unreadable();
  }
}
// The owner is gone.
socket.on('end', () => exit(0));
socket.on('error', () => exit(0));
// Ctrl-C is for the whole group: the owner says when this one ends.
process.on('SIGINT', () => {});
hideHandles(socket);
tell(Kind.Online, process.pid, NOTHING);
