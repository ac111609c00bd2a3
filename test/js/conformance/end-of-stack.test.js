'use strict';
// Calls near the end of the stack: each settles its promise, and nothing that
// it had taken is lost. One process for each, because the size of the stack is
// a flag of Node's; several sizes, because they end the stack in other frames,
// of threads one, because nearly all frames are those of isolates' pools.

const { runNode } = require('../support/run-node.js');
const { runtime } = require('./support.js');

const PROGRAM = (setUp, call, check) => `
  const lib = require('./lib/index.js');
  const { WorkQueue, WorkerPool, Worker } = lib;
  const { WorkerCancellationController } = lib;
  const runtime = '${runtime}';
  process.on('unhandledRejection', (error) => {
    console.log('unhandled', error);
    process.exitCode = 1;
  });
  const CALLS = 300;
  const promises = new Array(CALLS).fill(null);
  let calls = 0;
  // Only the call itself may not fit; what it begins must have an end.
  function deep(call) {
    try { deep(call); } catch {}
    if (calls === CALLS) return;
    try {
      const promise = call();
      promises[calls] = promise;
      calls += 1;
    } catch (error) {
      if (!(error instanceof RangeError)) console.log('threw', error);
    }
  }
  (async () => {
    ${setUp}
    deep(() => ${call});
    await Promise.allSettled(promises);
    ${check}
    console.log('over');
  })();
`;

const QUEUE = (handler, options = '') => `
  const queue = WorkQueue.create('q', {
    concurrency: 3, maxQueued: 1000, ${options}
  });
  queue.process(${handler});
  const { signal } = new WorkerCancellationController();`;
const QUEUE_CHECK = `
  await queue.enqueue(1, { signal }).catch(() => {});
  await queue.drain();
  const { active, queued, stats } = queue.state;
  if (active + queued !== 0) console.log('lost', queue.state);
  const ended = stats.completed + stats.failed + stats.cancelled;
  if (ended !== stats.enqueued) console.log('lost', stats);
  await queue.stop();`;

const POOL = (options = '') => `
  const pool = WorkerPool.create('p', {
    runtime, workers: 2, maxQueued: 1000, ${options}
  });
  const { signal } = new WorkerCancellationController();`;
const POOL_CHECK = `
  const answer = await pool.run(({ input }) => input, { input: 6 });
  if (answer !== 6) console.log('wrong', answer);
  await pool.drain();
  const { active, queued, stats } = pool.state.queue;
  if (active + queued !== 0) console.log('lost', pool.state);
  await pool.stop();`;
const WARM = `for (let i = 0; i < 500; i += 1) await pool.run(() => 1);`;

// Functions of each kind that a text is made of, each of them new. Node 20 and
// 22 end the process if the stack ends while V8 compiles a regular expression.
const NEW_FUNCTIONS = `
  const KINDS = [
    (n) => \`({ input }) => input + \${n}\`,
    (n) => \`async ({ input }) => input.ж\${n}\`,
    (n) => \`class { static m\${n}() {} }\`,
    (n) => \`({ m\${n}({ input }) { return input; } }).m\${n}\`,
    (n) => \`({ ['m\${n}'](x) { return 1; } }).m\${n}\`,
    (n) => \`Object.getOwnPropertyDescriptor(
      { get m\${n}() { return 1; } }, 'm\${n}').get\`,
    (n) => \`(a) => Math.max(a.b\${n}, [1], __c\${n}(1))\`,
    (n) => \`Math.max.bind(\${n})\`,
  ];
  const functions = Array.from({ length: 1000 },
    (_, n) => eval('(' + KINDS[n % KINDS.length](n) + ')'));
  const specifiers = ['./x.mjs', 'file:///a', 'node:fs', '@x/y', 'http://x'];
  const modules = specifiers.map((a) => ({ a, b: a }));
  const quiet = (call) => {
    try { return call(); } catch (error) {
      if (error instanceof RangeError) throw error;
    }
  };
  let tries = 0;
  const next = (list) => list[tries++ % list.length];`;

