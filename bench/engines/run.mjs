// The cost of a job under an engine: node bench/engines/run.mjs [--quick]
//   --kinds isolate,thread   only these, and nothing else
//
// Five ways to run CPU work under one BullMQ Worker, then the slope with more
// worker processes, on Redis and on a file. stores.mjs compares the stores
// alone. Needs redis-server and Linux. CPU is of
// the worker's whole tree of processes and of Redis, medians over interleaved
// rounds. A job that waits for a timer instead of computing is the floor of all
// kinds that compute elsewhere, because the queue's own work is all it costs: a
// job in the process saves some of that, as BullMQ cannot turn to its sockets
// meanwhile.

import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startRedis } from '../../test/engines/lib/servers.mjs';
import { cpuMsOf, memoryMbOf, treeOf } from './processes.mjs';

const require = createRequire(import.meta.url);
const bullmq = require('bullmq');
const { createSqliteBackend } = require('../../lib/adapters/sqlite.js');

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    kinds: { type: 'string' },
  },
});
const ROUNDS = values.quick ? 1 : 3;
const SHORT_JOBS = values.quick ? 200 : 600;
const LONG_JOBS = values.quick ? 40 : 100;
const FLOOR = 'waits only';
const ALL_KINDS = [
  FLOOR,
  'in-process',
  'sandbox process',
  'sandbox threads',
  'isolate',
  'thread',
];
const KINDS = values.kinds?.split(',') ?? ALL_KINDS;
const CONCURRENCY = 2;
const program = fileURLToPath(new URL('./worker.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bench-engines-'));

function measureUnits() {
  const job = require('./job.cjs');
  const units = 2_000_000;
  job({ data: { units } });
  const before = process.cpuUsage().user;
  job({ data: { units } });
  return Math.round((units * 1000) / (process.cpuUsage().user - before));
}

const unitsPerMs = measureUnits();
const answer = (child, field) =>
  new Promise((resolve) => {
    const listener = (told) => {
      if (told[field] === undefined) return;
      child.off('message', listener);
      resolve(told[field]);
    };
    child.on('message', listener);
  });
const jobsOf = (length, ms) =>
  Array.from({ length }, () => ({
    name: 'job',
    data: { units: unitsPerMs * ms, ms },
  }));

