'use strict';

const { setTimeout: sleep } = require('node:timers/promises');
const { Worker } = require('node:worker_threads');

const { library } = require('../lib/library.js');
const { starts, startsInARow } = require('../lib/starts.js');

// About as long as a spare takes to be there.
const REST_MS = 5;

const subject =
  (peer, prepare) =>
  async ({ quick }) => {
    await startsInARow(starts[peer], 2, prepare);
    return {
      round: () => startsInARow(starts[peer], quick ? 2 : 9, prepare),
    };
  };

// The floor: one message to a thread that is there and sleeps, and its answer.
const ECHO = `const { parentPort } = require('node:worker_threads');
parentPort.on('message', (value) => parentPort.postMessage(value));`;

async function messageToSleeper({ quick }) {
  const thread = new Worker(ECHO, { eval: true });
  const answer = () =>
    new Promise((resolve) => thread.once('message', resolve));
  const ask = async () => {
    thread.postMessage(1);
    await answer();
    return () => {};
  };
  const rest = () => sleep(REST_MS);
  await startsInARow(ask, 2, rest);
  return {
    round: () => startsInARow(ask, quick ? 2 : 9, rest),
    close: () => thread.terminate(),
  };
}

module.exports = {
  title:
    'A pool of one whose worker was started ahead (prewarm), beside a new Worker',
  lines: {
    ms: {
      title: 'median',
      unit: 'ms',
      better: 'lower',
      goals: [{ peer: 'worker_threads', ratio: 1 / 100 }],
    },
  },
  subjects: {
    'sloppy-workers': subject('sloppy-workers', () => library.prewarm()),
    // Node keeps none: the whole start is the only way.
    worker_threads: subject('worker_threads'),
    'a message to a Worker that sleeps': messageToSleeper,
  },
};