const CASES = {
  'run, new functions': [
    POOL() + WARM + NEW_FUNCTIONS,
    'pool.run(next(functions))',
    POOL_CHECK,
  ],
  'run, the first, new functions': [
    POOL() + NEW_FUNCTIONS,
    'pool.run(next(functions), { timeoutMs: 60_000 })',
    POOL_CHECK,
  ],
  'run, with modules': [
    POOL() + WARM + NEW_FUNCTIONS,
    'pool.run(next(functions), { modules: next(modules) })',
    POOL_CHECK,
  ],
  'map, stream and broadcast of new functions': [
    POOL() + WARM + NEW_FUNCTIONS,
    `[pool.map([1], next(functions)).next(),
      pool.stream(next(functions)).next(),
      pool.broadcast(next(functions))].map((each) => each.catch(() => {}))`,
    POOL_CHECK,
  ],
  share: [
    `${POOL() + WARM} let shares = 0;`,
    "pool.share('s' + (shares += 1), { ж: ['a'] })",
    POOL_CHECK,
  ],
  'the making of pools': [
    NEW_FUNCTIONS,
    `quiet(() => WorkerPool.create('p', {
       runtime, module: next(specifiers), init: { module: next(specifiers) },
     }))`,
    '',
  ],
  'the start of workers': [
    NEW_FUNCTIONS,
    'Worker.start(next(specifiers), { runtime }).catch(() => {})',
    '',
  ],
  'times as texts': [
    `${NEW_FUNCTIONS} const { Time } = require('./lib/time.js');`,
    "[quiet(() => Time.every('5m')), quiet(() => Time.interval('1h'))]",
    '',
  ],
  enqueue: [
    QUEUE('async () => { await null; }'),
    'queue.enqueue(1)',
    QUEUE_CHECK,
  ],
  'enqueue, the handler throws': [
    QUEUE('() => { throw new Error(); }'),
    'queue.enqueue(1)',
    QUEUE_CHECK,
  ],
  'enqueue, with retries': [
    QUEUE('() => { throw new Error(); }', 'retry: { maxAttempts: 2 }'),
    'queue.enqueue(1)',
    QUEUE_CHECK,
  ],
  'enqueue, with a signal and a limit': [
    QUEUE('async () => {}'),
    'queue.enqueue(1, { signal, timeoutMs: 60_000 })',
    QUEUE_CHECK,
  ],
  'enqueue, with backpressure': [
    QUEUE('async () => {}', "overflow: 'backpressure', maxQueued: 4"),
    'queue.enqueue(1)',
    QUEUE_CHECK,
  ],
  'the drain of a queue': [
    QUEUE('async () => {}'),
    'queue.drain()',
    QUEUE_CHECK,
  ],
  'the stop of a queue': [
    `${QUEUE('async () => {}')}
     const jobs = [queue.enqueue(1), queue.enqueue(2)];`,
    'queue.stop()',
    'await Promise.all(jobs); await queue.stop();',
  ],
  'run, the first': [POOL(), 'pool.run(() => 1)', POOL_CHECK],
  run: [POOL() + WARM, 'pool.run(() => 1)', POOL_CHECK],
  'run, with a payload': [
    POOL() + WARM,
    'pool.run(({ input }) => input.a, { input: { a: [1, {}] } })',
    POOL_CHECK,
  ],
  'run, with a signal and a limit': [
    POOL() + WARM,
    'pool.run(() => 1, { signal, timeoutMs: 60_000 })',
    POOL_CHECK,
  ],
  'run, with a listener': [
    POOL() + WARM,
    'pool.run(({ emit }) => emit(1), { onMessage() {} })',
    POOL_CHECK,
  ],
  'run, with backpressure': [
    POOL("overflow: 'backpressure', maxQueued: 2"),
    'pool.run(() => 1)',
    POOL_CHECK,
  ],
  map: [POOL() + WARM, 'pool.map([1], () => 1).next()', POOL_CHECK],
  stream: [POOL() + WARM, 'pool.stream(function* () {}).next()', POOL_CHECK],
  drain: [POOL() + WARM, 'pool.drain()', POOL_CHECK],
  'resize and pause': [
    POOL() + WARM,
    '[pool.pause(), pool.resize(2), pool.resume()]',
    `pool.resume(); ${POOL_CHECK}`,
  ],
  'the stop of a pool': [POOL() + WARM, 'pool.stop()', 'await pool.stop();'],
  "a cancellation of the library's": [
    `${QUEUE('(job, { signal }) => new Promise((resolve) => signal.addEventListener("abort", resolve))')}
     const controllers = Array.from({ length: CALLS },
       () => new WorkerCancellationController());
     const jobs = controllers.map(({ signal }) => queue.enqueue(1, { signal }));
     for (const job of jobs) job.catch(() => {});
     signal.addEventListener('abort', () => {});`,
    'controllers[calls].cancel()',
    `for (const controller of controllers) controller.cancel();
     await Promise.allSettled(jobs);
     if (queue.state.active + queue.state.queued !== 0) console.log('lost');
     await queue.stop();`,
  ],
};

// Calls that have nothing of the runtime are the same on threads.
const names = Object.keys(CASES).filter(
  (name) =>
    runtime === 'isolate' || /(pool|Pool|Worker)\./.test(CASES[name][1]),
);
const sizes = runtime === 'isolate' ? [150, 157, 199] : [157];

test.each(names)('%s', (name) => {
  const program = PROGRAM(...CASES[name]);
  for (const size of sizes) {
    expect(runNode([`--stack-size=${size}`, '-e', program])).toBe('over\n');
  }
});
