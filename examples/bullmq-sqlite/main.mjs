// Processes add jobs and run them, one after the other:
//   node examples/bullmq-sqlite/main.mjs

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));

function hasSqlite() {
  if (isBuiltin('node:sqlite')) return true;
  try {
    createRequire(import.meta.url).resolve('better-sqlite3');
    return true;
  } catch {
    return false;
  }
}

/** Lets a worker work until it has told of so many jobs. */
async function work(file, count) {
  const child = spawn(process.execPath, [pathOf('./worker.mjs'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = [];
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    if (lines.length === count) child.kill('SIGTERM');
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
  console.log(`a worker ran ${lines.length} jobs and ended with ${code}`);
  return lines;
}

async function main(folder) {
  const file = join(folder, 'jobs.db');
  const add = () => execFileSync(process.execPath, [pathOf('./add.mjs'), file]);
  add();
  // The same ids again: nothing is added twice.
  add();
  const lines = [];
  while (lines.length < 20) {
    lines.push(...(await work(file, Math.min(3, 20 - lines.length))));
  }
  const rows = lines.map((line) => /^part-(\d+): (\d+)$/.exec(line).slice(1));
  assert.deepEqual(
    [rows.length, new Set(rows.map(([id]) => id)).size],
    [20, 20],
  );
  const primes = rows.reduce((sum, [, found]) => sum + Number(found), 0);
  console.log('primes below 100 000:', primes);
  assert.equal(primes, 9592);
}

if (hasSqlite()) {
  const folder = mkdtempSync(join(tmpdir(), 'bullmq-sqlite-'));
  try {
    await main(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} else {
  console.log('Node 22.13 or later has SQLite; before: npm i better-sqlite3');
}
console.log('ok');
