// Several processes on one file, killed ones, a foreign lock, and a full disk.

import assert from 'node:assert/strict';
import { execFileSync, fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  engine,
  exitOf,
  folder,
  killed,
  pause,
  program,
  queueName,
  readLedger,
  startWorker,
  until,
} from './lib/harness.mjs';

const require = createRequire(import.meta.url);
const { openDatabase } = require('../../lib/adapters/journal/sqlite.js');
const hasSqlite = Boolean(process.env.ENGINES_SQLITE);
const file = join(folder, 'shared.db');

const echoes = (length) =>
  Array.from({ length }, (_, value) => ({
    name: 'job',
    data: { kind: 'echo', value },
  }));

function start(queue, ledger, where = file) {
  return startWorker({
    ...{ engine: 'sqlite', where, name: queue.name, ledger },
    ...{ concurrency: 4, lockDuration: 10_000 },
  });
}

const done = async (queue) => (await queue.getJobCounts('completed')).completed;

test('4 processes, each job is claimed once', {
  skip: !hasSqlite,
}, async () => {
  const queue = engine('sqlite', file).Queue(queueName('once'));
  const ledger = join(folder, `${queue.name}.ledger`);
  const jobs = 2000;
  const workers = Array.from({ length: 4 }, () => start(queue, ledger));
  await Promise.all(workers.map(({ ready }) => ready));
  await queue.addBulk(echoes(jobs));
  await until(async () => (await done(queue)) === jobs, 'all jobs', 90_000);
  await Promise.all(workers.map(killed));
  const starts = readLedger(ledger).filter((line) => line.startsWith('s'));
  assert.equal(starts.length, jobs);
  assert.equal(new Set(starts).size, jobs);
  await queue.close();
  const db = openDatabase(file);
  assert.equal(
    db.prepare('PRAGMA integrity_check').get().integrity_check,
    'ok',
  );
  db.close();
});

test('a foreign write lock of 3 s', { skip: !hasSqlite }, async () => {
  const queue = engine('sqlite', file).Queue(queueName('locked'));
  const ledger = join(folder, `${queue.name}.ledger`);
  const worker = start(queue, ledger);
  await worker.ready;
  const db = openDatabase(file);
  await queue.addBulk(echoes(20));
  db.exec('BEGIN IMMEDIATE');
  const added = queue.addBulk(echoes(20));
  await pause(3000);
  db.exec('COMMIT');
  db.close();
  await added;
  await until(async () => (await done(queue)) === 40, 'all jobs');
  const starts = readLedger(ledger).filter((line) => line.startsWith('s'));
  assert.equal(starts.length, 40);
  await killed(worker);
  await queue.close();
});

const KILLS = Number(process.env.ENGINES_KILLS ?? 16);
/** The number of jobs: 10 000 with the 200 kills of --long. */
const ACKNOWLEDGED = KILLS * 50;

function startProducer(name, ledger, where) {
  const options = { engine: 'sqlite', where, name, ledger };
  const child = fork(program('producer.cjs'), [JSON.stringify(options)]);
  child.up = new Promise((resolve) => child.once('message', resolve));
  return child;
}

async function idsOf(queue, state) {
  const ids = [];
  for (;;) {
    const page = await queue.getRanges([state], ids.length, ids.length + 999);
    if (page.length === 0) return ids;
    ids.push(...page);
  }
}