async function idle(queue) {
  for (;;) {
    const { waiting, active } = await queue.getJobCounts('waiting', 'active');
    if (waiting + active === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function start(kind, where, queue, concurrency = CONCURRENCY) {
  return fork(program, [kind, String(where), queue.name, String(concurrency)]);
}

async function ended(child) {
  // A sandbox process computes on without its parent.
  const tree = treeOf(child.pid);
  for (const pid of tree) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {}
  }
  await new Promise((resolve) => child.once('exit', resolve));
}

async function costPerJob(queue, redis, child, count, ms) {
  const used = () => cpuMsOf([...treeOf(child.pid), redis.child.pid]);
  const before = used();
  const began = performance.now();
  await queue.addBulk(jobsOf(count, ms));
  await idle(queue);
  const seconds = (performance.now() - began) / 1000;
  return { cpuMs: (used() - before) / count, perSecond: count / seconds };
}

async function measure(kind, redis) {
  const connection = { host: '127.0.0.1', port: redis.port };
  const name = `bench-${kind.replace(' ', '-')}-${Math.random()}`;
  const queue = new bullmq.Queue(name, { connection });
  await queue.addBulk(jobsOf(1, 1));
  const child = start(kind, redis.port, queue);
  const firstMs = await answer(child, 'firstMs');
  await queue.addBulk(jobsOf(50, 1));
  await idle(queue);
  const short = await costPerJob(queue, redis, child, SHORT_JOBS, 1);
  const reset = answer(child, 'isReset');
  child.send('reset');
  await reset;
  const long = await costPerJob(queue, redis, child, LONG_JOBS, 20);
  const loop = answer(child, 'loopP99Ms');
  child.send('loop');
  const loopP99Ms = await loop;
  const memoryMb = memoryMbOf(treeOf(child.pid));
  await ended(child);
  await queue.obliterate({ force: true });
  await queue.close();
  return {
    firstMs,
    'CPU ms, 1 ms job': short.cpuMs,
    'CPU ms, 20 ms job': long.cpuMs,
    'loop p99 ms, 20 ms jobs': loopP99Ms,
    'memory MB': memoryMb,
    'jobs/s, 1 ms': short.perSecond,
  };
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

function table(rows) {
  const fields = Object.keys(rows[0][1]);
  console.log(
    `| | ${fields.join(' | ')} |\n| --- | ${fields.map(() => '--- |').join(' ')}`,
  );
  for (const [name, row] of rows) {
    const cells = fields.map((field) => {
      const value = row[field];
      return value >= 100 ? Math.round(value) : value.toFixed(2);
    });
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}

async function compare(redis) {
  const samples = new Map(KINDS.map((kind) => [kind, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of KINDS)
      samples.get(kind).push(await measure(kind, redis));
  }
  const medians = [...samples].map(([kind, all]) => [
    kind,
    Object.fromEntries(
      Object.keys(all[0]).map((field) => [
        field,
        median(all.map((one) => one[field])),
      ]),
    ),
  ]);
  table(medians);
  if (values.kinds) return;
  const row = Object.fromEntries(medians);
  const cpu = 'CPU ms, 1 ms job';
  const added = (kind) => row[kind][cpu] - row['in-process'][cpu];
  // The CPU of 1 ms of work on this machine, by 19 ms more of it.
  const own =
    (row['in-process']['CPU ms, 20 ms job'] - row['in-process'][cpu]) / 19;
  const beyond = (kind) => (row[kind][cpu] - own - row[FLOOR][cpu]).toFixed(2);
  const loop = 'loop p99 ms, 20 ms jobs';
  console.log(`
added CPU, isolate / sandbox process: ${(added('isolate') / added('sandbox process')).toFixed(2)} (goal 0.5)
added CPU beyond a job that only waits: isolate ${beyond('isolate')} ms, sandbox process ${beyond('sandbox process')} ms, in-process ${beyond('in-process')} ms
first job, isolate / sandbox process: ${(row.isolate.firstMs / row['sandbox process'].firstMs).toFixed(2)} (goal 0.33)
loop p99, isolate / in-process: ${(row.isolate[loop] / row['in-process'][loop]).toFixed(2)} (goal 0.2)
`);
}

async function slope(redis) {
  const file = join(folder, 'slope.db');
  const engines = [
    [
      'bullmq, Redis',
      'isolate',
      redis.port,
      (name) =>
        new bullmq.Queue(name, {
          connection: { host: '127.0.0.1', port: redis.port },
        }),
    ],
    [
      'bullmq, a file',
      'file',
      file,
      (name) =>
        new bullmq.Queue(name, { connection: { file } }, createSqliteBackend),
    ],
  ];
  const rows = [];
  for (const [label, kind, where, make] of engines) {
    for (const processes of [1, 2, 4]) {
      const queue = make(`slope-${kind}-${processes}`);
      const children = Array.from({ length: processes }, () =>
        start(kind, where, queue, 1),
      );
      await queue.addBulk(jobsOf(processes * 10, 1));
      await idle(queue);
      const count = SHORT_JOBS;
      const began = performance.now();
      await queue.addBulk(jobsOf(count, 2));
      await idle(queue);
      const seconds = (performance.now() - began) / 1000;
      rows.push([
        `${label}, ${processes} × 1`,
        { 'jobs/s, 2 ms': count / seconds },
      ]);
      for (const child of children) await ended(child);
      await queue.close();
    }
  }
  table(rows);
}

const redis = await startRedis();
if (!redis) throw new Error('redis-server is missing');
try {
  console.log(`Node ${process.version}, ${ROUNDS} rounds\n`);
  await compare(redis);
  if (!values.kinds) {
    await slope(redis);
  }
} finally {
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
}
