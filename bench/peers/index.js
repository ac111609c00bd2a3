'use strict';

/** Every pool with the same face: `open(setting)` -> `{ call, close }`. */
const POOLS = {
  'sloppy-workers': './sloppy-workers.js',
  worker_threads: './worker-threads.js',
  piscina: './piscina.js',
  tinypool: './tinypool.js',
  workerpool: './workerpool.js',
  poolifier: './poolifier.js',
  'isolated-vm': './isolated-vm.js',
};

/** No pool: the floor of questions about the owner. */
const PROMISES = 'promises alone';

const fileOf = (peer) =>
  peer === PROMISES ? './promises-alone.js' : POOLS[peer];

const openPool = (peer, setting) => require(fileOf(peer)).open(setting);

module.exports = { POOL_NAMES: Object.keys(POOLS), PROMISES, openPool };
