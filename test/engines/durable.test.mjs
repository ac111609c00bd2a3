// Several processes on one file, a foreign lock, and a full disk.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  engine,
  folder,
  killed,
  pause,
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
    ...{ engine: 'durable', where, name: queue.name, ledger },
    ...{ concurrency: 4, lockDuration: 10_000 },
  });
}

const done = async (queue) => (await queue.getJobCounts('completed')).completed;

test('4 processes, each job is claimed once', {
  skip: !hasSqlite,
}, async () => {
  const queue = engine('durable', file).Queue(queueName('once'));
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
  const queue = engine('durable', file).Queue(queueName('locked'));
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
    const queue = engine('durable', join(path, 'jobs.db')).Queue('full');
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
    assert.equal(refused.code, 'SLOPPY_E_DURABLE_STORE_FAILED');
    assert.match(refused.message, /full/);
    assert.equal(await queue.count(), ids.length);
    await queue.close();
  } finally {
    execFileSync('umount', [path]);
  }
});
