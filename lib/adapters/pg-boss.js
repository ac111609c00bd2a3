'use strict';

const { errorOfJob } = require('./engines/outcome.js');
const { readPoolHandler } = require('./engines/pool-options.js');

/** Milliseconds by which a job is ended before pg-boss declares it expired. */
const MARGIN_MS = 250;
const MS_PER_SECOND = 1000;

const outputOf = ({ name, message, code, stack }) => ({
  ...{ name, message, stack },
  ...(code === undefined ? {} : { code }),
});

/** The earlier of the caller's limit and pg-boss's own. */
function limitOf({ expireInSeconds }, timeoutMs = Infinity) {
  const ofEngine = expireInSeconds * MS_PER_SECOND - MARGIN_MS;
  const limit = Math.min(timeoutMs, Math.max(1, ofEngine || Infinity));
  return Number.isFinite(limit) ? limit : undefined;
}

/**
 * A handler for `boss.work(queue, { perJobResults: true }, …)` that runs the
 * jobs of a batch in a pool. Each job ends by itself, in its own time.
 *
 * @param {WorkerPool} pool made with `module`; its exports are the tasks
 * @param {object} [options] `task`, `timeoutMs`, `retry`: docs/pg-boss.md
 * @returns {(jobs: object[]) => Promise<object[]>}
 * @throws {TypeError}
 */
function handler(pool, options = undefined) {
  const settings = readPoolHandler('handler', pool, options);

  async function run(job) {
    try {
      const task = settings.taskOf(job, job.name);
      const output = await pool.invoke(task, job.data, {
        signal: job.signal,
        timeoutMs: limitOf(job, settings.timeoutOf(job)),
      });
      return { id: job.id, status: 'completed', output };
    } catch (reason) {
      const error = errorOfJob(reason);
      const status = settings.retry(error) ? 'failed' : 'deadletter';
      return { id: job.id, status, output: outputOf(error) };
    }
  }

  return (jobs) => Promise.all(jobs.map(run));
}

module.exports = { handler };
