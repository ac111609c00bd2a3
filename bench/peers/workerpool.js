'use strict';

const { join } = require('node:path');

async function open({ workers = 1, job }) {
  const workerpool = require('workerpool');
  const pool = workerpool.pool(join(__dirname, 'workerpool-thread.js'), {
    workerType: 'thread',
    minWorkers: workers,
    maxWorkers: workers,
  });
  return {
    pool,
    call: (input, transfer) =>
      pool.exec(job, [input], transfer && { transfer }),
    close: () => pool.terminate(true),
  };
}

module.exports = { open };
