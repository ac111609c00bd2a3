'use strict';
// Breakpoints in isolates, through the endpoint of openInspector().

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const vm = require('node:vm');

const { WorkerPool, openInspector } = require('../../../lib/index.js');
const { liveCounts } = require('../../../lib/addon/load.js');
const {
  connect,
  debugged,
  ownOf,
  ownPools,
  placeOf,
  targetsOf,
  workersOf,
} = require('./support.js');

const { name, isOwn } = ownPools();
const MODULE = join(__dirname, 'fixtures/work.mjs');
// Beyond the time limit of the jobs, and beyond what they are given then.
const PAUSED_MS = 4500;
// On a busy machine a pause takes a while to begin.
const LIMITED = { timeoutMs: 4000 };

// A wait of a client that takes longer fails, and says for what it was.
const LOST_MS = 45_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

let inspector;
let pools;
let clients;
beforeEach(() => {
  pools = [];
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.close();
  await inspector?.close();
  inspector = undefined;
  await Promise.all(pools.map((pool) => pool.stop({ drain: false })));
});

function poolOf(options = {}) {
  const pool = WorkerPool.create(name, {
    workers: 1,
    module: MODULE,
    ...options,
  });
  pools.push(pool);
  return pool;
}

const ownWorkersOf = ownOf(workersOf, isOwn);

/**
 * Opens an endpoint and attaches to all workers, with a breakpoint in each.
 *
 * @returns {Promise<{ root, paused(): Promise<{ worker, frame }> }>}
 */
async function attach(lineOf, { find = workersOf, wait = false } = {}) {
  inspector ??= await openInspector({ port: 0, wait });
  const root = await connect(inspector.url);
  clients.push(root);
  const pauses = [];
  let wake = () => {};
  ownOf(find, isOwn)(root, async (worker) => {
    worker.on('Debugger.paused', (params) => {
      pauses.push({ worker, frame: params.callFrames[0], params });
      wake();
    });
    await worker.post('Runtime.enable');
    await worker.post('Debugger.enable');
    if (lineOf !== undefined) {
      const { url, line } = lineOf;
      await worker.post('Debugger.setBreakpointByUrl', {
        url,
        lineNumber: line,
      });
    }
    await worker.post('Runtime.runIfWaitingForDebugger');
    root.workers = [...(root.workers ?? []), worker];
  });
  if (find === workersOf) {
    await root.post('NodeWorker.enable', { waitForDebuggerOnStart: true });
  } else {
    await root.post('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
    });
  }
  const paused = async () => {
    while (pauses.length === 0) {
      await new Promise((resolve, reject) => {
        const lose = () => reject(new Error('no worker has paused'));
        const lost = setTimeout(lose, LOST_MS);
        wake = () => {
          clearTimeout(lost);
          resolve();
        };
      });
    }
    return pauses.shift();
  };
  return { root, paused };
}

/** @returns {Promise<object[]>} the sessions of workers, once there is one */
async function workersIn(root) {
  const end = performance.now() + LOST_MS;
  while (root.workers === undefined) {
    if (performance.now() > end) throw new Error('no worker was attached');
    await sleep(10);
  }
  return root.workers;
}

/** A pause before that would be of the worker's start, not of the job. */
async function spinning(worker) {
  let last;
  while (last === undefined) {
    const { result } = await worker.post('Runtime.evaluate', {
      expression: 'last',
    });
    last = result.value;
  }
}

const inModule = () => placeOf('work.mjs', 'module');
const valueIn = async ({ worker, frame }, expression) =>
  (
    await worker.post('Debugger.evaluateOnCallFrame', {
      callFrameId: frame.callFrameId,
      expression,
    })
  ).result.value;

async function disabled(pause) {
  await pause.worker.post('Debugger.disable');
}

