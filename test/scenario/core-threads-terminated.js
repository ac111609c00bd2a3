// limit: 180 s
// Worker threads that are terminated in the middle of their calls of the addon:
// there, nothing can be thrown any more, and that must not end the process.
'use strict';

const threads = require('node:worker_threads');
const { WorkerPool } = require('../../lib/index.js');

const ROUNDS = 30;
const AT_ONCE = 4;
const ignore = () => {};

function beBusy() {
  threads.parentPort.postMessage('busy');
  const loop = () => {
    for (;;);
  };
  for (;;) {
    const pool = WorkerPool.create('pool', { workers: 2, host: { ignore } });
    for (let i = 0; i < 5; i++) {
      pool.run(loop, { input: { i } }).catch(ignore);
    }
    pool.stop({ drain: false, timeoutMs: 0 }).catch(ignore);
    pool.resize(3);
  }
}

const terminated = () =>
  new Promise((resolve, reject) => {
    const thread = new threads.Worker(__filename);
    thread.on('error', reject);
    thread.on('exit', resolve);
    thread.once('message', () => {
      setTimeout(() => thread.terminate(), Math.random() * 6);
    });
  });

async function main() {
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(Array.from({ length: AT_ONCE }, terminated));
  }
  console.log('pass');
}

if (threads.isMainThread) main();
else beBusy();
