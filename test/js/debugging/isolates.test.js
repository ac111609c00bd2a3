'use strict';
// Breakpoints in isolates, and code without end, through the endpoint of
// openInspector().

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const vm = require('node:vm');

const { openInspector } = require('../../../lib/index.js');
const {
  attach,
  disabled,
  endAll,
  ends,
  inModule,
  ownWorkersOf,
  pausedLoop,
  poolOf,
  sleep,
  spinning,
  valueIn,
  workersIn,
} = require('./attached.js');
const { connect, placeOf, targetsOf, workersOf } = require('./support.js');

afterEach(endAll);

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
    // Three more turns of the first job and two of the second stopped there.
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
    ends.inspector = await openInspector({ port: 0, wait: true });
    const job = poolOf().invoke('crunch', { n: 1 });
    await sleep(300);
    const { paused } = await attach(inModule());
    await (await paused()).worker.post('Debugger.resume');
    expect(await job).toBe(1);
  });
});

/** A job whose worker waits for the debugger. */
async function waitingJob() {
  ends.inspector = await openInspector({ port: 0, wait: true });
  const job = poolOf().invoke('crunch', { n: 4 });
  const root = await connect(ends.inspector.url);
  ends.clients.push(root);
  const worker = await new Promise((resolve) => {
    ownWorkersOf(root, resolve);
    root.post('NodeWorker.enable');
  });
  return { job, worker };
}

// V8 calls a module's function when it links it. A step from a pause there ended
// the process.
test.each(['stepOver', 'stepOut', 'stepInto'])(
  'a pause before a module runs comes when it does, and %s goes on',
  async (step) => {
    const { job, worker } = await waitingJob();
    const places = [];
    worker.on('Debugger.paused', ({ callFrames: [frame] }) => {
      places.push(frame.location.lineNumber);
      const next = places.length < 3 ? step : 'resume';
      worker.post(`Debugger.${next}`).catch(() => {});
    });
    await worker.post('Debugger.enable');
    await worker.post('Debugger.pause');
    await worker.post('Runtime.runIfWaitingForDebugger');
    expect(await job).toBe(10);
    // Its last line is the first that does something.
    expect(places[0]).toBeGreaterThan(inModule().line);
  },
);

test('a worker that is let go before it waits does not wait', async () => {
  const pool = poolOf();
  await pool.invoke('crunch', { n: 1 });
  const controller = new AbortController();
  const { signal } = controller;
  const busy = expect(pool.invoke('spin', null, { signal })).rejects.toThrow(
    'WORK_JOB_CANCELLED',
  );
  ends.inspector = await openInspector({ port: 0, wait: true });
  const root = await connect(ends.inspector.url);
  ends.clients.push(root);
  const attached = new Promise((resolve) => {
    ownWorkersOf(root, (worker) => {
      worker.post('Runtime.runIfWaitingForDebugger');
      resolve();
    });
  });
  await root.post('NodeWorker.enable');
  await attached;
  // A message to the worker waits for an isolate that can be debugged.
  await root.post('Runtime.enable');
  controller.abort();
  await busy;
  expect(await pool.invoke('crunch', { n: 2 })).toBe(3);
});

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

  test('does not pause if its debugger says so, and is cancelled', async () => {
    const pool = poolOf();
    const { root } = await attach();
    const job = pool.invoke('halt');
    const [worker] = await workersIn(root);
    await spinning(worker);
    // Each message is read in an interrupt, in which nothing may pause.
    await worker.post('Debugger.setSkipAllPauses', { skip: true });
    const paused = worker.next('Debugger.paused').then(() => 'paused');
    await worker.post('Runtime.evaluate', { expression: 'goesOn = true' });
    expect(await Promise.race([job, paused])).toBe('over');
    await worker.post('Runtime.evaluate', { expression: 'last = undefined' });
    const controller = new AbortController();
    const endless = pool.invoke('spin', null, { signal: controller.signal });
    await spinning(worker);
    controller.abort();
    await expect(endless).rejects.toThrow('WORK_JOB_CANCELLED');
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

  // The next message is read when the job has ended, not in the midst of that.
  test.each([
    ['is cancelled', 'for (;;);'],
    ['exits', 'process.exit(3);'],
  ])('and its job, which %s, leave the process alone', async (_how, end) => {
    const { controller, job, pause, pool } = await pausedLoop();
    const { worker } = pause;
    const { result } = await worker.post('Runtime.evaluate', {
      expression: 'globalThis',
    });
    const { objectId } = result;
    await worker.post('Debugger.resume');
    const begun = worker.next('Runtime.consoleAPICalled');
    // It fails when the job has ended, or is never answered.
    ended(
      worker.post('Runtime.evaluate', {
        expression: `console.log('begun'); ${end}`,
      }),
    );
    const asked = ended(worker.post('Runtime.getProperties', { objectId }));
    await begun;
    // One of the two ends comes first.
    controller.abort();
    await expect(job).rejects.toThrow(/JOB_CANCELLED|WORKER_CRASHED/);
    await asked;
    expect(await pool.invoke('crunch', { n: 2 })).toBe(3);
  });

  test('is ended in a worker that waits for a debugger', async () => {
    const { job, worker } = await waitingJob();
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