describe('a breakpoint', () => {
  test.each([
    ['NodeWorker', workersOf],
    ['Target', targetsOf],
  ])('in a module is hit, by the domain %s', async (_name, find) => {
    const pool = poolOf();
    const { paused } = await attach(inModule(), { find });
    const job = pool.invoke('crunch', { n: 4 });
    const pause = await paused();
    expect(pause.params.hitBreakpoints).toHaveLength(1);
    expect(await valueIn(pause, 'sum + n')).toBe(4);
    await pause.worker.post('Debugger.stepOver');
    const next = await paused();
    expect(next.frame.functionName).toBe('crunch');
    await disabled(next);
    expect(await job).toBe(10);
  });

  test.each([
    ['unless told', undefined],
    ['besides its own', ['/node_modules/']],
  ])('a step leads into no frame of ours, %s', async (_name, patterns) => {
    const pool = poolOf();
    const { paused } = await attach(inModule());
    const job = pool.invoke('crunch', { n: 4 });
    const { worker } = await paused();
    if (patterns !== undefined) {
      await worker.post('Debugger.setBlackboxPatterns', { patterns });
    }
    const stops = [];
    worker.on('Debugger.paused', ({ callFrames: [frame] }) => {
      stops.push(frame.functionName);
      worker.post('Debugger.stepOut').catch(() => {});
    });
    await worker.post('Debugger.stepOut');
    expect(await job).toBe(10);
    expect(await pool.invoke('crunch', { n: 2 })).toBe(3);
    // At the breakpoint: three more turns of the first job, two of the second.
    expect(stops).toEqual(Array(5).fill('crunch'));
  });

  test.each([
    ['common.cjs', 'common'],
    ['typed.mts', 'typed'],
  ])('in %s is hit', async (file, mark) => {
    const pool = poolOf({ module: join(__dirname, 'fixtures', file) });
    const { paused } = await attach(placeOf(file, mark));
    const job = pool.invoke('crunch', { n: 4 });
    const pause = await paused();
    expect(pause.params.hitBreakpoints).toHaveLength(1);
    expect(await valueIn(pause, 'sum')).toBe(4);
    await disabled(pause);
    expect(await job).toBe(5);
  });

  test('in a function that is sent is hit in its own file', async () => {
    const pool = poolOf();
    // Jest compiles files into others.
    const filename = join(__dirname, 'fixtures/sent.cjs');
    const { url, line } = placeOf('sent.cjs', 'breakpoint');
    const text = readFileSync(filename, 'utf8')
      .split('\n')
      .slice(line - 1, line + 3)
      .join('\n')
      .replace(/,$/, '');
    const padding = '\n'.repeat(line - 1);
    const fn = vm.runInThisContext(`${padding}(${text})`, { filename });
    const { paused } = await attach({ url, line });
    const job = pool.run(fn, { input: 21 });
    const pause = await paused();
    expect(pause.frame.location.lineNumber).toBe(line);
    expect(await valueIn(pause, 'input')).toBe(21);
    await pause.worker.post('Debugger.resume');
    expect(await job).toBe(42);
  });

  test.each(['worker', 'context', 'isolate'])(
    'is hit by each job, with isolation: %s',
    async (isolation) => {
      const pool = poolOf({ isolation });
      const { paused } = await attach(inModule());
      for (let round = 0; round < 3; round += 1) {
        const job = pool.invoke('crunch', { n: 1 });
        const pause = await paused();
        expect(pause.params.hitBreakpoints).toHaveLength(1);
        await pause.worker.post('Debugger.resume');
        expect(await job).toBe(1);
      }
    },
  );

  test('is hit in a worker that was there before, and slept', async () => {
    const pool = poolOf();
    expect(await pool.invoke('crunch', { n: 2 })).toBe(3);
    const { root, paused } = await attach(inModule());
    await workersIn(root);
    const job = pool.invoke('crunch', { n: 1 });
    await (await paused()).worker.post('Debugger.resume');
    expect(await job).toBe(1);
  });

  test('of a worker that starts waiting is hit in its first job', async () => {
    inspector = await openInspector({ port: 0, wait: true });
    const job = poolOf().invoke('crunch', { n: 1 });
    await sleep(300);
    const { paused } = await attach(inModule());
    await (await paused()).worker.post('Debugger.resume');
    expect(await job).toBe(1);
  });
});

test('a worker that is let go before it waits does not wait', async () => {
  const pool = poolOf();
  await pool.invoke('crunch', { n: 1 });
  const controller = new AbortController();
  const { signal } = controller;
  const busy = expect(pool.invoke('spin', null, { signal })).rejects.toThrow(
    'WORK_JOB_CANCELLED',
  );
  inspector = await openInspector({ port: 0, wait: true });
  const root = await connect(inspector.url);
  clients.push(root);
  const attached = new Promise((resolve) => {
    ownWorkersOf(root, (worker) => {
      worker.post('Runtime.runIfWaitingForDebugger');
      resolve();
    });
  });
  await root.post('NodeWorker.enable');
  await attached;
  // What the worker was sent waits for an isolate that can be debugged.
  await root.post('Runtime.enable');
  controller.abort();
  await busy;
  expect(await pool.invoke('crunch', { n: 2 })).toBe(3);
});

async function pausedLoop() {
  const pool = poolOf();
  const { paused, root } = await attach();
  const controller = new AbortController();
  const job = pool.invoke('spin', null, { signal: controller.signal });
  const [worker] = await workersIn(root);
  await spinning(worker);
  await worker.post('Debugger.pause');
  const pause = await paused();
  expect(pause.frame.functionName).toBe('spin');
  return { controller, job, pause, pool, root };
}

