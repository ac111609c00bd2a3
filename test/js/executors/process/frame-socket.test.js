'use strict';
// The owner's end of the socket on which a process says its frames.

const { spawn } = require('node:child_process');
const { EventEmitter, once } = require('node:events');
const { readdirSync } = require('node:fs');

const { looseFunctions } = require('../../../../lib/addon/load.js');
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

/** Where the addon makes no sockets: `spawn` makes pipes. */
function withoutEnds() {
  let own;
  jest.isolateModules(() => {
    const ends = '../../../../lib/executors/process/socket-ends.js';
    jest.doMock(ends, () => ({ makeEnds: () => undefined }));
    own = {
      ...require('../../../../lib/executors/process/end-watch.js'),
      ...require('../../../../lib/executors/process/frame-socket.js'),
    };
    jest.dontMock(ends);
  });
  return own;
}

/** All that a process says on descriptor 3, by the time that it has ended. */
function listen(program, make = makeFrameSocket) {
  const chunks = [];
  const memories = new Set();
  const frames = make(STDIO, 3, (chunk) => {
    memories.add(chunk.buffer);
    chunks.push(Buffer.from(chunk));
  });
  const child = spawn(process.execPath, ['-e', program], {
    stdio: frames.stdio,
  });
  const socket = frames.begin(child);
  // As of a write to a process that has gone.
  socket.emit('error', new Error('EPIPE'));
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

test('so it is where spawn makes the pipe', async () => {
  const make = withoutEnds().makeFrameSocket;
  expect(make(STDIO, 3, () => {}).stdio).toEqual(STDIO);
  expect(make(STDIO, 3, () => {}).begin(undefined)).toBeUndefined();
  const { said, socket } = await listen(SAYS, make);
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
  const started = jest.spyOn(looseFunctions(), 'startWatch');
  watch.begin(undefined);
  expect(opened()).toBe(before);
  // It is of no process.
  expect(started.mock.calls).toEqual([[watch.stdio[4], 0]]);
  started.mockRestore();
});

onLinux('the watch of a process ends with it', async () => {
  const before = opened();
  const watch = makeWatch([...STDIO, 'pipe'], 4);
  const child = spawn(process.execPath, ['-e', ''], { stdio: watch.stdio });
  watch.begin(child);
  expect(opened()).toBeGreaterThan(before);
  await once(child, 'close');
  while (opened() > before) await new Promise(setImmediate);
});

test('where spawn makes its pipe, that is it', () => {
  const watch = withoutEnds().makeWatch([...STDIO, 'ignore'], 4);
  expect(watch.stdio).toEqual([...STDIO, 'pipe']);
  expect(() => watch.begin(undefined)).not.toThrow();
  const pipe = new EventEmitter();
  const done = [];
  pipe.unref = () => done.push('unref');
  pipe.destroy = () => done.push('destroy');
  const child = new EventEmitter();
  Object.assign(child, { pid: 1, stdio: [null, null, null, null, pipe] });
  watch.begin(child);
  pipe.emit('error', new Error('EPIPE'));
  expect(done).toEqual(['unref']);
  child.emit('exit');
  expect(done).toEqual(['unref', 'destroy']);
});
