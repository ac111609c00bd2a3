// Jobs that would take a process down, or hold it for ever.

import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { SloppyWorkerError } from 'sloppy-workers';
import { explain, formatMs, say } from './report.mjs';

const outside = 'a variable of the main thread';

const badJobs = [
  {
    title: 'A job that loops for ever, with timeoutMs: 250',
    job: () => {
      for (;;) {
        // Nothing in here ever looks at a clock.
      }
    },
    options: { timeoutMs: 250 },
  },
  {
    title: 'A job that keeps everything it makes, in 128 MB (the default)',
    job: () => {
      const log = [];
      for (;;) log.push({ id: log.length, tags: ['never', 'let', 'go'] });
    },
    options: { timeoutMs: 30_000 },
  },
  {
    title: 'A job that uses a variable of the code around it',
    job: () => outside.length,
  },
];

async function failureOf(pool, { job, options }) {
  try {
    await pool.run(job, options);
  } catch (error) {
    return error;
  }
  throw new Error('a job that cannot end well ended well');
}

export async function tryBadJobs(pool) {
  for (const bad of badJobs) {
    say(`  ${bad.title}:`);
    const started = performance.now();
    const error = await failureOf(pool, bad);
    const ms = performance.now() - started;
    assert.ok(error instanceof SloppyWorkerError);
    explain(error);
    const answer = await pool.run(({ input }) => input.six * input.seven, {
      input: { six: 6, seven: 7 },
    });
    assert.equal(answer, 42);
    say(`    settled in ${formatMs(ms)}; the pool goes on: 6 * 7 = ${answer}`);
  }
}
