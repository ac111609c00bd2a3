'use strict';

const { existsSync } = require('node:fs');

const { CliError, Exit, fileError, usageError } = require('./exit.js');
const { print } = require('./terminal.js');
const { count, countOrNone, duration } = require('./values.js');

const EXAMPLES = `
Examples:
  $ sloppy-workers queue add video resize --connection jobs.db --data '{"width":80}' --id video-17
  $ sloppy-workers queue list video --connection jobs.db --state failed
  $ sloppy-workers queue retry video --connection jobs.db
  $ sloppy-workers queue drain video --connection redis://redis --delayed
`;

const STATES = [
  'waiting',
  'prioritized',
  'active',
  'delayed',
  'completed',
  'failed',
  'waiting-children',
];

const FIELDS = [
  'id',
  'name',
  'attemptsMade',
  'progress',
  'failedReason',
  'timestamp',
  'finishedOn',
];

const RETRIES = 3;
const RETRY_MS = 200;

/** A server that is away is told, not waited for. */
const ONCE = {
  connectTimeout: 5000,
  maxRetriesPerRequest: RETRIES,
  retryStrategy: (tries) => (tries > RETRIES ? null : RETRY_MS),
};

const CONNECTION_CLOSED = 'Connection is closed.';

function unreachable(error) {
  const reason = error?.code ?? error?.message ?? CONNECTION_CLOSED;
  return new CliError(
    'SLOPPY_CLI_STORE',
    `the queue's server cannot be reached: ${reason}`,
    { exit: Exit.Environment, cause: error },
  );
}

/** Only `add` creates a missing file. */
async function withQueue(name, { connection }, isNew, use) {
  // Loaded late, because other commands do not need it.
  const {
    openBullmq,
    readConnection,
    schemaError,
  } = require('./bullmq-store.js');
  const { kind, where } = readConnection(connection);
  if (kind === 'file' && !isNew && !existsSync(where)) {
    throw fileError('read', where, { code: 'ENOENT' });
  }
  const queue = openBullmq(connection, ONCE).makeQueue(name);
  let lost;
  queue.on('error', (error) => {
    lost = error;
  });
  try {
    await queue.waitUntilReady();
    return await use(queue);
  } catch (error) {
    const refusal = schemaError(error) ?? schemaError(lost);
    if (refusal !== undefined) throw refusal;
    const isLost = error.message === CONNECTION_CLOSED || error === lost;
    throw isLost ? unreachable(lost ?? error) : error;
  } finally {
    await queue.close().catch(() => {});
  }
}

function readData(text) {
  if (text === undefined) return {};
  try {
    return JSON.parse(text);
  } catch {
    throw usageError('--data is not JSON');
  }
}

const printJson = (value) => print(`${JSON.stringify(value)}\n`);

function add(name, job, options) {
  const data = readData(options.data);
  const { id: jobId, delay, attempts, priority } = options;
  return withQueue(name, options, true, async (queue) => {
    const given = { jobId, delay, attempts, priority };
    const known = Object.entries(given).filter(
      ([, value]) => value !== undefined,
    );
    const added = await queue.add(job, data, Object.fromEntries(known));
    await print(`${added.id}\n`);
  });
}

function list(name, options) {
  if (options.state !== undefined && !STATES.includes(options.state)) {
    throw usageError(
      `there is no state ${options.state}`,
      `--state is one of ${STATES.join(', ')}`,
    );
  }
  return withQueue(name, options, false, async (queue) => {
    if (options.state === undefined) {
      await printJson(await queue.getJobCounts());
      return;
    }
    const jobs = await queue.getJobs(options.state, 0, options.limit - 1);
    for (const job of jobs) {
      const row = FIELDS.map((field) => [field, job[field]]);
      await printJson(Object.fromEntries(row));
    }
  });
}

function retry(name, options) {
  return withQueue(name, options, false, async (queue) => {
    if (options.id === undefined) {
      await queue.retryJobs({ state: 'failed' });
      return;
    }
    const job = await queue.getJob(options.id);
    if (job === undefined) throw usageError(`there is no job ${options.id}`);
    await job.retry();
  });
}

const drain = (name, options) =>
  withQueue(name, options, false, (queue) => queue.drain(options.delayed));

function addQueueCommand(program, end) {
  const queue = program
    .command('queue')
    .summary('look after a queue in a file, Redis or PostgreSQL')
    .description('Look after a queue of BullMQ.')
    .addHelpText('after', EXAMPLES);
  const sub = (name, text) =>
    queue
      .command(name)
      .description(text)
      .requiredOption(
        '--connection <where>',
        'redis:, postgres:, or the path of a file',
      );
  const action =
    (run) =>
    async (...words) => {
      // The last word is the command itself.
      await run(...words.slice(0, -1));
      end(Exit.Done);
    };
  sub('add <queue> <job>', 'add a job, print its id')
    .option('--data <json>', 'default {}')
    .option('--id <id>', 'a job with the id of another is not added')
    .option('--delay <time>', 'not before this is over', duration)
    .option('--attempts <n>', 'default 1', count)
    .option('--priority <n>', 'from 1 on; without one comes first', countOrNone)
    .action(action(add));
  sub('list <queue>', 'the counts, or the jobs of a state as JSON lines')
    .option('--state <state>', STATES.join(', '))
    .option('--limit <n>', 'the newest, default 20', count, 20)
    .action(action(list));
  sub('retry <queue>', 'queue failed jobs again')
    .option('--id <id>', 'this one only')
    .action(action(retry));
  sub('drain <queue>', 'remove the jobs that wait')
    .option('--delayed', 'and those that are delayed', false)
    .action(action(drain));
}

module.exports = { addQueueCommand };
