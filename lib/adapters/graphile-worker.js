'use strict';

const { GIVEN_BACK, errorOfJob } = require('./engines/outcome.js');
const { readPoolHandler } = require('./engines/pool-options.js');
const { checkType } = require('./engines/read-options.js');
const { UnlockedCalls } = require('./graphile-worker/unlocked-calls.js');

const quoted = (schema) => `"${schema.replaceAll('"', '""')}"`;

/**
 * Takes back the attempt of a job that graphile-worker's shutdown has aborted.
 * In its own table, because it leaves such a job locked, and its functions leave
 * locked jobs alone: a job of one attempt would be lost with each rollout.
 */
async function uncount({ job, query }, schema) {
  const table = `${quoted(schema)}._private_jobs`;
  const change = 'attempts = greatest(0, attempts - 1)';
  try {
    await query(`update ${table} set ${change} where id = $1`, [job.id]);
  } catch {
    // Its attempt counts then.
  }
}

/** Puts the job back, without counting its attempt. */
const giveBack = (schema, { id, attempts }) => ({
  text:
    `select id from ${quoted(schema)}.reschedule_jobs(job_ids => ` +
    'array[$1::bigint], run_at => now(), attempts => $2::integer)',
  values: [id, Math.max(0, attempts - 1)],
});

/** Leaves the job no attempts. */
const failForGood = (schema, { id }, { message }) => ({
  text:
    `select id from ${quoted(schema)}.permanently_fail_jobs(job_ids => ` +
    'array[$1::bigint], error_message => $2::text)',
  values: [id, message],
});

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

  // A list of tasks may serve several runners, each with its own connections.
  const calls = new WeakMap();
  const afterwards = ({ withPgClient }, call) => {
    if (!calls.has(withPgClient)) {
      calls.set(withPgClient, new UnlockedCalls(withPgClient));
    }
    return calls.get(withPgClient).add(call);
  };

  async function run(name, payload, helpers) {
    const { abortSignal, job } = helpers;
    try {
      await pool.invoke(settings.taskOf(job, name), payload, {
        signal: abortSignal,
        timeoutMs: settings.timeoutOf(job),
      });
    } catch (reason) {
      const error = errorOfJob(reason);
      if (abortSignal?.aborted) {
        await uncount(helpers, schema);
      } else if (GIVEN_BACK.has(reason?.code)) {
        await afterwards(helpers, giveBack(schema, job));
      } else if (!settings.retry(error)) {
        await afterwards(helpers, failForGood(schema, job, error));
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
