'use strict';
// Debuggers that come, pause, step, evaluate and vanish at random, over workers
// that are renewed, cancelled, late and stopped meanwhile: every promise
// settles, the counts add up, nothing stays behind.
//   node core-inspector-churn.js [rounds] [seed] [seconds] [steps]
//
// Ends after the rounds or the seconds, whichever is first. With `steps`
// debuggers step as well, by night only, because V8 of Node 20 ended the process
// ("abort: Invalid bytecode") in 4 of 330 rounds in which they could step into
// frames of ours, and in none of 290 since (lib/inspector/own-frames.js).

const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const WebSocket = require('ws');

const { liveCounts } = require('../../lib/addon/load.js');
const { openInspector } = require('../../lib/index.js');
const { Random } = require('../chaos/random.js');
const { Code, WorkerPool, assert, outcomeOf, pass } =
  require('./support/check.js');

const rounds = Number(process.argv[2] ?? 6);
const firstSeed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
const seconds = Number(process.argv[4] ?? Infinity);
const doStep = process.argv[5] === 'steps';

const MODULE = join(__dirname, 'fixtures/debugged.mjs');
const BREAKPOINT = { url: pathToFileURL(MODULE).href, lineNumber: 5 };
const LANES = 3;
// The rounds of each lane.
const JOBS = 12;
const MAX_STEPS = 4;
const LOOK_MS = 5;
const PATIENCE_MS = 200;
const LEFT_MS = 120_000;

const EXPECTED = new Set(
  ['JobCancelled', 'JobTimeout', 'QueueStopped', 'ShutdownCancelled'].map(
    (name) => Code[name],
  ),
);
// The scope is of a frame, or of the realm.
const EXPRESSIONS = [
  '1 + 1',
  'globalThis.turns',
  'JSON.stringify({ a: [1, 2] })',
  'this',
  'nothing.there',
  'new Promise(() => {})',
  'for (let i = 0; i < 1e5; i += 1);',
];
const PAUSING = ['debugger; 1', '(() => { debugger; return 1; })()'];

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const tally = { debuggers: 0, sessions: 0, pauses: 0, steps: 0, jobs: 0 };

/** A debugger's session with one worker, which acts at random. */
class Session {
  #random;
  #send;
  #last = 0;
  #steps = 0;
  #isReady;
  /** V8 has answered. */
  ready = new Promise((resolve) => {
    this.#isReady = resolve;
  });

  constructor(random, send) {
    this.#random = random;
    this.#send = send;
    tally.sessions += 1;
    this.post('Runtime.enable');
    this.post('Debugger.enable');
    if (random.chance(0.7)) {
      this.post('Debugger.setBreakpointByUrl', BREAKPOINT);
    }
    this.post('Runtime.runIfWaitingForDebugger');
  }

  post(method, params = {}) {
    this.#last += 1;
    this.#send({ id: this.#last, method, params });
  }

  receive({ method, params }) {
    this.#isReady();
    if (method === 'Debugger.paused') this.#paused(params.callFrames);
  }

  act() {
    const what = this.#random.below(9);
    if (what < 4) this.post('Debugger.pause');
    else if (what < 7) this.#evaluate();
    else if (what === 7) this.post('Debugger.disable');
    else this.post('Debugger.enable');
  }

  #evaluate(callFrameId) {
    const random = this.#random;
    const list = random.chance(0.2) ? PAUSING : EXPRESSIONS;
    const expression = random.pick(list);
    if (callFrameId === undefined) {
      this.post('Runtime.evaluate', { expression });
    } else {
      this.post('Debugger.evaluateOnCallFrame', { callFrameId, expression });
    }
  }

  #paused(callFrames) {
    const random = this.#random;
    tally.pauses += 1;
    for (let i = random.below(3); i > 0; i -= 1) {
      const frame = random.pick(callFrames);
      this.#evaluate(random.chance(0.3) ? undefined : frame?.callFrameId);
    }
    if (doStep && this.#steps < MAX_STEPS && random.chance(0.5)) {
      this.#steps += 1;
      tally.steps += 1;
      this.post(`Debugger.step${random.pick(['Into', 'Over', 'Out'])}`);
      return;
    }
    this.#steps = 0;
    const goOn = random.pick(['resume', 'resume', 'disable']);
    const timer = setTimeout(
      () => this.post(`Debugger.${goOn}`),
      random.below(8),
    );
    timer.unref();
  }
}

