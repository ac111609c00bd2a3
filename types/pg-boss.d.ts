// biome-ignore-all lint/suspicious/noExplicitAny: jobs are the caller's own.

import type { WorkerPool } from './worker-pool.js';

/** The parts of a job of pg-boss that the handler needs. */
export interface BossJob {
  id: string;
  name: string;
  data: any;
  signal: AbortSignal;
  expireInSeconds: number;
}

export interface BossJobResult {
  id: string;
  status: 'completed' | 'failed' | 'deadletter';
  output?: any;
}

export interface HandlerOptions {
  /** The export to call. Default: the name of the queue. */
  task?: string | ((job: any) => string) | undefined;
  /**
   * Milliseconds, of one job. At most 0.25 s less than its `expireInSeconds`,
   * because pg-boss then gives it to another worker.
   */
  timeoutMs?: number | ((job: any) => number | undefined) | undefined;
  /**
   * False sends the job to the dead letters. Default: for jobs whose memory or
   * data does not fit.
   */
  retry?: ((error: Error & { code?: string }) => boolean) | undefined;
}

/**
 * Serves `boss.work(queue, { perJobResults: true }, handler(pool))`.
 *
 * @throws {TypeError}
 */
export function handler(
  pool: WorkerPool<any>,
  options?: HandlerOptions | null,
): (jobs: BossJob[]) => Promise<BossJobResult[]>;
