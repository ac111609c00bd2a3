'use strict';
// Limits of time while a worker is paused, and how a pause ends.

const { openInspector } = require('../../../lib/index.js');
const { liveCounts } = require('../../../lib/addon/load.js');
const {
  attach,
  disabled,
  endAll,
  ends,
  inModule,
  ownWorkersOf,
  poolOf,
  sleep,
  workersIn,
} = require('./attached.js');
const { connect, debugged, grownSince, workersOf } = require('./support.js');

afterEach(endAll);

// Beyond the time limit of the jobs, and beyond what they are given then.
const PAUSED_MS = 4500;
// A pause takes a while to begin on a busy machine.
const LIMITED = { timeoutMs: 4000 };

describe('limits of time', () => {
  const isOver = (job) => expect(job).rejects.toThrow('WORK_JOB_TIMEOUT');

  test('hold while nobody is paused, with the endpoint open', async () => {
    const pool = poolOf({ cpuLimitMs: 400 });
    ends.inspector = await openInspector({ port: 0 });
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
    ends.inspector = await openInspector({ port: 0, wait: true });
    const pool = poolOf();
    const over = isOver(pool.invoke('spin', null, { timeoutMs: 200 }));
    const root = await connect(ends.inspector.url);
    ends.clients.push(root);
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
    await ends.inspector.close();
    expect(await job).toBe(10);
    await pool.stop();
    expect(grownSince(before)).toEqual([]);
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
    ends.clients.push(root);
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