/** Attaches to all workers through the root, and vanishes after a while. */
async function debug(random, url) {
  tally.debuggers += 1;
  const socket = new WebSocket(url);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {});
  await Promise.race([
    new Promise((resolve) => socket.once('open', resolve)),
    closed,
  ]);
  const sessions = new Map();
  let last = 0;
  const send = (message) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send(JSON.stringify(message));
  };
  const post = (method, params) => send({ id: ++last, method, params });
  const isFlat = random.chance(0.5);
  const add = (sessionId) =>
    sessions.set(
      sessionId,
      new Session(new Random(random.below(2 ** 31)), (message) => {
        if (isFlat) send({ ...message, sessionId });
        else {
          post('NodeWorker.sendMessageToWorker', {
            sessionId,
            message: JSON.stringify(message),
          });
        }
      }),
    );
  socket.on('message', (data) => {
    const { method, params, sessionId, ...message } = JSON.parse(data);
    if (sessionId !== undefined) {
      sessions.get(sessionId)?.receive({ ...message, method, params });
    } else if (/attachedTo/.test(method ?? '')) {
      // The program's own threads stay as they are.
      if (/^worker-/.test(params.sessionId)) add(params.sessionId);
    } else if (method === 'NodeWorker.receivedMessageFromWorker') {
      sessions.get(params.sessionId)?.receive(JSON.parse(params.message));
    }
  });
  const waitForDebuggerOnStart = random.chance(0.3);
  if (isFlat) {
    const auto = { autoAttach: true, waitForDebuggerOnStart, flatten: true };
    post('Target.setAutoAttach', auto);
  } else post('NodeWorker.enable', { waitForDebuggerOnStart });
  for (let i = 1 + random.below(8); i > 0; i -= 1) {
    // More than is read would be sent without this wait.
    const answers = [...sessions.values()].map(({ ready }) => ready);
    await Promise.race([Promise.all(answers), sleep(PATIENCE_MS), closed]);
    await Promise.race([sleep(random.below(12)), closed]);
    for (const [sessionId, session] of sessions) {
      if (isFlat || random.chance(0.95)) session.act();
      else post('NodeWorker.detach', { sessionId });
    }
  }
  socket.terminate();
  await closed;
}

async function runOne(pool, random) {
  const controller = new AbortController();
  const name = random.pick(['crunch', 'crunch', 'wait', 'spin']);
  const options = { signal: controller.signal };
  // Some do not end by themselves.
  const timer = setTimeout(() => controller.abort(), 5 + random.below(100));
  if (random.chance(0.3)) options.timeoutMs = 1 + random.below(40);
  let value;
  const job = pool.invoke(name, { n: 3 }, options).then((result) => {
    value = result;
  });
  const outcome = await outcomeOf(job);
  clearTimeout(timer);
  tally.jobs += 1;
  if (outcome === 'ok') assert.strictEqual(value, 6);
  else assert.ok(EXPECTED.has(outcome), outcome);
}

/** Jobs of one pool, one after the other in a few lanes. */
const submit = (pool, random) =>
  Array.from({ length: LANES }, async () => {
    const own = new Random(random.below(2 ** 31));
    for (let i = 0; i < JOBS; i += 1) await runOne(pool, own);
  });

async function expectNoMoreThan(before) {
  const end = performance.now() + LEFT_MS;
  const left = () =>
    Object.entries(liveCounts()).filter(([name, n]) => n > before[name]);
  while (left().length > 0) {
    if (performance.now() > end) assert.fail(`left: ${left().join('; ')}`);
    await sleep(LOOK_MS);
  }
}

async function playRound(seed) {
  const random = new Random(seed);
  const before = liveCounts();
  const inspector = await openInspector({ port: 0 });
  const pools = ['worker', 'context', 'isolate'].map((isolation) =>
    WorkerPool.create(`churn ${isolation}`, {
      workers: 1 + random.below(2),
      cancelGraceMs: random.pick([0, 0, 2]),
      isolation,
      module: MODULE,
    }),
  );
  const jobs = pools.flatMap((pool) => submit(pool, random));
  let ended = false;
  const debuggers = [1, 2, 3].map(async () => {
    const own = new Random(random.below(2 ** 31));
    while (!ended) await debug(own, inspector.url);
  });
  // Some are stopped while they are paused.
  const stops = pools.map(async (pool, i) => {
    const early = random.chance(0.4);
    await (early ? sleep(random.below(400)) : Promise.all(jobs));
    await pool.stop({ drain: false, timeoutMs: 20 + i });
  });
  const closes = random.chance(0.3);
  if (closes) {
    await sleep(random.below(200));
    ended = true;
    await inspector.close();
  }
  await Promise.all(jobs);
  ended = true;
  await Promise.all([...stops, ...debuggers]);
  if (!closes) await inspector.close();
  for (const { state } of pools) {
    const { active, queued, stats } = state.queue;
    assert.strictEqual(active + queued, 0);
    assert.strictEqual(
      stats.enqueued,
      stats.completed + stats.failed + stats.cancelled + stats.timedOut,
    );
  }
  await expectNoMoreThan(before);
}

(async () => {
  // A first pool leaves what stays for good.
  await WorkerPool.create('first').stop();
  const end = performance.now() + seconds * 1000;
  for (let i = 0; i < rounds && performance.now() < end; i += 1) {
    const seed = (firstSeed + i) | 0;
    console.log(`seed ${seed}`);
    await playRound(seed);
  }
  console.log(JSON.stringify(tally));
  pass();
})();
