'use strict';
// Parties for what speaks by messages: workers that end by themselves in every
// way that there is, and the pools that stand on them.

const assert = require('node:assert');
const { join } = require('node:path');
const {
  createMessageWorker,
} = require('../../lib/message-worker/message-worker.js');
const {
  WorkerPool: MessagePool,
} = require('../../lib/adapters/message-pool.js');
const { ReusableWorkerPool } = require('../../lib/adapters/pools.js');
const { QOper8 } = require('../../lib/adapters/qoper8.js');

const FIXTURES = join(__dirname, '../js/adapters/fixtures');
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// The ends that a worker makes of itself, by the number of messages it answers
// first: `code` and the number of answers are certain.
const ENDS = [
  { code: 0, answers: () => 0, text: () => '' },
  {
    code: 0,
    answers: (n) => n,
    text: (n) => `for (let i = 0; i < ${n}; i++) parentPort.postMessage(i);`,
  },
  {
    code: 0,
    answers: (n) => n,
    text: (n) => `(async () => {
      for (let i = 0; i < ${n}; i++) {
        await new Promise((resolve) => setTimeout(resolve, i % 2));
        parentPort.postMessage(i);
      }
    })();`,
  },
  {
    code: 0,
    answers: (n) => n + 1,
    text: (n) => `let left = ${n};
      parentPort.on('message', function echo(value) {
        parentPort.postMessage(value);
        if (left-- === 0) parentPort.off('message', echo);
      });`,
  },
  {
    code: 0,
    answers: (n) => n + 1,
    text: (n) => `let left = ${n};
      parentPort.on('message', (value) => {
        parentPort.postMessage(value);
        if (left-- === 0) parentPort.close();
      });`,
  },
  {
    code: 3,
    answers: (n) => n,
    text: (n) => `for (let i = 0; i < ${n}; i++) parentPort.postMessage(i);
      setTimeout(() => process.exit(3), ${n % 3});`,
  },
  {
    code: 1,
    answers: (n) => n + 1,
    text: (n) => `let left = ${n};
      parentPort.on('message', (value) => {
        parentPort.postMessage(value);
        if (left-- === 0) throw new Error('on purpose');
      });`,
  },
];
const PARENT_PORT = "const { parentPort } = require('node:worker_threads');";

async function runToItsEnd(random) {
  const n = random.below(12);
  const { code, answers, text } = random.pick(ENDS);
  const source = PARENT_PORT + text(n);
  const worker = createMessageWorker({ runtime: 'isolate', source });
  worker.on('error', (error) => {
    assert.strictEqual(error.message, 'on purpose');
  });
  let next = 0;
  worker.on('message', (value) => assert.strictEqual(value, next++));
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  for (let i = 0; i <= n; i++) {
    worker.postMessage(i);
    if (random.chance(0.2)) await wait(random.below(4));
  }
  const seen = await exited;
  assert.deepStrictEqual([text(n), seen, next], [text(n), code, answers(n)]);
}

/** Workers that nobody ends. */
async function endingActor(random) {
  const runs = Array.from({ length: 1 + random.below(12) }, () =>
    runToItsEnd(random),
  );
  await Promise.all(runs);
}

const HANDLERS = new Map(
  Object.entries({
    echo: { text: 'finished({ got: message.data })' },
    later: { text: 'setTimeout(() => finished({ got: message.data }), 2)' },
    slow: {
      text: `const end = performance.now() + 5;
        while (performance.now() < end);
        finished({ got: message.data })`,
    },
    throws: { text: "throw new Error('on purpose')" },
    exits: { text: 'process.exit(2)' },
    module: { module: join(FIXTURES, 'echo.mjs') },
  }),
);
const EXPECTED = { throws: 'error', exits: 'error', module: 'echo' };

/** Messages with and without their turn, and a pool that stops and goes on. */
async function qoper8Actor(random) {
  const qoper8 = new QOper8({
    runtime: 'isolate',
    poolSize: 1 + random.below(3),
    handlersByMessageType: HANDLERS,
  });
  const types = random.chance(0.5) ? ['echo'] : [...HANDLERS.keys()];
  const answers = [];
  for (let n = 20 + random.below(200); n > 0; n--) {
    const type = random.pick(types);
    answers.push(
      qoper8.send({ type, data: n }).then((answer) => {
        const value = answer[EXPECTED[type] ?? 'got'];
        if (EXPECTED[type] === 'error') assert.ok(value);
        // A worker that exits takes along what was sent to it.
        else if (!types.includes('exits') || value) assert.equal(value, n);
      }),
    );
    if (random.chance(0.02)) await wait(random.below(5));
    if (random.chance(0.01)) {
      await qoper8.stop();
      qoper8.start();
    }
  }
  await Promise.all(answers);
  await qoper8.stop();
}

/** One worker for each URL in many hands, some of which end it. */
async function reusableActor(random) {
  const maxWorkers = 1 + random.below(3);
  const pool = new ReusableWorkerPool({ maxWorkers, runtime: 'isolate' });
  const source = `${PARENT_PORT} parentPort.on('message', (message) => {
    if (message === 'end') process.exit(0);
    parentPort.postMessage(message);
  });`;
  const workerURL = `data:text/javascript,${encodeURIComponent(
    `import { createRequire } from 'node:module';
     const require = createRequire('file:///'); ${source}`,
  )}`;
  const use = async () => {
    const worker = await pool.getWorker(workerURL);
    const id = pool.getNextRequestId();
    worker.setMaxListeners(0);
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    const answered = new Promise((resolve) =>
      worker.on('message', (message) => message.id === id && resolve()),
    );
    worker.postMessage({ id });
    const ends = random.chance(0.1);
    if (ends) worker.postMessage('end');
    await Promise.race([answered, ended]);
    if (ends) await ended;
    pool.releaseWorker(worker);
  };
  for (let rounds = 1 + random.below(4); rounds > 0; rounds--) {
    const users = Array.from({ length: 1 + random.below(8) }, use);
    await Promise.all(users);
    assert.ok(pool.size <= maxWorkers);
  }
  pool.terminate();
  assert.strictEqual(pool.size, 0);
}

/** Tasks that work, fail, and take their worker along. */
async function messagePoolActor(random) {
  const file = join(FIXTURES, 'square-worker.cjs');
  const size = 1 + random.below(3);
  const pool = new MessagePool(size, file, {}, { runtime: 'isolate' });
  const tasks = [];
  for (let n = 5 + random.below(60); n > 0; n--) {
    const data = random.chance(0.85)
      ? n
      : random.pick(['throw', 'foreign', { exit: 0 }, { exit: 4 }]);
    const expected = typeof data === 'number' ? data * data : 'right';
    const fails = data === 'throw' || typeof data === 'object';
    const task = pool.submit(data).then(
      (value) => assert.deepStrictEqual([fails, value], [false, expected]),
      (error) => assert.ok(fails || error.code !== 'ERR_ASSERTION', error),
    );
    tasks.push(task);
    if (random.chance(0.1)) pool.stop();
    if (random.chance(0.2)) await wait(random.below(3));
    pool.resume();
  }
  if (random.chance(0.6)) await Promise.all(tasks);
  await pool.terminate();
  await Promise.all(tasks);
}

module.exports = {
  endingActor,
  messagePoolActor,
  qoper8Actor,
  reusableActor,
};
