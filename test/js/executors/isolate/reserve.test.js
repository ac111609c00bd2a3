'use strict';

// lib/executors/isolate/reserve.js: where every job gets a realm or isolate of its own,
// a worker in reserve makes it meanwhile. Callers see nothing of that but the
// time.
const { WorkerPool } = require('../../../../lib/index.js');

/** The number of a pool's jobs that run at a time, as the jobs tell it. */
function watch() {
  const seen = { running: 0, most: 0, host: null };
  seen.host = {
    enter: () => {
      seen.running += 1;
      seen.most = Math.max(seen.most, seen.running);
    },
    leave: () => {
      seen.running -= 1;
    },
  };
  return seen;
}

const visit = async ({ host, input }) => {
  const marked = globalThis.mark;
  globalThis.mark = input;
  await host.enter();
  await host.leave();
  return marked === undefined;
};

describe.each(['context', 'isolate'])('isolation %s', (isolation) => {
  test.each([1, 2])('%i at a time, each in a new one', async (workers) => {
    const seen = watch();
    const pool = WorkerPool.create('reserve', {
      isolation,
      workers,
      maxQueued: 100,
      host: seen.host,
    });
    const runs = Array.from({ length: 40 }, (_, input) =>
      pool.run(visit, { input }),
    );
    expect(await Promise.all(runs)).toEqual(runs.map(() => true));
    expect(seen.most).toBeLessThanOrEqual(workers);
    await pool.stop();
  });

  test('a job that never ends does not let another run beside it', async () => {
    const pool = WorkerPool.create('reserve', { isolation, workers: 1 });
    await pool.run(() => 1);
    const controller = new AbortController();
    const endless = pool.run(
      () => {
        for (;;) {}
      },
      { signal: controller.signal },
    );
    let early = true;
    const next = pool.run(() => 2).then((value) => [value, early]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    early = false;
    controller.abort();
    await expect(endless).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_CANCELLED',
    });
    expect(await next).toEqual([2, false]);
    await pool.stop();
  });

  test('paused, made larger and smaller', async () => {
    const seen = watch();
    const pool = WorkerPool.create('reserve', {
      isolation,
      workers: 1,
      maxQueued: 100,
      host: seen.host,
    });
    const many = () =>
      Promise.all(Array.from({ length: 12 }, () => pool.run(visit)));
    await many();
    pool.pause();
    const later = many();
    expect(seen.running).toBe(0);
    pool.resize(3);
    pool.resume();
    await later;
    pool.resize(1);
    seen.most = 0;
    await many();
    expect(seen.most).toBe(1);
    await pool.stop();
  });
});
