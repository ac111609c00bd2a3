'use strict';
// Values that travel to a process while its job runs: they may be of shapes that
// nothing before them had.

const { writeFileSync } = require('node:fs');
const { Socket } = require('node:net');
const { join } = require('node:path');

const { WorkerCancellationController } = require('../../../../lib/index.js');
const { Code } = require('../../../../lib/protocol/diagnostics.gen.js');
const { folderWith, removeFolders } = require('../../modules/support.js');
const { createPool, stopAll, testOnLinux } = require('./support.js');

afterEach(stopAll);
afterAll(removeFolders);

const rows = (key) => [
  { id: 1, [key]: 'a' },
  { id: 2, [key]: 'ä€' },
];

test('answers of the owner', async () => {
  const host = { rows: (key) => rows(key) };
  const pool = createPool({ workers: 1, host });
  for (const key of ['first', 'second', 'first']) {
    const job = ({ input, host: owner }) => owner.rows(input);
    expect(await pool.run(job, { input: key })).toEqual(rows(key));
  }
});

test('a streamed input', async () => {
  async function* source() {
    yield rows('third')[0];
    yield rows('fourth')[1];
  }
  const pool = createPool({ workers: 1 });
  const job = async function* each({ input }) {
    for await (const row of input) yield row;
  };
  const seen = [];
  for await (const row of pool.stream(job, { input: source() })) seen.push(row);
  expect(seen).toEqual([rows('third')[0], rows('fourth')[1]]);
});

test('many rows of one shape, which nothing else has', async () => {
  const pool = createPool({ workers: 1 });
  const made = (key) =>
    Array.from({ length: 1000 }, (_, id) => ({ id, [key]: `row ${id}` }));
  const names = ({ input }) => input.map((row) => row.sent).join();
  const make = () =>
    Array.from({ length: 1000 }, (_, id) => ({ id, came: `row ${id}` }));
  const sent = made('sent');
  const pid = await pool.run(() => process.pid);
  expect(await pool.run(names, { input: sent })).toBe(
    sent.map((row) => row.sent).join(),
  );
  expect(await pool.run(make)).toEqual(made('came'));
  // One that cannot read its job is another one afterwards.
  expect(await pool.run(() => process.pid)).toBe(pid);
});

test('after inputs and before results of other shapes', async () => {
  const host = { echo: (value) => ({ ...value, fromOwner: true }) };
  const pool = createPool({ workers: 1, host });
  const job = async ({ input, host: owner }) => {
    const answer = await owner.echo({ ...input, fromJob: 1 });
    return { answer, more: { deep: [input] } };
  };
  for (const input of [{ a: 1 }, { b: 'x' }, { a: 2 }, { b: 'y' }]) {
    expect(await pool.run(job, { input })).toEqual({
      answer: { ...input, fromJob: 1, fromOwner: true },
      more: { deep: [input] },
    });
  }
});

test('what comes while a job looks at its signal in a loop', async () => {
  const pool = createPool({ workers: 1, host: { ask: (n) => n + 1 } });
  const job = async ({ signal, host }) => {
    const answer = host.ask(1);
    // Long enough for the answer to come meanwhile.
    const until = Date.now() + 300;
    let looks = 0;
    while (Date.now() < until && !signal.aborted) looks += 1;
    return [await answer, looks > 0];
  };
  const { signal } = new AbortController();
  for (let n = 0; n < 3; n += 1) {
    expect(await pool.run(job, { signal })).toEqual([2, true]);
  }
});

test('the reason of a cancellation', async () => {
  const pool = createPool({ workers: 1, cancelGraceMs: 60_000 });
  const controller = new WorkerCancellationController();
  const running = pool.run(
    ({ signal, emit }) => {
      emit('running');
      while (!signal.cancelled);
      globalThis.seen = signal.reason;
    },
    {
      signal: controller.signal,
      onMessage: () => controller.cancel({ by: 'the test' }),
    },
  );
  await expect(running).rejects.toMatchObject({ code: Code.JobCancelled });
  expect(await pool.run(() => globalThis.seen)).toEqual({ by: 'the test' });
});

describe('reasons', () => {
  const KEPT = 64;
  const REASON_BYTES = 15_000;

  test('are kept of the last jobs alone', async () => {
    const pool = createPool({
      workers: 1,
      cancelGraceMs: 60_000,
      execArgv: ['--expose-gc'],
    });
    const wait = ({ signal, emit }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          globalThis.seen = signal.reason.length;
          resolve();
        });
        emit('running');
      });
    const cancel = async (count) => {
      for (let i = 0; i < count; i += 1) {
        const controller = new WorkerCancellationController();
        const { signal } = controller;
        const onMessage = () => controller.cancel('x'.repeat(REASON_BYTES));
        const running = pool.run(wait, { signal, onMessage });
        await expect(running).rejects.toMatchObject({
          code: Code.JobCancelled,
        });
      }
    };
    const used = () =>
      pool.run(() => {
        globalThis.gc();
        return [globalThis.seen, process.memoryUsage().heapUsed, process.pid];
      });
    await cancel(KEPT);
    const [length, before, pid] = await used();
    expect(length).toBe(REASON_BYTES);
    await cancel(4 * KEPT);
    const [, after, its] = await used();
    expect(its).toBe(pid);
    expect(after - before).toBeLessThan(2 * KEPT * REASON_BYTES);
  });

  // A look reads as many bytes at once, so that the last byte comes alone.
  const LOOK_BYTES = 4096;

  testOnLinux('are read to the last byte by a loop that looks', async () => {
    const folder = folderWith({});
    const pool = createPool({ workers: 1, cancelGraceMs: 60_000 });
    const look = ({ signal, emit, input }) => {
      const { existsSync } = process.getBuiltinModule('fs');
      emit('running');
      while (!existsSync(input));
      while (!signal.cancelled);
      globalThis.seen = signal.reason.length;
    };
    let bytes = 0;
    const writing = jest.spyOn(Socket.prototype, 'write');
    const cancelWith = async (length) => {
      const controller = new WorkerCancellationController();
      const { signal } = controller;
      const gate = join(folder, String(length));
      const onMessage = () => {
        writing.mockClear();
        controller.cancel('x'.repeat(length));
        bytes = writing.mock.calls.reduce((sum, [{ length: n }]) => sum + n, 0);
        writeFileSync(gate, '');
      };
      const running = pool.run(look, { input: gate, signal, onMessage });
      await expect(running).rejects.toMatchObject({ code: Code.JobCancelled });
      expect(await pool.run(() => globalThis.seen)).toBe(length);
    };
    try {
      await cancelWith(5000);
      await cancelWith(5000 + LOOK_BYTES - (bytes % LOOK_BYTES) + 1);
      expect(bytes % LOOK_BYTES).toBe(1);
    } finally {
      writing.mockRestore();
    }
  });
});
