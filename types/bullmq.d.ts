// biome-ignore-all lint/suspicious/noExplicitAny: jobs are the caller's own.

import type { IsolateOptions } from './job.js';
import type { WorkerPool, WorkerPoolOptions } from './worker-pool.js';

/**
 * The parts of a job that a processor needs. BullMQ's `Job` has them, on any
 * store.
 */
export interface EngineJob<T = any> {
  id?: string;
  name: string;
  data: T;
  updateProgress(progress: any): Promise<void>;
  log(row: string): Promise<number>;
  moveToWait(token?: string): Promise<any>;
  moveToDelayed(timestamp: number, token?: string): Promise<void>;
  asJSONSandbox(): any;
}

/** The parts of a Worker that `attach` needs. */
export interface EngineWorker {
  readonly opts: { lockDuration?: number | undefined };
  on(event: any, listener: (...args: any[]) => void): any;
  close(force?: boolean): Promise<void>;
}

interface SharedOptions {
  /** Milliseconds, counted from the call, after which a job ends. Default: none. */
  timeoutMs?: number | ((job: any) => number | undefined) | undefined;
  /**
   * The export to call. Default: of a pool the job's name; of a file its
   * default export, or where it has none, the one of the job's name.
   */
  task?: string | ((job: any) => string) | undefined;
  /**
   * False fails the job for good. Default: for
   * SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED, …_UNSUPPORTED_PAYLOAD and
   * …_MESSAGE_SERIALIZATION_FAILED.
   */
  retry?: ((error: Error & { code?: string }) => boolean) | undefined;
  /**
   * Milliseconds after `close()` of an attached Worker in which jobs may finish
   * before they are ended and given back. Default 5000; Infinity waits for them,
   * as BullMQ does.
   */
  closeTimeoutMs?: number | undefined;
}

/** Options with a pool that is the caller's own. */
export type PoolProcessorOptions = SharedOptions;

/** Options with a file: its pool is made with these. */
export interface FileProcessorOptions
  extends SharedOptions,
    IsolateOptions,
    Omit<WorkerPoolOptions, 'module' | 'init' | 'host'> {
  /** Text that jobs print goes to `job.log` too. Default false. */
  logs?: boolean | undefined;
  /** The pool's. Default `"bullmq"`. */
  name?: string | undefined;
}

/** A Processor of BullMQ, with what is around it. */
export interface PoolProcessor<T = any, R = any> {
  (job: EngineJob<T>, token?: string, signal?: AbortSignal): Promise<R>;
  /**
   * The pool that runs the jobs; its metrics are `pool.metrics()`. Another one
   * after the last attached Worker has closed and there is a new one.
   */
  readonly pool: WorkerPool<any>;
  /**
   * Ends a job before its lock is over, warns of settings that lose jobs, and
   * stops the pool with the last attached Worker; a later one gets a new pool.
   *
   * @returns the same Worker
   */
  attach<W extends EngineWorker>(worker: W): W;
  /**
   * Closes the attached Workers. Jobs that still run after `timeoutMs`,
   * default 5000, are ended and given back; no attempt is counted. Two seconds
   * later it resolves even if the server does not answer.
   */
  stop(options?: { timeoutMs?: number | undefined }): Promise<void>;
}

/** @throws {TypeError} options; @throws {Error} there is no such file */
export function processor<T = any, R = any>(
  target: string | URL,
  options?: FileProcessorOptions | null,
): PoolProcessor<T, R>;
export function processor<T = any, R = any>(
  target: WorkerPool<any>,
  options?: PoolProcessorOptions | null,
): PoolProcessor<T, R>;
