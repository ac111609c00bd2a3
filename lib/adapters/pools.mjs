import pools from './pools.js';

export const { ReusableWorkerPool, TransientWorkerPool, WorkerSession } = pools;
