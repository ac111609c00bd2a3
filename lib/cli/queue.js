'use strict';

const { existsSync } = require('node:fs');

const { Exit, fileError, usageError } = require('./exit.js');
const { print } = require('./terminal.js');
const { count, countOrNone, duration } = require('./values.js');

const EXAMPLES = `
Examples:
  $ sloppy-workers queue add video resize --connection jobs.db --data '{"width":80}' --id video-17
  $ sloppy-workers queue list video --connection jobs.db --state failed
  $ sloppy-workers queue retry video --connection jobs.db
  $ sloppy-workers queue drain video --connection jobs.db --delayed
`;

const FIELDS = [
  'id',
  'name',
  'attemptsMade',
  'progress',
  'failedReason',
  'timestamp',
  'finishedOn',
];

/** Only `add` creates a missing file. */
async function withQueue(name, { connection }, isNew, use) {
  if (!isNew && !existsSync(connection)) {
    throw fileError('read', connection, { code: 'ENOENT' });
  }
  // Loaded late, because other commands do not need it.
  const { Queue } = require('../adapters/durable.js');
  const queue = new Queue(name, { connection: { file: connection } });
  try {
    return await use(queue);
  } finally {
    await queue.close();
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
    .summary('look after a durable queue in a file')
    .description('Look after a queue of sloppy-workers/durable.')
    .addHelpText('after', EXAMPLES);
  const sub = (name, text) =>
    queue
      .command(name)
      .description(text)
      .requiredOption('--connection <file>', 'the file');
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
    .option('--state <state>', 'waiting, active, delayed, completed, failed')
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
