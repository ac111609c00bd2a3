'use strict';
// One instance under both systems of modules, and it works.

const assert = require('node:assert');
const required = require('sloppy-workers');

async function main() {
  const imported = await import('sloppy-workers');
  for (const name of Object.keys(required)) {
    assert.strictEqual(imported[name], required[name], name);
  }
  const pool = required.WorkerPool.create('check', { workers: 1 });
  const answer = await pool.run(({ input }) => input * 2, { input: 21 });
  assert.strictEqual(answer, 42);
  await pool.stop();
  console.log('pass');
}

main();
