// The command line on a PostgreSQL with and without BullMQ's tables.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createPostgresBackend, Queue } from 'bullmq';
import pg from 'pg';

const { ENGINES_POSTGRES: port } = process.env;
const skip = port ? false : 'there is no PostgreSQL';
const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'bin', 'sloppy-workers.js');
const server = `postgres://postgres@127.0.0.1:${port}`;
const connection = `${server}/cli`;
// Ends a command that hangs, by a signal that none can ignore.
const ended = { cwd: root, timeout: 60_000, killSignal: 'SIGKILL' };

let folder;
let tasks;

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'cli-postgres-'));
  tasks = join(folder, 'tasks.mjs');
  writeFileSync(tasks, 'export default (job) => job.data.value * 2;\n');
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query('CREATE DATABASE cli');
  await client.end();
});

after(() => folder && rmSync(folder, { recursive: true }));

function sloppyWorkers(...words) {
  const args = [cli, ...words, '--connection', connection];
  return new Promise((resolve) => {
    execFile(process.execPath, args, ended, (error, stdout, stderr) =>
      resolve({
        exit: error ? (error.code ?? error.signal) : 0,
        stdout,
        stderr,
      }),
    );
  });
}

const COMMANDS = {
  worker: () => sloppyWorkers('worker', tasks, '--name', 'numbers'),
  add: () => sloppyWorkers('queue', 'add', 'numbers', 'double'),
  list: () => sloppyWorkers('queue', 'list', 'numbers'),
  retry: () => sloppyWorkers('queue', 'retry', 'numbers'),
  drain: () => sloppyWorkers('queue', 'drain', 'numbers'),
};

for (const [name, call] of Object.entries(COMMANDS)) {
  test(`${name} says that tables are missing, and how to make them`, {
    skip,
  }, async () => {
    const { exit, stderr } = await call();
    assert.equal(exit, 3, stderr);
    assert.match(stderr, /SLOPPY_CLI_STORE/);
    assert.match(stderr, /not initialized/);
    assert.match(stderr, /migrate: true/);
  });
}

test('with its tables a job is added, run and listed', { skip }, async () => {
  const queue = new Queue(
    'numbers',
    { connection: { connectionString: connection, migrate: true } },
    createPostgresBackend,
  );
  await queue.waitUntilReady();
  const added = await sloppyWorkers(
    ...['queue', 'add', 'numbers', 'double', '--data', '{"value":4}'],
  );
  assert.equal(added.exit, 0, added.stderr);
  const args = [cli, 'worker', tasks, '--name', 'numbers'];
  const worker = spawn(
    process.execPath,
    [...args, '--connection', connection],
    { ...ended, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const gone = once(worker, 'exit');
  let text = '';
  worker.stderr.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  try {
    while ((await queue.getCompletedCount()) === 0) {
      assert.equal(worker.exitCode, null, text);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const [job] = await queue.getCompleted();
    assert.equal(job.id, added.stdout.trim());
    assert.equal(job.returnvalue, 8);
  } finally {
    worker.kill('SIGTERM');
    await queue.close();
  }
  assert.deepEqual(await gone, [0, null], text);
  const listed = await sloppyWorkers('queue', 'list', 'numbers');
  assert.equal(listed.exit, 0, listed.stderr);
  assert.equal(JSON.parse(listed.stdout).completed, 1);
});
