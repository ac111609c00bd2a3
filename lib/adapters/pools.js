'use strict';

const { ReusableWorkerPool } = require('./pools/reusable-worker-pool.js');
const { TransientWorkerPool } = require('./pools/transient-worker-pool.js');
const { WorkerSession } = require('./pools/worker-session.js');

module.exports = { ReusableWorkerPool, TransientWorkerPool, WorkerSession };
