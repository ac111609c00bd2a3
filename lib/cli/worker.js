'use strict';

const { existsSync } = require('node:fs');
const { once } = require('node:events');

const { addCodeCacheOption } = require('./code-cache.js');
const { serveDashboard } = require('./dashboard-server.js');
const { Exit, fileError } = require('./exit.js');
const { serveHealth } = require('./health-server.js');
const { onStop } = require('./interrupt.js');
const { waitAtMost } = require('../timers/wait-at-most.js');
const { addTableFlags } = require('./table-flags.js');
const { duration, port } = require('./values.js');

const DEFAULT_GRACE_MS = 8000;
// The time that an engine gets beyond the grace, to give its jobs back.
const GIVE_BACK_MS = 5000;
// The time for its client to close; one whose server is away tries for ever.
const CLOSE_MS = 500;

const EXAMPLES = `
The file is a sandbox processor of BullMQ: its default export, or the export of
the job's name, gets the job. For pg-boss the export of the queue's name gets
the data. The engine's package is looked for in the working directory.

At SIGTERM or Ctrl-C no more jobs are taken. Those that still run after --grace
are ended and given back to the queue.

Examples:
  $ sloppy-workers worker ./tasks.ts --connection jobs.db --name video
  $ sloppy-workers worker ./tasks.mjs --connection redis://redis --name video \\
      --concurrency 4 --health 9090 --host 0.0.0.0
  $ sloppy-workers worker ./tasks.mjs --queue pg-boss --connection postgres://db/app --name resize

Exit codes: 0 stopped by SIGTERM or Ctrl-C, 2 wrong use, 3 the engine's package,
the file or a port is missing.
`;

const say = (text) => process.stderr.write(`${text}\n`);

function tell(engine) {
  engine.on('failed', (job, error) => {
    const what = error?.code ?? error?.name ?? 'Error';
    say(`failed ${job?.name ?? ''} ${job?.id ?? ''}: ${what}`);
  });
  // Repeated errors are shown once, because a lost connection repeats its
  // error.
  let last;
  engine.on('error', (error) => {
    const text = error.code ?? error.message;
    if (text !== last) say(`error ${text}`);
    last = text;
  });
  engine.on('completed', () => {
    last = undefined;
  });
}

/** Ends the engine, also if its server is away. Never rejects. */
async function endEngine(engine, graceMs) {
  try {
    const stopped = engine.stop(graceMs);
    const { timedOut } = await waitAtMost(stopped, graceMs + GIVE_BACK_MS);
    if (timedOut)
      say('the queue does not answer: it takes its jobs back later');
  } catch (error) {
    say(`error ${error?.code ?? error?.message}`);
  }
  setTimeout(() => process.exit(), CLOSE_MS).unref();
}

async function runWorker(file, options) {
  if (!existsSync(file)) throw fileError('read', file, { code: 'ENOENT' });
  // Loaded late, because other commands need none of this.
  const { startEngine } = require('./worker-engines.js');
  const { userRequire } = require('./user-packages.js');
  const engine = await startEngine(file, options);
  const servers = [];
  const stop = onStop();
  try {
    tell(engine);
    if (options.health !== undefined) {
      const health = await serveHealth(engine.pool, {
        port: options.health,
        host: options.host,
        isReady: () => engine.isReady(),
        load: (name) => userRequire(name),
      });
      servers.push(health);
      say(`health ${health.url}/healthz /readyz /metrics`);
    }
    if (options.dashboard !== undefined) {
      const title = `${options.name} (${options.queue})`;
      const settings = { port: options.dashboard, title };
      const dashboard = await serveDashboard(engine.pool, settings);
      servers.push(dashboard);
      say(`dashboard ${dashboard.url}`);
    }
    say(`worker of ${options.name} (${options.queue}), pid ${process.pid}`);
    if (!stop.signal.aborted) await once(stop.signal, 'abort');
    say('stopping');
    return Exit.Done;
  } finally {
    await endEngine(engine, options.grace);
    for (const server of servers) server.close();
    stop.end();
  }
}

function addWorkerCommand(program, end) {
  const command = program
    .command('worker')
    .summary('run the jobs of a queue, as a process of its own')
    .description('Run the jobs of a queue until SIGTERM.')
    .argument('<file>', 'the processor: .js, .mjs, .cjs or .ts')
    .option('--queue <engine>', 'bullmq or pg-boss', 'bullmq')
    .requiredOption(
      '--connection <where>',
      'redis:, postgres: or, for bullmq, the path of a file',
    )
    .requiredOption('--name <name>', "the queue's name")
    .option(
      '--grace <time>',
      'what runs may go on so long, default 8s',
      duration,
      DEFAULT_GRACE_MS,
    )
    .option('--health <port>', 'serve /healthz, /readyz and /metrics', port)
    .option('--host <address>', 'where --health listens', '127.0.0.1')
    .option('--dashboard <port>', 'serve a live page to this machine', port);
  addCodeCacheOption(addTableFlags(command))
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) => end(await runWorker(file, options)));
}

module.exports = { addWorkerCommand };