describe('an endless loop', () => {
  test('is paused, evaluates while it runs, and is cancelled', async () => {
    const { controller, job, pause, pool } = await pausedLoop();
    controller.abort();
    await expect(job).rejects.toThrow('WORK_JOB_CANCELLED');
    await disabled(pause);
    expect(await pool.invoke('crunch', { n: 2 })).toBe(3);
  });

  test('is cancelled although an expression runs while it is paused', async () => {
    const { controller, job, pause, pool, root } = await pausedLoop();
    // It fails when the job is cancelled, or is never answered.
    const evaluated = valueIn(pause, 'for (;;);');
    evaluated.catch(() => {});
    await root.post('Runtime.enable');
    controller.abort();
    await expect(job).rejects.toThrow('WORK_JOB_CANCELLED');
    expect(await pool.invoke('crunch', { n: 2 })).toBe(3);
  });

  test('goes on while what is evaluated there would pause', async () => {
    const { controller, job, pause } = await pausedLoop();
    const { worker } = pause;
    await worker.post('Debugger.resume');
    const { result } = await worker.post('Runtime.evaluate', {
      expression: '(() => { debugger; return 42; })()',
    });
    expect(result.value).toBe(42);
    // A debugger's own wish of before holds after it.
    await worker.post('Debugger.setSkipAllPauses', { skip: true });
    await worker.post('Runtime.evaluate', { expression: 'debugger' });
    await worker.post('Debugger.setSkipAllPauses', { skip: false });
    await worker.post('Debugger.pause');
    await worker.next('Debugger.resumed');
    controller.abort();
    await expect(job).rejects.toThrow('WORK_JOB_CANCELLED');
  });

  test('that is paused ends with the pool', async () => {
    const pool = poolOf();
    const { paused, root } = await attach();
    const job = pool.invoke('spin');
    const [worker] = await workersIn(root);
    await worker.post('Debugger.pause');
    await paused();
    const ended = expect(job).rejects.toThrow('SLOPPY_E_WORK');
    await pool.stop({ timeoutMs: 100 });
    await ended;
  });
});

describe('an endless expression', () => {
  const endless = { expression: 'for (;;);' };
  const ended = (answer) => answer.catch(() => {});

  async function goesOn(worker) {
    const last = async () =>
      (await worker.post('Runtime.evaluate', { expression: 'last' })).result
        .value;
    const before = await last();
    while ((await last()) === before);
  }

  test.each(['pauses', 'runs'])(
    'is ended by the debugger while a job %s, which goes on',
    async (how) => {
      const { controller, job, pause } = await pausedLoop();
      const { worker } = pause;
      if (how === 'runs') await worker.post('Debugger.resume');
      const evaluated = ended(
        how === 'runs'
          ? worker.post('Runtime.evaluate', endless)
          : valueIn(pause, endless.expression),
      );
      await worker.post('Runtime.terminateExecution');
      await evaluated;
      if (how === 'pauses') await worker.post('Debugger.resume');
      await goesOn(worker);
      // It may have begun.
      const late = ended(worker.post('Runtime.evaluate', endless));
      await sleep(50);
      await worker.post('Runtime.terminateExecution');
      await late;
      await goesOn(worker);
      controller.abort();
      await expect(job).rejects.toThrow('WORK_JOB_CANCELLED');
    },
  );

  test('is ended in a worker that waits for a debugger', async () => {
    inspector = await openInspector({ port: 0, wait: true });
    const job = poolOf().invoke('crunch', { n: 4 });
    const root = await connect(inspector.url);
    clients.push(root);
    const worker = await new Promise((resolve) => {
      ownWorkersOf(root, resolve);
      root.post('NodeWorker.enable');
    });
    const evaluated = ended(worker.post('Runtime.evaluate', endless));
    await worker.post('Runtime.terminateExecution');
    await evaluated;
    await worker.post('Runtime.runIfWaitingForDebugger');
    expect(await job).toBe(10);
  });

  test('ends with its debugger, as does what it held', async () => {
    const pool = poolOf();
    const { paused, root } = await attach(inModule());
    const job = pool.invoke('crunch', { n: 4 });
    const pause = await paused();
    // Nobody is there any more to be answered.
    valueIn(pause, endless.expression);
    await root.post('Runtime.enable');
    root.close();
    expect(await job).toBe(10);
    await expect(pool.invoke('spin', null, { timeoutMs: 200 })).rejects.toThrow(
      'WORK_JOB_TIMEOUT',
    );
  });
});

