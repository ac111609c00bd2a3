// biome-ignore-all lint/suspicious/noExplicitAny: payloads are the caller's own.

import type { WorkerPool } from './worker-pool.js';

export interface TaskListOptions {
  /** The export to call. Default: the name of the task. */
  task?: string | ((job: any) => string) | undefined;
  /** Milliseconds, of one job. Default: none, as graphile-worker has none. */
  timeoutMs?: number | ((job: any) => number | undefined) | undefined;
  /**
   * False fails the job for good. Default: for jobs whose memory or data does
   * not fit.
   */
  retry?: ((error: Error & { code?: string }) => boolean) | undefined;
  /** graphile-worker's. Default `"graphile_worker"`. */
  schema?: string | undefined;
}

/** @throws {TypeError} */
export function taskList<N extends string>(
  pool: WorkerPool<any>,
  names: readonly N[],
  options?: TaskListOptions | null,
): Record<N, (payload: any, helpers: any) => Promise<void>>;
