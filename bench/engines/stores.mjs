// BullMQ's classes on a file and on Redis: node bench/engines/stores.mjs
//   --rounds 5, --jobs 2000   interleaved rounds, jobs of each
//   --million                 counts and pages of a queue of 10⁶ jobs
//
// Rates and CPU of one process with 64 jobs in flight, the time from add to
// start in another process, what an idle worker uses, and the event loop's
// delay while each commit waits for the disk. Needs redis-server and Linux.

import { fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  freePort,
  pause,
  startRedis,
} from '../../test/engines/lib/servers.mjs';
import { cpuMsOf } from './processes.mjs';

const require = createRequire(import.meta.url);
const bullmq = require('bullmq');
const { createSqliteBackend } = require('../../lib/adapters/sqlite.js');

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    jobs: { type: 'string', default: '2000' },
    million: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(values.rounds);
const JOBS = Number(values.jobs);
const IN_FLIGHT = 64;
const IDLE_MS = 10_000;
const folder = mkdtempSync(join(tmpdir(), 'bench-stores-'));
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const at = (list, part) =>
  [...list].sort((a, b) => a - b)[Math.floor(list.length * part)];

async function startRedisWithoutDisk() {
  const port = await freePort();
  const args = ['--port', String(port), '--save', '', '--bind', '127.0.0.1'];
  const child = spawn('redis-server', [...args, '--dir', folder], {
    stdio: 'ignore',
  });
  await pause(1000);
  return { port, child, stop: () => child.kill('SIGKILL') };
}

const ofRedis = ({ port, child }) => ({
  connection: { host: '127.0.0.1', port, maxRetriesPerRequest: null },
  last: [],
  pid: child.pid,
});
const ofFile = (synchronous) => ({
  connection: { file: join(folder, `${synchronous}.db`), synchronous },
  last: [createSqliteBackend],
});

let sequence = 0;
const makeQueue = ({ connection, last }) =>
  new bullmq.Queue(`q${++sequence}`, { connection }, ...last);

async function rate(store) {
  const queue = makeQueue(store);
  const jobs = Array.from({ length: JOBS }, () => ({ name: 'j', data: {} }));
  const began = performance.now();
  for (let i = 0; i < JOBS; i += 200)
    await queue.addBulk(jobs.slice(i, i + 200));
  const added = performance.now() - began;
  const used = () => process.cpuUsage();
  const server = () => (store.pid ? cpuMsOf([store.pid]) : 0);
  const loop = monitorEventLoopDelay({ resolution: 1 });
  const { connection, last } = store;
  const before = [used(), server(), performance.now()];
  loop.enable();
  const worker = new bullmq.Worker(
    ...[queue.name, async () => 1],
    { connection, concurrency: IN_FLIGHT },
    ...last,
  );
  let seen = 0;
  await new Promise((resolve) => {
    worker.on('completed', () => {
      seen += 1;
      if (seen === JOBS) resolve();
    });
  });
  loop.disable();
  const { user, system } = process.cpuUsage(before[0]);
  const seconds = (performance.now() - before[2]) / 1000;
  const cpu = (user + system) / 1000 / JOBS;
  const ofServer = (server() - before[1]) / JOBS;
  await worker.close();
  await queue.obliterate({ force: true });
  await queue.close();
  const ran = JOBS / seconds;
  const p99 = loop.percentile(99) / 1e6;
  return { ran, added: JOBS / (added / 1000), cpu, ofServer, p99 };
}

async function rates(stores) {
  const rows = Object.fromEntries(
    Object.keys(stores).map((name) => [name, []]),
  );
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, store] of Object.entries(stores)) {
      rows[name].push(await rate(store));
    }
  }
  for (const [name, list] of Object.entries(rows)) {
    const of = (field) => median(list.map((row) => row[field])).toFixed(2);
    console.log(
      `${name}: ran ${of('ran')}/s, added ${of('added')}/s, CPU ${of('cpu')} ms a job (server ${of('ofServer')}), loop p99 ${of('p99')} ms`,
    );
  }
  const ratio = (one, other) =>
    median(
      rows[one].map(({ ran }, round) => ran / rows[other][round].ran),
    ).toFixed(2);
  console.log(`normal / Redis without disk: ${ratio('normal', 'redis')} (goal 1.2)
full / Redis appendfsync always: ${ratio('full', 'redis always')} (goal 1.2)
`);
}

/** Milliseconds from add to start in another process, and its idle CPU. */
async function latency(name, { connection, last }, kind, where) {
  const queue = new bullmq.Queue(`l-${name}`, { connection }, ...last);
  const program = fileURLToPath(new URL('./worker.cjs', import.meta.url));
  const child = fork(program, [kind, String(where), queue.name, '1']);
  const events = new bullmq.QueueEvents(queue.name, { connection }, ...last);
  await events.waitUntilReady();
  const started = new Map();
  let done = () => {};
  events.on('active', ({ jobId }, id) => {
    started.set(jobId, Number(id.split('-')[0]));
    done();
  });
  const delays = [];
  for (let times = 0; times < 300; times++) {
    const next = new Promise((resolve) => {
      done = resolve;
    });
    const { id, timestamp } = await queue.add('j', { units: 0 });
    await next;
    if (times >= 20) delays.push(started.get(id) - timestamp);
    await pause(10 + Math.random() * 10);
  }
  await events.close();
  await pause(1000);
  const before = cpuMsOf([child.pid]);
  await pause(IDLE_MS);
  const idle = ((cpuMsOf([child.pid]) - before) / IDLE_MS) * 100;
  child.kill('SIGKILL');
  await queue.close();
  console.log(
    `${name}: add to start p50 ${at(delays, 0.5)} ms, p95 ${at(delays, 0.95)} ms (goals 3, 15); idle ${idle.toFixed(2)} % of a core (goal 0.3)`,
  );
}

async function million(store) {
  const queue = makeQueue(store);
  const began = performance.now();
  const jobs = Array.from({ length: 2000 }, () => ({ name: 'j', data: {} }));
  const memory = [];
  for (let i = 0; i < 500; i++) {
    await queue.addBulk(jobs);
    if (i % 100 === 99)
      memory.push(Math.round(process.memoryUsage().rss / 2 ** 20));
  }
  console.log(
    `10⁶ jobs added in ${Math.round((performance.now() - began) / 1000)} s, RSS MiB ${memory}`,
  );
  for (const [label, call] of [
    ['counts', () => queue.getJobCounts()],
    ['first page', () => queue.getWaiting(0, 19)],
    ['last page', () => queue.getWaiting(999_980, 999_999)],
    ['a page in the middle', () => queue.getWaiting(500_000, 500_019)],
  ]) {
    const times = [];
    for (let i = 0; i < 9; i++) {
      const start = performance.now();
      await call();
      times.push(performance.now() - start);
    }
    console.log(`${label}: ${median(times).toFixed(2)} ms (goal 5)`);
  }
  await queue.close();
}

const always = await startRedis();
const redis = await startRedisWithoutDisk();
try {
  console.log(`Node ${process.version}, ${ROUNDS} rounds of ${JOBS} jobs\n`);
  const [normal, full] = [ofFile('normal'), ofFile('full')];
  await rates({
    ...{ normal, redis: ofRedis(redis) },
    ...{ full, 'redis always': ofRedis(always) },
  });
  await latency('file', full, 'file none', full.connection.file);
  await latency('redis', ofRedis(redis), 'in-process', redis.port);
  if (values.million) await million(normal);
} finally {
  await always.stop();
  redis.stop();
  rmSync(folder, { recursive: true, force: true });
}
