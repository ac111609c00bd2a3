'use strict';

const { execFile } = require('node:child_process');
const { join } = require('node:path');
const { promisify } = require('node:util');

const { publishedLibrary } = require('../lib/published.js');
const { median } = require('../lib/stats.js');
const { POOL_NAMES } = require('../peers/index.js');

const PROGRAM = join(__dirname, '..', 'lib', 'first-answer.js');
const PROCESSES = { full: 9, quick: 1 };

const run = promisify(execFile);

/** Medians of new processes, whose program finds the library by `env`. */
const processes = (peer, quick, env) => async () => {
  const samples = [];
  const count = quick ? PROCESSES.quick : PROCESSES.full;
  while (samples.length < count) {
    const { stdout } = await run(process.execPath, [PROGRAM, peer], {
      env: { ...process.env, ...env },
    });
    samples.push(Number(stdout));
  }
  return { ms: median(samples) };
};

const subjects = {};
for (const peer of POOL_NAMES) {
  subjects[peer] = async ({ quick }) => ({ round: processes(peer, quick) });
}
// As its users have it.
subjects['sloppy-workers'] = async ({ quick }) => {
  const { env, remove } = await publishedLibrary();
  return { round: processes('sloppy-workers', quick, env), close: remove };
};
subjects['sloppy-workers, from the repository'] = async ({ quick }) => ({
  round: processes('sloppy-workers', quick),
});

module.exports = {
  title: 'A new process: from its first line to the first answer of a pool',
  lines: {
    ms: {
      title: 'median, with loading the library',
      unit: 'ms',
      better: 'lower',
      goals: [{ peer: 'worker_threads', ratio: 1 }],
    },
  },
  subjects,
};