describe('limits of time', () => {
  const isOver = (job) => expect(job).rejects.toThrow('WORK_JOB_TIMEOUT');

  test('hold while nobody is paused, with the endpoint open', async () => {
    const pool = poolOf({ cpuLimitMs: 400 });
    inspector = await openInspector({ port: 0 });
    await Promise.all([
      isOver(pool.invoke('spin', null, { timeoutMs: 200 })),
      isOver(pool.invoke('spin', null, { timeoutMs: 250, priority: 1 })),
      isOver(pool.invoke('spin', null, { deadline: 300 })),
    ]);
    await expect(pool.invoke('spin')).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED',
    });
    expect(await pool.invoke('crunch', { n: 2 })).toBe(3);
  });

  test('stand still in a pause, and go on with what was left', async () => {
    const pool = poolOf();
    const { paused, root } = await attach();
    const others = [
      pool.invoke('spin', null, LIMITED),
      pool.invoke('spin', null, { ...LIMITED, priority: 1 }),
      pool.invoke('spin', null, { deadline: LIMITED.timeoutMs }),
    ];
    let settled = 0;
    const ended = others.map(async (job) => {
      await isOver(job);
      settled += 1;
    });
    const [worker] = await workersIn(root);
    await worker.post('Debugger.pause');
    const pause = await paused();
    await sleep(PAUSED_MS);
    expect(settled).toBe(0);
    await disabled(pause);
    await Promise.all(ended);
    expect(await pool.invoke('crunch', { n: 2 })).toBe(3);
  });

  test('go on after a pause of a worker that was waiting', async () => {
    inspector = await openInspector({ port: 0, wait: true });
    const pool = poolOf();
    const over = isOver(pool.invoke('spin', null, { timeoutMs: 200 }));
    const root = await connect(inspector.url);
    clients.push(root);
    const worker = await new Promise((resolve) => {
      ownWorkersOf(root, resolve);
      root.post('NodeWorker.enable');
    });
    await worker.post('Debugger.enable');
    const evaluated = worker.post('Runtime.evaluate', {
      expression: 'debugger; 1',
    });
    await worker.next('Debugger.paused');
    await worker.post('Debugger.resume');
    await evaluated;
    await worker.post('Debugger.disable');
    await worker.post('Runtime.runIfWaitingForDebugger');
    await over;
  });

  test('of a job that was sent in a pause begin after it', async () => {
    const pool = poolOf({ workers: 2 });
    const { paused } = await attach(inModule());
    const held = pool.invoke('crunch', { n: 4 }, LIMITED);
    const pause = await paused();
    const late = isOver(pool.invoke('spin', null, { timeoutMs: 200 }));
    await sleep(PAUSED_MS);
    await disabled(pause);
    expect(await held).toBe(10);
    await late;
  });
});

describe('a pause ends', () => {
  test('when the debugger vanishes', async () => {
    const pool = poolOf();
    const { root, paused } = await attach(inModule());
    const job = pool.invoke('crunch', { n: 4 });
    await paused();
    root.close();
    expect(await job).toBe(10);
  });

  test('by another debugger, which V8 tells of it', async () => {
    const pool = poolOf();
    const { root, paused } = await attach(inModule());
    const job = pool.invoke('crunch', { n: 1 });
    await paused();
    const other = await attach();
    const { worker } = await other.paused();
    root.close();
    await worker.post('Debugger.resume');
    expect(await job).toBe(1);
  });

  test('when the endpoint is closed, and nothing of it is left', async () => {
    const before = liveCounts();
    const pool = poolOf();
    const { paused } = await attach(inModule());
    const job = pool.invoke('crunch', { n: 4 });
    await paused();
    await inspector.close();
    expect(await job).toBe(10);
    await pool.stop();
    expect(liveCounts()).toEqual(before);
  });
});

describe('a program', () => {
  const programs = [];
  afterEach(() => {
    for (const program of programs.splice(0)) program.kill();
  });

  async function pausedProgram(how) {
    const program = debugged('busy.cjs', [how], []);
    programs.push(program);
    const root = await connect(await program.url);
    clients.push(root);
    const worker = await new Promise((resolve) => {
      workersOf(root, resolve);
      root.post('NodeWorker.enable');
    });
    await worker.post('Debugger.enable');
    await worker.post('Debugger.pause');
    await worker.next('Debugger.paused');
    program.child.stdin.write('go\n');
    return { program, worker };
  }

  test('may leave while a worker is paused', async () => {
    const { program } = await pausedProgram('leaves');
    expect((await program.ended).code).toBe(0);
  });

  test('that is busy itself is debugged all the same', async () => {
    const { worker } = await pausedProgram('blocked');
    // The first pauses may come before the function is called.
    let at;
    while (at !== 'spin') {
      await worker.post('Debugger.resume');
      await worker.post('Debugger.pause');
      const { callFrames } = await worker.next('Debugger.paused');
      at = callFrames[0].functionName;
    }
  });
});
