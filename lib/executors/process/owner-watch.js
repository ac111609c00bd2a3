'use strict';

const { Worker } = require('node:worker_threads');

// Reads by a stream, because a read that blocks would hold process.exit().
const WATCH = `
  const { Socket } = require('node:net');
  const { workerData: fd } = require('node:worker_threads');
  const end = () => process.kill(process.pid, 'SIGKILL');
  new Socket({ fd, readable: true }).on('error', end).on('close', end).resume();
`;

/**
 * Ends this process when its owner's end of a pipe is closed, also in the middle
 * of an endless loop: a thread waits for that.
 *
 * @param {number} fd of the pipe
 */
function watchOwner(fd) {
  const watch = new Worker(WATCH, {
    eval: true,
    workerData: fd,
    execArgv: [],
    env: {},
  });
  watch.unref();
}

module.exports = { watchOwner };
