import pool from './message-pool.js';

export const { MessageWorkerPool, WorkerPool } = pool;
