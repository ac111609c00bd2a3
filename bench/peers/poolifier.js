'use strict';

const { join } = require('node:path');

async function open({ workers = 1, job }) {
  const { FixedThreadPool } = await import('poolifier');
  const pool = new FixedThreadPool(
    workers,
    join(__dirname, 'poolifier-thread.mjs'),
  );
  return {
    call: (input, transfer) => pool.execute(input, job, undefined, transfer),
    close: () => pool.destroy(),
  };
}

module.exports = { open };
