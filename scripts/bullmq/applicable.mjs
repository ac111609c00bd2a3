/** BullMQ's test files that are about its classes, not about Redis. */
export const FILES = [
  'async_fifo_queue',
  'bulk',
  'child-pool',
  'child_stdio_null',
  'clean',
  'concurrency',
  'deduplication',
  'delay',
  'events',
  'flow',
  'getters',
  'job',
  'job_cancellation',
  'job_cancellation_advanced',
  'job_scheduler',
  'job_scheduler_stress',
  'lock_manager',
  'metrics',
  'obliterate',
  'pause',
  'queue',
  'rate_limiter',
  'stalled_jobs',
  'telemetry_interface',
  'worker',
];

/** Patterns of tests that take the Redis client out of the backend. */
export const REDIS_ONLY = [
  // queue
  'stores the job id consistently in decimal form',
  'stores the parent job id consistently in decimal form',
  // worker
  'recovers when the blocking command never settles',
  'should move the job to failed automatically on the next getNextJob call',
  'should fail the deferred-failure job and return the next waiting job',
  // getters
  'should filter out missing jobs when ids remain in the waiting list',
  'should backfill a bounded range when a job hash is missing',
  'filters jobIds different than marker',
  // deduplication
  '(?<!and )emits deduplicated event',
  'should still deduplicate when dedup job is waiting .not active.',
  // pause
  'should rename the legacy paused list into wait on resume',
  'should fully migrate the legacy paused list in batches on resume',
  // telemetry_interface
  'should trace each fetched job with its propagation metadata',
  // A test of 6.2: later ones end such a job earlier.
  'should allow only retry a job once after it has reached the max attemptsStarted',
];
