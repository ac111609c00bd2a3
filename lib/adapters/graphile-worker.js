'use strict';

const { GIVEN_BACK, errorOfJob } = require('./engines/outcome.js');
const { readPoolHandler } = require('./engines/pool-options.js');
const { checkType } = require('./engines/read-options.js');

const quoted = (schema) => `"${schema.replaceAll('"', '""')}"`;

/**
 * Changes the running job's columns, by which graphile-worker decides after the
 * error that follows. Its own functions leave locked jobs alone.
 */
async function change({ job, query }, schema, assignment) {
  const table = `${quoted(schema)}._private_jobs`;
  try {
    await query(`update ${table} set ${assignment} where id = $1`, [job.id]);
  } catch {
    // The job is then retried as after any other error.
  }
}

/**
 * Tasks for `run({ taskList })` that run in a pool.
 *
 * @param {WorkerPool} pool made with `module`; its exports are the tasks
 * @param {string[]} names of the tasks
 * @param {object} [options] `timeoutMs`, `retry`, `task`, `schema`: see
 *   docs/graphile-worker.md
 * @returns {Record<string, Function>}
 * @throws {TypeError}
 */
function taskList(pool, names, options = undefined) {
  const settings = readPoolHandler('taskList', pool, options, ['schema']);
  const { schema = 'graphile_worker' } = settings;
  checkType('taskList', 'schema', schema, 'string');
  if (!Array.isArray(names) || !names.every((n) => typeof n === 'string')) {
    throw new TypeError('taskList names must be an array of strings.');
  }

  async function run(name, payload, helpers) {
    const { abortSignal, job } = helpers;
    try {
      await pool.invoke(settings.taskOf(job, name), payload, {
        signal: abortSignal,
        timeoutMs: settings.timeoutOf(job),
      });
    } catch (reason) {
      const error = errorOfJob(reason);
      if (abortSignal?.aborted || GIVEN_BACK.has(reason?.code)) {
        await change(helpers, schema, 'attempts = greatest(0, attempts - 1)');
      } else if (!settings.retry(error)) {
        await change(helpers, schema, 'max_attempts = attempts');
      }
      throw error;
    }
  }

  const tasks = names.map((name) => [
    name,
    (payload, helpers) => run(name, payload, helpers),
  ]);
  return Object.fromEntries(tasks);
}

module.exports = { taskList };
