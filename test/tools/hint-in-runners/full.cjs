const { WorkerPool } = require('sloppy-workers');

/** Rejects with SLOPPY_E_WORK_QUEUE_FULL. */
exports.refused = async () => {
  const pool = WorkerPool.create('full', { maxQueued: 1 });
  try {
    await Promise.all([1, 2, 3].map(() => pool.run(() => 1)));
  } finally {
    await pool.stop();
  }
};
