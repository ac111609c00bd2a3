'use strict';

const { join } = require('node:path');

async function open({ workers = 1, job }) {
  const { Piscina } = require('piscina');
  const pool = new Piscina({
    filename: join(__dirname, 'exported-jobs.mjs'),
    minThreads: workers,
    maxThreads: workers,
    name: job,
  });
  return {
    pool,
    call: (input, transferList) => pool.run(input, { transferList }),
    close: () => pool.destroy(),
  };
}

module.exports = { open };
