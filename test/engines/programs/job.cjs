'use strict';
// A sandbox file. With a ledger it says there that it computes, at every look.

const fs = require('node:fs');

let runs = 0;

function spin(ms, look = () => {}) {
  const end = Date.now() + ms;
  while (Date.now() < end) look();
}

function ledgerOf({ ledger }) {
  if (ledger === undefined) return undefined;
  const me = `${process.pid}.${++runs}`;
  let next = 0;
  return () => {
    const now = Date.now();
    if (now < next) return;
    fs.appendFileSync(ledger, `${me} ${now}\n`);
    next = now + 5;
  };
}

const kinds = {
  echo: ({ value }) => value,
  spin: (data) => {
    spin(data.ms, ledgerOf(data));
    return data.ms;
  },
  loop: () => {
    for (;;);
  },
  throws: () => {
    const error = new RangeError('bad input');
    error.code = 'E_BAD';
    throw error;
  },
  memory: () => {
    const all = [];
    for (;;) all.push(new Array(1000).fill(Math.random()));
  },
};

module.exports = async (job) => {
  if (job.data.kind === 'progress') {
    for (let i = 1; i <= job.data.steps; i++) await job.updateProgress(i);
    await job.log('one');
    await job.log('two');
    return new Date(0);
  }
  return kinds[job.data.kind](job.data);
};
