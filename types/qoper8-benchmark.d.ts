import type { QOper8Backup, WorkerRuntimeOptions } from './qoper8.js';

export interface BenchmarkOptions extends WorkerRuntimeOptions {
  /** Default 1. */
  poolSize?: number;
  /** Default 5000. */
  maxMessages?: number;
  /** Messages sent at once; default 100. */
  blockLength?: number;
  /** Milliseconds between two blocks; default 200. */
  delay?: number;
  maxQLength?: number;
  logging?: boolean;
  QBackup?: QOper8Backup;
  /** Ends the process after the run; default true. */
  exitOnStop?: boolean;
}

export interface BenchmarkResult {
  messages: number;
  seconds: number;
  /** Messages per second. */
  rate: number;
  messagesByWorker: Record<string, number>;
}

/** Prints the throughput of a pool with a handler that does next to nothing. */
export function benchmark(options?: BenchmarkOptions): Promise<BenchmarkResult>;
