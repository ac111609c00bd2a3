'use strict';

// Functions that are written where they are passed: one for each call, known
// by the place where that is.

const vm = require('node:vm');

const { WorkerPool } = require('../../../lib/index.js');

const ROUNDS = 5;

let pool;
beforeEach(() => {
  pool = WorkerPool.create('literals', { workers: 2, maxQueued: 10_000 });
});
afterEach(() => pool.stop());

async function forRounds(run, expected) {
  for (let round = 0; round < ROUNDS; round += 1) {
    expect(await run(round)).toEqual(expected(round));
  }
}

test('two of them in turn, on one line', async () => {
  const make = vm.runInThisContext(
    '() => [({ input }) => input + 1, ({ input }) => input * 2]',
  );
  await forRounds(
    (input) => Promise.all(make().map((fn) => pool.run(fn, { input }))),
    (round) => [round + 1, 2 * round],
  );
});

test('one that makes another, which begins inside it', async () => {
  const outer = () => (context) => ((value) => [value])(context.input);
  await forRounds(
    (input) => pool.run(outer(), { input }),
    (round) => [round],
  );
});

test('the same text in different scripts, and different texts in one place', async () => {
  const made = (round) => new Function('context', `return ${round % 2}`);
  await forRounds(
    (round) => pool.run(made(round)),
    (round) => round % 2,
  );
  const script = (round) => `(() => ${round % 3})`;
  await forRounds(
    (round) => pool.run(vm.runInNewContext(script(round))),
    (round) => round % 3,
  );
  // biome-ignore lint/security/noGlobalEval: another way to a script
  const evaluated = (round) => eval(script(round));
  await forRounds(
    (round) => pool.run(evaluated(round)),
    (round) => round % 3,
  );
});

test('methods whose names are computed keep their own', async () => {
  const method = vm.runInThisContext(
    '(name) => ({ [name]() { return arguments.callee.name; } })[name]',
  );
  for (const name of ['one', 'two', 'one', 'two', 'three']) {
    expect(await pool.run(method(name))).toBe(name);
  }
  const named = (name) => ({ [name]: () => 1 })[name];
  for (const name of ['one', 'two', 'one']) {
    expect(await pool.run(named(name))).toBe(1);
  }
});

test('what cannot be sent is refused each time', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    await expect(pool.run(class {})).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD',
    });
    await expect(
      pool.run(function named() {}.bind(null)),
    ).rejects.toMatchObject({ code: 'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD' });
    const proxy = new Proxy(() => 1, {});
    await expect(pool.run(proxy)).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD',
    });
    expect(await pool.run(() => 1)).toBe(1);
  }
});

test('more places than the addon counts, and functions that were forgotten', async () => {
  const makers = new Array(5000)
    .fill()
    .map((_, n) => new Function(`return () => ${n % 1100}`));
  await Promise.all(makers.map((make) => pool.run(make())));
  for (const n of [0, 1, 1099, 1100, 4500, 4999]) {
    expect(await pool.run(makers[n]())).toBe(n % 1100);
    expect(await pool.run(makers[n]())).toBe(n % 1100);
  }
});

test('pools do not share what they know', async () => {
  const make = () => () => 1;
  await forRounds(
    () => pool.run(make()),
    () => 1,
  );
  await pool.stop();
  pool = WorkerPool.create('literals', { workers: 1 });
  await forRounds(
    () => pool.run(make()),
    () => 1,
  );
});