test(`${KILLS} kills of producers and workers: what was acknowledged is completed`, {
  skip: !hasSqlite,
}, async (t) => {
  const where = join(folder, 'kills.db');
  const queue = engine('sqlite', where).Queue(queueName('acks'));
  const { name } = queue;
  const acks = join(folder, `${name}.acks`);
  const ledger = join(folder, `${name}.ledger`);
  const startOne = () =>
    startWorker({
      ...{ engine: 'sqlite', where, name, ledger, runtime: 'thread' },
      ...{ concurrency: 8, lockDuration: 1000 },
      // A job that comes back is the first that the next victim takes.
      maxStalledCount: 10_000,
    });
  const make = [startOne, startOne, () => startProducer(name, acks, where)];
  const children = make.map((start) => start());
  t.after(() => Promise.all(children.map(killed)));
  for (let kill = 0; kill < KILLS; kill++) {
    const at = kill % make.length;
    // A worker of an empty queue has no first job.
    await Promise.race([children[at].up.catch(() => {}), pause(3000)]);
    await pause(Math.random() * 150);
    await killed(children[at]);
    children[at] = make[at]();
  }
  await until(
    () => readLedger(acks).length >= ACKNOWLEDGED,
    'acknowledgements',
  );
  await children[2].up;
  children[2].kill('SIGTERM');
  await exitOf(children[2]);
  const acknowledged = new Set(readLedger(acks));
  const counts = () => queue.getJobCounts();
  await until(
    async () => {
      const { waiting, active, delayed, prioritized } = await counts();
      return waiting + active + delayed + prioritized === 0;
    },
    'all jobs',
    120_000 + KILLS * 2000,
  );
  for (const child of children.slice(0, 2)) await killed(child);
  const { completed } = await counts();
  const failed = await queue.getFailed(0, 99);
  assert.deepEqual(
    failed.map(({ failedReason }) => failedReason),
    [],
  );
  const ended = new Set(await idsOf(queue, 'completed'));
  assert.equal(ended.size, completed);
  const lost = [...acknowledged].filter((id) => !ended.has(id));
  t.diagnostic(
    `${lost.length} of ${acknowledged.size} acknowledged jobs lost in ${KILLS} kills; ${completed} completed`,
  );
  assert.deepEqual(lost, []);
  assert.ok(acknowledged.size >= ACKNOWLEDGED);
  await queue.close();
  const db = openDatabase(where);
  const { integrity_check: said } = db.prepare('PRAGMA integrity_check').get();
  assert.equal(said, 'ok');
  db.close();
});

test('a job wakes a worker of another process', {
  skip: !hasSqlite,
}, async (t) => {
  const where = join(folder, 'waking.db');
  const queue = engine('sqlite', where).Queue(queueName('waking'));
  const worker = startWorker({
    ...{ engine: 'sqlite', where, name: queue.name, concurrency: 1 },
    lockDuration: 30_000,
  });
  await worker.ready;
  const delays = [];
  for (let times = 0; times < 60; times++) {
    await pause(20);
    const job = await queue.add('job', { kind: 'echo', value: 1 });
    await until(async () => (await job.getState()) === 'completed', 'it');
    const { processedOn, timestamp } = await queue.getJob(job.id);
    delays.push(processedOn - timestamp);
  }
  delays.sort((a, b) => a - b);
  const at = (part) => delays[Math.floor(delays.length * part)];
  t.diagnostic(`add to start: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`);
  await killed(worker);
  await queue.close();
});

/** A small disk; undefined where nobody may mount one. */
function smallDisk() {
  const path = join(folder, 'small');
  mkdirSync(path);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path], {
      stdio: 'ignore',
    });
    return path;
  } catch {
    return undefined;
  }
}

test('a full disk', { skip: !hasSqlite }, async (t) => {
  const path = smallDisk();
  if (path === undefined) return t.skip('no small disk can be mounted');
  try {
    const queue = engine('sqlite', join(path, 'jobs.db')).Queue('full');
    const ids = [];
    let refused;
    while (refused === undefined) {
      await queue.add('job', 'x'.repeat(20_000)).then(
        ({ id }) => ids.push(id),
        (error) => {
          refused = error;
        },
      );
    }
    assert.equal(refused.code, 'SLOPPY_E_SQLITE_STORE_FAILED');
    assert.match(refused.message, /full/);
    assert.equal(await queue.count(), ids.length);
    await queue.close();
  } finally {
    execFileSync('umount', [path]);
  }
});
