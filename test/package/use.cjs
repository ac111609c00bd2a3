'use strict';
// One instance under both systems of modules, and it works on each runtime.

const assert = require('node:assert');
const required = require('sloppy-workers');

async function main() {
  const imported = await import('sloppy-workers');
  for (const name of Object.keys(required)) {
    assert.strictEqual(imported[name], required[name], name);
  }
  for (const runtime of ['isolate', 'thread', 'process']) {
    const pool = required.WorkerPool.create('check', { runtime, workers: 1 });
    const answer = await pool.run(({ input }) => input * 2, { input: 21 });
    assert.strictEqual(answer, 42, runtime);
    await pool.stop();
  }
  console.log('pass');
}

main();
