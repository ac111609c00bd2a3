'use strict';
// Ends of a process, and processes that belong to somebody who means harm: one
// job fails, and the next one has another process.

const { constants } = require('node:os');

const {
  describeAttempts,
  isAlive,
  started,
  useAttempts,
} = require('./support.js');

useAttempts();
const { SloppyWorkerError, WorkerPool } = require('../../../../lib/index.js');
const { Kind } = require('../../../../lib/executors/sandbox/kinds.js');
const { headerOf } = require('../../../../lib/wire/frames.js');
const { packPayload } = require('../../../../lib/wire/payload-bytes.js');

const CRASHED = 'SLOPPY_E_WORKER_CRASHED';
const LIMIT = 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED';
const TIMEOUT = 'SLOPPY_E_WORK_JOB_TIMEOUT';

// Time for what ends by itself, on a machine that others keep busy, and for what
// does not.
const CALM_MS = 60_000;
const ENDS_MS = 1000;

// The job with which a process begins.
const FIRST = 1;

const word = (...values) => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => {
    bytes.writeUInt32LE(value >>> 0, at * 4);
  });
  return bytes;
};
const number = packPayload({ kind: 4, number: 42 });
const done = Buffer.concat([word(0, 0, 0), number]);

function say(kind, seq, body, length = body.length) {
  const frame = Buffer.concat([headerOf(kind, seq, length), body]);
  return `say ${frame.toString('hex')}`;
}

const marked = (mark) => {
  const frame = Buffer.concat([headerOf(Kind.Done, FIRST, done.length), done]);
  frame.writeUInt32LE(mark, 0);
  return `say ${frame.toString('hex')}`;
};

function message(channel, payload) {
  return say(Kind.Message, FIRST, Buffer.concat([word(channel), payload]));
}

const structured = (slots) => {
  const head = word(6, slots.length, 0, 0);
  const body = Buffer.from(new Float64Array([0, ...slots]).buffer);
  return Buffer.concat([head, body]);
};
const TAG = 2 ** 1000;

const ENDS = {
  SIGSEGV: ['SIGSEGV', CRASHED],
  'stack overflow': ['stack overflow', CRASHED],
  abort: ['abort', CRASHED],
  'exit 0': ['exit 0', CRASHED],
  'exit 1': ['exit 1', CRASHED],
  'a limit that is none': ['exit 71', LIMIT],
  // It is refused, and the code goes on.
  'native memory': ['eat memory', TIMEOUT],
  'a refused close of the socket': ['close the socket', TIMEOUT],
  'a wrong mark': [marked(7), CRASHED],
  'no known kind': [say(99, FIRST, Buffer.alloc(0)), CRASHED],
  'a frame for itself': [say(Kind.Start, FIRST, done), CRASHED],
  'a huge length': [say(Kind.Done, FIRST, done, 0xfffffff0), CRASHED],
  'half a frame': [say(Kind.Done, FIRST, done, done.length + 9), TIMEOUT],
  'a past job': [say(Kind.Done, 0, done), CRASHED],
  'a future job': [say(Kind.Done, 99, done), CRASHED],
  'a second greeting': [say(Kind.Hello, 0, Buffer.alloc(40)), CRASHED],
  'ready a second time': [say(Kind.Ready, 0, Buffer.alloc(0)), CRASHED],
  'loaded what it was not asked to': [
    say(Kind.Loaded, 1, Buffer.alloc(0)),
    CRASHED,
  ],
  'half an end': [say(Kind.Done, FIRST, word(0)), CRASHED],
  'an end that no job has': [
    say(Kind.Done, FIRST, Buffer.concat([word(5, 0, 0), number])),
    CRASHED,
  ],
  'a value cut short': [
    say(Kind.Done, FIRST, done.subarray(0, done.length - 1)),
    CRASHED,
  ],
  'an array of 2^31': [
    say(
      Kind.Done,
      FIRST,
      Buffer.concat([word(0, 0, 0), structured([7 * TAG, 2 ** 31])]),
    ),
    CRASHED,
  ],
  'a bomb of depth': [
    say(
      Kind.Done,
      FIRST,
      Buffer.concat([
        word(0, 0, 0),
        structured(new Array(4000).fill([7 * TAG, 1]).flat()),
      ]),
    ),
    CRASHED,
  ],
  'a message for nobody': [message(77, number), CRASHED],
  'a call that is none': [message(1, number), CRASHED],
};

describeAttempts('ends', () => {
  let pool;

  beforeAll(() => {
    pool = WorkerPool.create('ends', {
      workers: 1,
      memoryLimitMb: 64,
      runTimeoutMs: CALM_MS,
      sandbox: true,
      host: { echo: (value) => value },
    });
  });
  afterAll(async () => {
    await pool.stop();
    expect(started().filter(({ pid }) => isAlive(pid))).toEqual([]);
  });

  test.each(Object.entries(ENDS))('%s', async (_name, [attempt, code]) => {
    const running = pool.run(
      ({ input }) => {
        attempt(input);
        for (;;);
      },
      { input: attempt, runTimeoutMs: code === TIMEOUT ? ENDS_MS : CALM_MS },
    );
    const error = await running.catch((thrown) => thrown);
    expect(error).toBeInstanceOf(SloppyWorkerError);
    expect(error.code).toBe(code);
    await expect(pool.run(({ input }) => input, { input: 1 })).resolves.toBe(1);
  });

  test('two results', async () => {
    const twice = say(Kind.Done, FIRST, done).slice('say '.length);
    const first = await pool.run(
      ({ input }) => {
        attempt(input);
        for (;;);
      },
      { input: `say ${twice}${twice}` },
    );
    // It is the job's own to say what its result is.
    expect(first).toBe(42);
    await expect(pool.run(() => 1)).resolves.toBe(1);
  });

  test('stderr without end is closed, and the process goes on', async () => {
    const write = ({ input }) => {
      globalThis.wrote = attempt(input);
      return globalThis.wrote;
    };
    const input = 'stderr without end';
    const told = await pool.run(write, { input, key: 'a' });
    expect(Number(told)).toBe(constants.errno.EPIPE);
    expect(await pool.run(() => globalThis.wrote, { key: 'a' })).toBe(told);
    const error = await pool
      .run(() => attempt('SIGSEGV'), { key: 'a' })
      .catch((thrown) => thrown);
    expect(error.cause.stderr).toBe('x'.repeat(4096));
  });

  test('the cause tells how it has ended', async () => {
    const error = await pool
      .run(() => attempt('SIGSEGV'))
      .catch((thrown) => thrown);
    expect(error.cause).toMatchObject({ signal: 'SIGSEGV', exitCode: null });
    const aborted = await pool
      .run(() => attempt('abort'))
      .catch((thrown) => thrown);
    expect(aborted.cause).toMatchObject({ signal: 'SIGABRT', exitCode: null });
  });

  test('a call of another architecture ends the process', async () => {
    if (process.arch !== 'x64') return;
    const error = await pool
      .run(() => attempt('int 0x80'))
      .catch((thrown) => thrown);
    expect(error.code).toBe(CRASHED);
    await expect(pool.run(() => 1)).resolves.toBe(1);
  });
});
