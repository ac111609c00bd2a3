// The common parts of the tests of the engines.

import { fork } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pause } from './servers.mjs';

const require = createRequire(import.meta.url);
export const { engine } = require('./engines.cjs');
export const { processor } = require('../../../lib/adapters/bullmq.js');
export { pause };

export const program = (name) =>
  fileURLToPath(new URL(`../programs/${name}`, import.meta.url));

export const folder = mkdtempSync(join(tmpdir(), 'engines-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The engines that are there, and where each is. */
export function places() {
  const {
    ENGINES_REDIS: redis,
    ENGINES_VALKEY: valkey,
    ENGINES_POSTGRES: postgres,
  } = process.env;
  const found = [];
  if (redis) found.push(['redis', Number(redis)]);
  if (valkey) found.push(['valkey', Number(valkey)]);
  if (postgres) found.push(['postgres', Number(postgres)]);
  if (process.env.ENGINES_SQLITE)
    found.push(['sqlite', join(folder, 'jobs.db')]);
  return found;
}

let sequence = 0;
export const queueName = (text) => `${text}-${process.pid}-${++sequence}`;

export async function until(isTrue, what, limitMs = 60_000) {
  const end = Date.now() + limitMs;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await pause(20);
  }
}

const message = (child, wanted) =>
  new Promise((resolve, reject) => {
    const listener = (told) => {
      if (told === wanted) resolve(child);
    };
    child.on('message', listener);
    child.once('exit', () => reject(new Error('the worker process has ended')));
  });

/** @returns {ChildProcess} with `up`, a promise of its first job */
export function startWorker(options) {
  const words = [JSON.stringify(options)];
  const child = fork(program('worker.cjs'), words, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.up = message(child, 'up');
  child.ready = message(child, 'ready');
  child.up.catch(() => {});
  child.ready.catch(() => {});
  return child;
}

export const exitOf = (child) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once('exit', resolve));

export async function killed(child) {
  child.kill('SIGKILL');
  await exitOf(child);
}

/** The lines of a ledger, or none. */
export const readLedger = (path) =>
  existsSync(path)
    ? readFileSync(path, 'utf8').trim().split('\n').filter(Boolean)
    : [];

/** Processes whose parent is `pid`. */
export function childrenOf(pid) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return (
          Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid
        );
      } catch {
        return false;
      }
    });
}

/** Its errors are part of the test, and end nothing. */
export const quiet = (each) => each.on('error', () => {});

/** A Worker in this process, with what it tells. */
export function ownWorker(
  [name, where],
  queue,
  options = {},
  workerOptions = {},
) {
  const run = processor(program('job.cjs'), {
    workers: 2,
    memoryLimitMb: 64,
    ...options,
  });
  const worker = run.attach(
    engine(name, where).Worker(queue, run, {
      concurrency: 2,
      maxStalledCount: 5,
      ...workerOptions,
    }),
  );
  const errors = [];
  worker.on('error', (error) => errors.push(error));
  return { run, worker, errors };
}

/** How one job ends: `{ value }` or `{ error }`, of the Worker's events. */
export function endOf(worker, id) {
  return new Promise((resolve) => {
    worker.on('completed', (job, value) => {
      if (job.id === id()) resolve({ value, job });
    });
    worker.on('failed', (job, error) => {
      if (job?.id === id()) resolve({ error, job });
    });
  });
}
