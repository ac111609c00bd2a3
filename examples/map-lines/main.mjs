// The program and the command beside the main thread:
//   node examples/map-lines/main.mjs

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseLines } from './tasks.mjs';

const manifest = createRequire(import.meta.url).resolve(
  'sloppy-workers/package.json',
);
const command = join(dirname(manifest), 'bin/sloppy-workers.js');
const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));

function start(...args) {
  const stdio = ['ignore', 'pipe', 'pipe'];
  return spawn(process.execPath, args, { stdio });
}

async function outcomeOf(child) {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, code };
}

const logLine = (_, i) =>
  i % 100 === 99
    ? `line ${i} is none`
    : `10.0.${i % 7}.${i % 251} - - [29/Nov/2026:10:00:${i % 60} +0000] ` +
      `"GET /pages/${i} HTTP/1.1" ${i % 9 === 0 ? 404 : 200} ${i % 5 || '-'}`;

const folder = mkdtempSync(join(tmpdir(), 'map-lines-'));
try {
  const log = join(folder, 'access.log');
  const lines = Array.from({ length: 50_500 }, logLine);
  writeFileSync(log, `${lines.join('\n')}\n`);
  const stdout = parseLines(lines);

  const cli = pathOf('./cli.mjs');
  const good = { stdout, stderr: '', code: 0 };
  assert.deepEqual(await outcomeOf(start(cli, log)), good);

  const name = `${pathOf('./tasks.mjs')}#parseLine`;
  const options = ['--format', 'lines', '--output-format', 'ndjson'];
  const mapped = await outcomeOf(start(command, 'map', name, log, ...options));
  assert.deepEqual([mapped.stdout, mapped.code], [stdout, 0]);

  const left = start(cli, log);
  left.stdout.once('data', () => left.stdout.destroy());
  const [code] = await once(left, 'close');
  assert.equal(code, 0);

  const missing = await outcomeOf(start(cli, join(folder, 'none.log')));
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /ENOENT/);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log('ok');
