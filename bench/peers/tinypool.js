'use strict';

const { join } = require('node:path');

async function open({ workers = 1, job }) {
  const { Tinypool } = await import('tinypool');
  const pool = new Tinypool({
    filename: join(__dirname, 'exported-jobs.mjs'),
    minThreads: workers,
    maxThreads: workers,
    name: job,
  });
  return {
    call: (input, transferList) => pool.run(input, { transferList }),
    close: () => pool.destroy(),
  };
}

module.exports = { open };
