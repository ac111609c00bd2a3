'use strict';
// A sandbox's process as seen from outside, and an owner or a process that does
// not read.

const fs = require('node:fs');

const { endsWithFew, leftWithFew } = require('../few-descriptors.js');
const {
  childrenOf,
  codeOf,
  describeHere,
  isAlive,
  sandboxes,
  started,
} = require('./support.js');

const MB = 2 ** 20;
const CRASHED = 'SLOPPY_E_WORKER_CRASHED';

// The process that runs jobs: in a namespace of its own its parent only tells
// how it has ended.
const innermost = (pid) => childrenOf(pid).at(-1) ?? pid;
const living = () =>
  started().flatMap(({ pid }) => (isAlive(pid) ? [innermost(pid)] : []));

function memoryOf(pid) {
  const text = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/RssAnon:\s+(\d+)/.exec(text)[1]) * 1024;
}

const pause = (ms) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describeHere('from outside', () => {
  const createPool = sandboxes();

  // Only root reads the descriptors of a process that cannot be dumped.
  const asRoot = process.getuid?.() === 0 ? test : test.skip;
  asRoot(
    'a process has its three descriptors, and none of the owner',
    async () => {
      const pool = createPool({ workers: 1 });
      await pool.run(() => 1, { key: 'a' });
      const [pid] = living();
      const links = fs
        .readdirSync(`/proc/${pid}/fd`)
        .map((fd) => fs.readlinkSync(`/proc/${pid}/fd/${fd}`));
      expect(links.length).toBeLessThanOrEqual(3);
      expect(links.filter((each) => !/^(socket|pipe):/.test(each))).toEqual([]);
    },
  );

  test('SIGKILL by the system is one job’s error, with its hint', async () => {
    const pool = createPool({ workers: 1, sandbox: { spares: 0 } });
    const onMessage = () => {
      for (const pid of living()) process.kill(pid, 'SIGKILL');
    };
    const endless = ({ emit }) => {
      emit(1);
      for (;;);
    };
    const error = await pool.run(endless, { onMessage }).catch((each) => each);
    expect(error.code).toBe(CRASHED);
    expect(error.cause.message).toMatch(/memory/);
    expect(error.cause.signal).toBe('SIGKILL');
    await expect(pool.run(() => 1)).resolves.toBe(1);
  });

  test('so it is of a process that starts', async () => {
    const pool = createPool({ workers: 1, sandbox: { spares: 0 } });
    const running = pool.run(() => 1).catch((each) => each);
    process.kill(started().at(-1).pid, 'SIGKILL');
    const error = await running;
    expect(error.code).toBe(CRASHED);
    expect(error.cause.signal).toBe('SIGKILL');
    await expect(pool.run(() => 1)).resolves.toBe(1);
    const { layers } = await pool.sandbox();
    expect(layers.seccomp).toBe(true);
    // One that asks waits for no process that does not come.
    const asked = createPool({ workers: 1, sandbox: { spares: 0 } });
    const state = codeOf(asked.sandbox());
    process.kill(started().at(-1).pid, 'SIGKILL');
    expect(await state).toBe(CRASHED);
    expect((await asked.sandbox()).layers.seccomp).toBe(true);
  });

  test('two keys in turn: neither sees what the other has left', async () => {
    const pool = createPool({ workers: 2 });
    const leave = ({ input }) => {
      const { mine } = globalThis;
      globalThis.mine = input;
      Object.prototype.left = input;
      Array.prototype.at = () => input;
      return [mine, {}.left, [].at(0)];
    };
    const wrong = [];
    for (let i = 0; i < 1000; i += 1) {
      const key = `tenant ${i % 2}`;
      const seen = await pool.run(leave, { input: key, key });
      if (i > 1 && !seen.every((each) => each === key)) wrong.push([key, seen]);
    }
    expect(wrong).toEqual([]);
    expect({}.left).toBeUndefined();
  });

  test('a job waits for an owner that does not read', async () => {
    const pool = createPool({ workers: 1, runTimeoutMs: 60_000 });
    const text = 'x'.repeat(10_000);
    const sizes = [];
    let heard = 0;
    const onMessage = () => {
      heard += 1;
      if (heard !== 10) return;
      const [pid] = living();
      // This thread is blocked meanwhile.
      for (let i = 0; i < 10; i += 1) {
        pause(50);
        sizes.push(memoryOf(pid));
      }
    };
    const talk = ({ emit, input }) => {
      for (let i = 0; i < 5000; i += 1) emit(input);
      return 'said';
    };
    await expect(pool.run(talk, { input: text, onMessage })).resolves.toBe(
      'said',
    );
    expect(heard).toBe(5000);
    // The message says 50 MB.
    expect(Math.max(...sizes)).toBeLessThan(40 * MB);
  });

  test('answers of 40 MB to a process that does not read them', async () => {
    const pool = createPool({
      workers: 1,
      runTimeoutMs: 3000,
      host: { big: () => 'x'.repeat(MB) },
    });
    const deaf = ({ host }) => {
      for (let i = 0; i < 40; i += 1) host.big().catch(() => {});
      for (;;);
    };
    const code = await codeOf(pool.run(deaf));
    expect([CRASHED, 'SLOPPY_E_WORK_JOB_TIMEOUT']).toContain(code);
    await expect(pool.run(() => 1, { runTimeoutMs: 60_000 })).resolves.toBe(1);
  });

  test('few descriptors: each job has a value or one code', () => {
    const options = { workers: 2, sandbox: true, runTimeoutMs: 20000 };
    const refused = new Array(4).fill('SLOPPY_E_WORKER_POOL_UNAVAILABLE');
    expect(endsWithFew(22, options)).toEqual(refused);
    expect(endsWithFew(64, options)).toEqual([1, 1, 1, 1]);
  });

  test('few descriptors: a start that fails leaves none open', () => {
    const options = { workers: 1, sandbox: { spares: 0 }, runTimeoutMs: 20000 };
    const left = [];
    // At which of them a start fails, and how, is Node's.
    for (let limit = 22; limit < 34; limit += 1) {
      const { ends, sockets } = leftWithFew(limit, options);
      left.push(sockets);
      const refused = 'SLOPPY_E_WORKER_POOL_UNAVAILABLE';
      for (const end of ends) expect([1, refused]).toContain(end);
    }
    expect(left).toEqual(new Array(12).fill(0));
  });
});
