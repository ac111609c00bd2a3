'use strict';

const { OwnedPool } = require('../owned/owned-pool.js');
const { ThreadLine } = require('./thread-line.js');

/**
 * The executor of pools and workers with `runtime: 'thread'`: Node's own
 * worker_threads.
 */
class ThreadPool extends OwnedPool {
  constructor(settings) {
    super(settings, ThreadLine);
  }
}

module.exports = { ThreadPool };
