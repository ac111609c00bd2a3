'use strict';

const { join } = require('node:path');

const { ROUND_MS, pick } = require('./echo-question.js');
const { processCpuUs } = require('./thread-usage.js');

const NAME = 'V8 alone';

/** The floor's addon, see bench/floor/floor.cc. */
function load() {
  const abi = `abi${process.versions.modules}`;
  const file = join(__dirname, '../../build', abi, 'release/floor.node');
  try {
    return require(file);
  } catch {
    throw new Error('is not there: npm run build -- --tests --target floor');
  }
}

/**
 * A subject for the lines of fresh-jobs.js: worlds made by two threads.
 *
 * @param {'isolates' | 'realms'} world
 */
function worldsAlone(world) {
  return async ({ quick }) => {
    const make = load()[world];
    const ms = pick(ROUND_MS, quick);
    make(2, ms);
    return {
      async round() {
        const begin = performance.now();
        const cpu = processCpuUs();
        const made = make(2, ms);
        return {
          rate: (made * 1000) / (performance.now() - begin),
          cpu: (processCpuUs() - cpu) / made,
        };
      },
    };
  };
}

/** @returns {number} milliseconds until a new thread's new isolate answers */
const startAlone = () => load().start();

/** @returns {{ call: Function, close: Function }} as the pools of peers */
function movesAlone() {
  const { move, end } = load().mover();
  return { call: async (buffer) => move(buffer), close: end };
}

module.exports = { NAME, movesAlone, startAlone, worldsAlone };
