// biome-ignore-all lint/suspicious/noExplicitAny: functions of any kind.
/// <reference lib="esnext.disposable" />

import type { WorkerResource } from './app.js';
import type { OperationOptions } from './cancellation.js';
import type {
  ExportNames,
  InvokeArguments,
  IsolateOptions,
  JobContext,
  JobOptions,
  ResultOf,
  StopOptions,
  StopReport,
  Tasks,
  UntypedModule,
} from './job.js';
import type { OverflowPolicy, WorkQueueState } from './work-queue.js';

/** What one `run` may be told. */
export interface RunOptions<T = unknown> extends JobOptions {
  /** Copied into the isolate; default null. */
  input?: T | undefined;
}

export interface WorkerPoolOptions extends IsolateOptions {
  /** Threads, hence jobs at once. Default 1. */
  workers?: number | undefined;
  /** Jobs that may wait to run, besides those that run. Default 64. */
  maxQueued?: number | undefined;
  /** What their payloads may measure together. Default 256 MiB. */
  maxQueuedBytes?: number | undefined;
  /** Default `"reject"`. */
  overflow?: OverflowPolicy | null | undefined;
  /** Submissions that may wait for a place. Default `maxQueued`. */
  maxBackpressureWaiters?: number | undefined;
}

/** A frozen snapshot. */
export interface WorkerPoolState {
  readonly name: string;
  readonly workers: number;
  readonly maxQueued: number;
  /** Of the queue in front of the workers; its name is `<name>:pool`. */
  readonly queue: WorkQueueState;
}

/** A bounded queue in front of isolates on threads of their own. Sealed. */
export interface WorkerPool<M = UntypedModule>
  extends WorkerResource,
    AsyncDisposable,
    Disposable {
  readonly name: string;
  /** A new snapshot for each read. */
  readonly state: WorkerPoolState;

  /**
   * Runs a function in one of the pool's isolates. It is sent as source text:
   * nothing around it exists there, it sees its context only. Never throws:
   * every failure is a rejection.
   */
  run<T = null, R = unknown>(
    fn: (context: JobContext<T>) => R | PromiseLike<R>,
    options?: RunOptions<T> | null,
  ): Promise<R>;

  /** Resolves when nothing is queued, running or waiting. Never rejects. */
  drain(): Promise<void>;

  /** Refuses new jobs, and resolves when the threads have ended. */
  stop(options?: StopOptions | null): Promise<StopReport>;
}

export const WorkerPool: {
  /**
   * @param name 1 to 128 characters
   * @throws {TypeError}
   * @throws {SloppyWorkerError} SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED: a
   *   limit out of range
   */
  create<M = UntypedModule>(
    name: string,
    options?: WorkerPoolOptions | null,
  ): WorkerPool<M>;
};
