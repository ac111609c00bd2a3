// pg-boss 12 and graphile-worker 0.18 with a real PostgreSQL. Both need Node
// 22, so they run in a process of the Node that ENGINES_NODE names.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { program } from './lib/harness.mjs';

const execute = promisify(execFile);
const { ENGINES_NODE: node, ENGINES_POSTGRES: port } = process.env;
const reason =
  (!port && 'there is no PostgreSQL') ||
  (!node && 'no Node 22.18 or later is there');

const KILLS = Number(process.env.ENGINES_KILLS ?? 8);

async function passes(t, words, timeout) {
  const { stdout } = await execute(node, words, { timeout });
  const lines = stdout.trim().split('\n');
  assert.equal(lines.pop(), 'pass', stdout);
  for (const line of lines) t.diagnostic(line);
}

for (const name of ['pg-boss', 'graphile-worker']) {
  test(name, { skip: reason || false }, (t) =>
    passes(t, [program(`${name}.mjs`), port], 90_000),
  );

  test(`${name}: ${KILLS} kills`, { skip: reason || false }, (t) =>
    passes(
      t,
      [program('postgres-kills.mjs'), name, port, String(KILLS)],
      60_000 + KILLS * 6000,
    ),
  );
}
