'use strict';
// Values that travel to a process while its job runs: they may be of shapes that
// nothing before them had.

const { WorkerCancellationController } = require('../../../../lib/index.js');
const { Code } = require('../../../../lib/protocol/diagnostics.gen.js');
const { createPool, stopAll } = require('./support.js');

afterEach(stopAll);

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
