'use strict';

const { execFileSync } = require('node:child_process');
const path = require('node:path');

const { runNode } = require('../../support/run-node.js');

const { execPath, platform } = process;
const onLinux = platform === 'linux' ? test : test.skip;

onLinux('a worker takes no descriptor before it has to wait', () => {
  // Nobody else makes or ends a loop meanwhile in a process of its own.
  const script = `
    const { readdirSync, readlinkSync } = require('node:fs');
    const { WorkerPool } = require('./lib/index.js');
    const kindOf = (descriptor) => {
      try {
        return readlinkSync('/proc/self/fd/' + descriptor);
      } catch {
        return ''; // The one that lists them.
      }
    };
    const isLoop = (descriptor) => kindOf(descriptor).endsWith('[eventpoll]');
    const count = () => readdirSync('/proc/self/fd').filter(isLoop).length;
    const jobs = [
      () => 1,
      async () => { clearTimeout(1); await null; return 1; },
      () => new Promise((resolve) => setTimeout(resolve, 1)),
    ];
    (async () => {
      const pool = WorkerPool.create('pool', { workers: 1 });
      const before = count();
      const counts = [];
      for (const job of jobs) {
        await pool.run(job);
        counts.push(count() - before);
      }
      await pool.stop();
      console.log(JSON.stringify([...counts, count() - before]));
    })();`;
  const [atOnce, promised, timed, stopped] = JSON.parse(
    runNode(['-e', script]),
  );
  expect([atOnce, promised, timed, stopped]).toEqual([0, 0, 1, 0]);
});

onLinux('a worker that finds no descriptor waits for one', () => {
  const script = `
    const { openSync, closeSync } = require('node:fs');
    const { WorkerPool } = require('./lib/index.js');
    const sleep = () => new Promise((resolve) => setTimeout(resolve, 1, 'slept'));
    (async () => {
      const pool = WorkerPool.create('pool', { workers: 1 });
      await pool.run(() => 1);
      const taken = [];
      try {
        for (;;) taken.push(openSync('/dev/null'));
      } catch (error) {
        if (error.code !== 'EMFILE') throw error;
      }
      const answers = [];
      await pool
        .run(sleep, { timeoutMs: 20 })
        .catch((error) => answers.push(error.code));
      answers.push(await pool.run(() => 2));
      const slept = pool.run(sleep);
      for (const descriptor of taken) closeSync(descriptor);
      answers.push(await slept);
      await pool.stop();
      console.log(JSON.stringify(answers));
    })();`;
  const printed = execFileSync(
    'sh',
    ['-c', 'ulimit -n 256 && exec "$0" -e "$1"', execPath, script],
    {
      cwd: path.join(__dirname, '../../../..'),
      encoding: 'utf8',
      stdio: 'pipe',
    },
  );
  expect(JSON.parse(printed)).toEqual([
    'SLOPPY_E_WORK_JOB_TIMEOUT',
    2,
    'slept',
  ]);
});
