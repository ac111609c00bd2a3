import type { WorkerPoolOptions } from './worker-pool.js';

/** Those of the pools to come. */
export interface PrewarmOptions
  extends Omit<
    WorkerPoolOptions,
    'argv' | 'env' | 'host' | 'init' | 'runtime'
  > {
  /** The number of workers kept ready, 0 to 1024. Default 1; 0 ends them. */
  spares?: number | undefined;
}

/**
 * Keeps workers ready for pools that do not exist yet: a `WorkerPool.create`
 * with the same options takes one as its first worker, and another is started
 * in its place. Resolves when they are up.
 *
 * @throws {TypeError}
 * @throws {SloppyWorkerError} SLOPPY_E_WORKER_POOL_UNAVAILABLE: the system has
 *   no thread; SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE: no addon;
 *   SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED: a limit out of range
 */
export function prewarm(options?: PrewarmOptions | null): Promise<void>;
