'use strict';
// The owner's end of the socket on which a process says its frames.

const { spawn } = require('node:child_process');
const { readdirSync } = require('node:fs');

const { makeWatch } = require('../../../../lib/executors/process/end-watch.js');
const {
  afterBoth,
  makeFrameSocket,
} = require('../../../../lib/executors/process/frame-socket.js');

const STDIO = ['ignore', 'inherit', 'inherit', 'pipe'];
const SAYS = `
  const { writeSync } = require('node:fs');
  const bytes = Buffer.alloc(1_000_000, 'abc');
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(3, bytes, at);
    } catch {}
  }`;

const isLinux = process.platform === 'linux';
const onLinux = isLinux ? test : test.skip;

/** All that a process says on descriptor 3, by the time that it has ended. */
function listen(program) {
  const chunks = [];
  const memories = new Set();
  const frames = makeFrameSocket(STDIO, 3, (chunk) => {
    memories.add(chunk.buffer);
    chunks.push(Buffer.from(chunk));
  });
  const child = spawn(process.execPath, ['-e', program], {
    stdio: frames.stdio,
  });
  const socket = frames.begin(child);
  return new Promise((resolve) => {
    afterBoth(child, socket, () => {
      resolve({ said: Buffer.concat(chunks), memories, socket });
    });
  });
}

test('all that a process has said is heard before it counts as ended', async () => {
  const { said, socket } = await listen(SAYS);
  expect(said.equals(Buffer.alloc(1_000_000, 'abc'))).toBe(true);
  expect(socket.destroyed).toBe(true);
});

onLinux('each chunk is in the same memory', async () => {
  const [one, other] = await Promise.all([listen(SAYS), listen(SAYS)]);
  expect(one.memories.size).toBe(1);
  expect([...other.memories]).toEqual([...one.memories]);
});

const opened = () => readdirSync('/proc/self/fd').length;

onLinux('a start that fails leaves no descriptor', () => {
  const before = opened();
  const frames = makeFrameSocket(STDIO, 3, () => {});
  expect(frames.stdio[3]).not.toBe('pipe');
  expect(opened()).toBe(before + 2);
  expect(frames.begin(undefined)).toBeUndefined();
  expect(opened()).toBe(before);
});

onLinux('nor does it leave one that tells of the owner’s end', () => {
  const before = opened();
  const watch = makeWatch([...STDIO, 'pipe'], 4);
  expect(watch.stdio).toEqual([...STDIO, expect.any(Number)]);
  expect(opened()).toBe(before + 2);
  watch.begin(undefined);
  expect(opened()).toBe(before);
});
