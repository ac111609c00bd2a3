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

for (const name of ['pg-boss', 'graphile-worker']) {
  test(name, { skip: reason || false }, async () => {
    const { stdout } = await execute(node, [program(`${name}.mjs`), port], {
      timeout: 90_000,
    });
    assert.equal(stdout.trim().split('\n').at(-1), 'pass', stdout);
  });
}
