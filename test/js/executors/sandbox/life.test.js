'use strict';
// No process is left, whichever side dies.

const { execFileSync, spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');

const { childrenOf, describeHere, isAlive, started } = require('./support.js');
const { folderWith, removeFolders } = require('../../modules/support.js');
const { WorkerPool } = require('../../../../lib/index.js');

const LIBRARY = path.join(__dirname, '../../../../lib/index.js');
const CHILDREN = path.join(__dirname, '../../../sandbox/children.js');
const TIME = { runTimeoutMs: 20_000 };

const isThere = (pid) => fs.existsSync(`/proc/${pid}`);

afterAll(removeFolders);

async function untilGone(pids) {
  while (pids.some(isAlive)) await sleep(10);
}

function outputOf(program) {
  try {
    const options = { stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync(process.execPath, ['-e', program], options).toString();
  } catch (error) {
    return error.stdout.toString();
  }
}

// Prints the processes of two endless jobs.
const OWNER = `
  const { childrenOf, started } = require(${JSON.stringify(CHILDREN)});
  const { WorkerPool } = require(${JSON.stringify(LIBRARY)});
  const pool = WorkerPool.create('endless', {
    workers: 2, runTimeoutMs: 60000, sandbox: true,
  });
  let begun = 0;
  const onMessage = () => {
    begun += 1;
    if (begun < 2) return;
    const pids = started().flatMap(({ pid }) => [pid, ...childrenOf(pid)]);
    console.log(pids.join(' '));
    setImmediate(END);
  };
  const endless = ({ emit }) => {
    emit(1);
    for (;;);
  };
  pool.run(endless, { onMessage }).catch(() => {});
  pool.run(endless, { onMessage }).catch(() => {});
`;

describeHere('life', () => {
  test.each([
    ['SIGKILL', "() => process.kill(process.pid, 'SIGKILL')"],
    ['process.exit', '() => process.exit(0)'],
    ['an error', "() => { throw new Error('end'); }"],
  ])('the owner ends by %s while jobs loop', async (_name, end) => {
    const text = outputOf(OWNER.replace('END', end));
    const pids = text.trim().split(' ').map(Number);
    expect(pids.length).toBeGreaterThanOrEqual(2);
    expect(pids).not.toContain(0);
    await untilGone(pids);
  });

  test('a Worker that owns a pool ends while jobs loop', async () => {
    const program = `
      const { Worker } = require('node:worker_threads');
      const own = ${JSON.stringify(OWNER)}.replace('END', '() => {}');
      const owner = new Worker(own, { eval: true });
      process.stdin.once('data', () => owner.terminate());`;
    const main = spawn(process.execPath, ['-e', program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [text] = await once(main.stdout, 'data');
    const pids = String(text).trim().split(' ').map(Number);
    expect(pids.filter(isAlive)).toEqual(pids);
    main.stdin.write('terminate');
    // The process that started it lives on, and no zombie stays in it.
    while (pids.some(isThere)) await sleep(10);
    expect(main.exitCode).toBe(null);
    main.kill('SIGKILL');
  });

  test('an owner that has nothing to do waits for no greeting', async () => {
    const text = outputOf(`
      const cp = require('node:child_process');
      const { spawn } = cp;
      let starts = 0;
      cp.spawn = (...given) => {
        const child = spawn(...given);
        starts += 1;
        if (starts < 2) return child;
        process.kill(child.pid, 'SIGSTOP');
        console.log(child.pid);
        const { kill } = child;
        child.kill = (...signal) => {
          console.log('the time is over');
          return Reflect.apply(kill, child, signal);
        };
        return child;
      };
      const { WorkerPool } = require(${JSON.stringify(LIBRARY)});
      const pool = WorkerPool.create('spare', {
        workers: 1, runTimeoutMs: 60000, sandbox: { spares: 1 },
      });
      process.once('beforeExit', () => console.log('nothing to do'));
      pool.run(() => 1);`);
    const [pid, ...said] = text.trim().split('\n');
    // It learns of its owner's end when it goes on.
    process.kill(Number(pid), 'SIGCONT');
    expect(said[0]).toBe('nothing to do');
    await untilGone([Number(pid)]);
  });

  test('many crashes leave neither processes nor descriptors', async () => {
    const pool = WorkerPool.create('crashes', { ...TIME, sandbox: true });
    const crash = () => process.exit(1);
    const descriptors = () => fs.readdirSync('/proc/self/fd').length;
    for (let i = 0; i < 5; i += 1) await pool.run(crash).catch(() => {});
    const before = descriptors();
    for (let i = 0; i < 30; i += 1) {
      const { code } = await pool.run(crash).catch((error) => error);
      expect(code).toBe('SLOPPY_E_WORKER_CRASHED');
    }
    // Those of a spare that has just been started.
    expect(descriptors()).toBeLessThan(before + 12);
    await pool.stop();
    expect(started().filter(({ pid }) => isAlive(pid))).toEqual([]);
  });

  test.each([0, 1, 30, 150])('stop() %i ms after the start', async (ms) => {
    const pool = WorkerPool.create('stopped', { ...TIME, sandbox: true });
    const running = pool.run(() => 1).catch(() => {});
    await sleep(ms);
    await pool.stop({ drain: false, timeoutMs: 1000 });
    await running;
    expect(started().filter(({ pid }) => isAlive(pid))).toEqual([]);
  });

  test('a process that stands still ends by the clock of its owner', async () => {
    const pool = WorkerPool.create('still', {
      // The message comes within it on a busy machine as well.
      runTimeoutMs: 3000,
      sandbox: true,
    });
    let stopped = false;
    const running = pool.run(
      ({ emit }) => {
        emit(1);
        for (;;);
      },
      {
        onMessage: () => {
          for (const { pid } of started()) {
            if (!isAlive(pid)) continue;
            const inner = childrenOf(pid);
            for (const each of [...inner, pid]) process.kill(each, 'SIGSTOP');
          }
          stopped = true;
        },
      },
    );
    const { code } = await running.catch((error) => error);
    expect(stopped).toBe(true);
    expect(code).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
    await pool.stop();
    expect(started().filter(({ pid }) => isAlive(pid))).toEqual([]);
  });

  test('a start that stands still ends by the clock of its owner', async () => {
    const folder = folderWith({
      'init.mjs':
        "export const init = () => { console.log('begun'); for (;;); };",
    });
    const module = path.join(folder, 'init.mjs');
    const ends = [];
    const pools = [];
    // Its limit counts, not when it has begun, nor that of all starts.
    const begin = async (timeoutMs) => {
      const pool = WorkerPool.create('start', {
        runTimeoutMs: 60_000,
        workers: 1,
        sandbox: { spares: 0 },
        init: { module, timeoutMs },
      });
      pools.push(pool);
      const isStill = new Promise((resolve) => {
        pool.on('output', () => {
          const { pid } = started().at(-1);
          for (const each of [...childrenOf(pid), pid]) {
            process.kill(each, 'SIGSTOP');
          }
          resolve();
        });
      });
      const end = pool
        .run(() => 1)
        .catch(({ code }) => {
          ends.push([timeoutMs, code]);
        });
      await isStill;
      return { end };
    };
    await begin(600_000);
    const { end } = await begin(1500);
    await end;
    expect(ends).toEqual([[1500, 'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED']]);
    const options = { drain: false, timeoutMs: 0 };
    await Promise.all(pools.map((pool) => pool.stop(options)));
    expect(started().filter(({ pid }) => isAlive(pid))).toEqual([]);
  });

  test('the environment of the owner is not in the process', async () => {
    const pool = WorkerPool.create('bare', { ...TIME, sandbox: true });
    expect(Object.keys(process.env).length).toBeGreaterThan(2);
    await expect(pool.run(() => process.env)).resolves.toEqual({});
    await expect(pool.run(() => process.pid)).resolves.toBe(1);
    await pool.stop();
  });
});
