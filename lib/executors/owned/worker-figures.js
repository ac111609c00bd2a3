'use strict';
// The figures of a worker's realm, read there.

const { getHeapStatistics } = require('node:v8');

const isThread = !require('node:worker_threads').isMainThread;
// Node 20 has none of a thread.
const cpuUsage = isThread
  ? process.threadCpuUsage?.bind(process)
  : process.cpuUsage.bind(process);
const MICROSECONDS = 1000;

/** @returns {number | null} null: this Node does not tell */
function cpuMs() {
  if (cpuUsage === undefined) return null;
  const { system, user } = cpuUsage();
  return (system + user) / MICROSECONDS;
}

/** @returns {object} see WorkerStats in types/job.d.ts */
function workerFigures() {
  const heap = getHeapStatistics();
  return {
    heapUsedBytes: heap.used_heap_size,
    heapTotalBytes: heap.total_heap_size,
    externalBytes: heap.external_memory,
    cpuMs: cpuMs(),
  };
}

module.exports = { workerFigures };
