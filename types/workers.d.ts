// The module `sloppy/workers`: seven values, and the types around them.

export * from './background-service.js';
export * from './cancellation.js';
export * from './errors.js';
export * from './job.js';
export * from './metrics.js';
export * from './work-queue.js';
export * from './worker.js';
export * from './worker-pool.js';
