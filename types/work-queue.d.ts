/// <reference lib="esnext.disposable" />

import type { WorkerResource } from './app.js';
import type {
  DeadlineLike,
  OperationOptions,
  WorkerCancellationSignal,
} from './cancellation.js';
import type { QueueMetrics } from './metrics.js';

/** The policy for a submission to a full queue. */
export type OverflowPolicy = 'reject' | 'backpressure';

/** Milliseconds to wait after a failed attempt; decimals are rounded up. */
export type RetryBackoff = (
  attemptJustFailed: number,
  error: unknown,
) => number;

export interface RetryOptions {
  /** A positive integer. Default 1: no retry. */
  maxAttempts?: number | undefined;
  /** Finite, 0 or more, or a function of the attempt and its error. Default 0. */
  backoffMs?: number | RetryBackoff | undefined;
}

export interface WorkQueueOptions {
  /** Jobs that may wait to run, besides those that run. Default 1024. */
  maxQueued?: number | undefined;
  /**
   * Bound of their payloads together, counted as 8 for a value and 1 for a
   * character or byte. Infinity for no bound. Default 256 MiB.
   */
  maxQueuedBytes?: number | undefined;
  /** Handlers at once. Default 1. */
  concurrency?: number | undefined;
  /** Default `"reject"`. */
  overflow?: OverflowPolicy | null | undefined;
  /** Submissions that may wait for a place. Default `maxQueued`. */
  maxBackpressureWaiters?: number | undefined;
  /** Milliseconds for each attempt, of jobs without one. Default Infinity. */
  runTimeoutMs?: number | undefined;
  /** Histograms from the first job on. Default: from the first `metrics()`. */
  metrics?: boolean | undefined;
  retry?: RetryOptions | null | undefined;
  /** Used when `retry` has none. */
  maxAttempts?: number | undefined;
  /** Used when `retry` has none. */
  backoffMs?: number | RetryBackoff | undefined;
}

/** Frozen. */
export interface WorkQueueJob<T = unknown> {
  /** 1, 2, 3 … in order of admission; the same for each attempt. */
  readonly id: number;
  /** The queue's own copy, the same for each attempt; not frozen. */
  readonly data: T;
  /** Counts from 1. */
  readonly attempt: number;
}

/** Frozen. */
export interface WorkQueueContext {
  /** New for each attempt; follows the caller's signal and the deadline. */
  readonly signal: WorkerCancellationSignal;
  readonly deadline: DeadlineLike | undefined;
  readonly attempt: number;
}

export interface WorkQueueStats {
  /** Admitted. Each ends as one of the next four. */
  readonly enqueued: number;
  readonly completed: number;
  readonly failed: number;
  /** Counts waiters too, which were never enqueued. */
  readonly cancelled: number;
  /** Counts waiters too, which were never enqueued. */
  readonly timedOut: number;
  /** Those of `failed` that used up several attempts. */
  readonly retryExhausted: number;
  /** Submissions that found the queue full: refused, or made to wait. */
  readonly overflow: number;
}

/** A frozen snapshot. */
export interface WorkQueueState {
  readonly name: string;
  readonly stopped: boolean;
  readonly queued: number;
  readonly active: number;
  readonly maxQueued: number;
  readonly concurrency: number;
  readonly overflow: OverflowPolicy;
  readonly stats: WorkQueueStats;
}

export interface WorkQueueStopOptions {
  /** Only `false` rejects queued jobs. Default true. */
  drain?: boolean | undefined;
  /** Reject what is left after this many milliseconds. Default: no limit. */
  timeoutMs?: number | undefined;
}

/**
 * A bounded FIFO queue whose handler runs in the caller's isolate. Sealed.
 *
 * `T` is what jobs carry, `R` what the handler returns.
 */
export interface WorkQueue<T = unknown, R = unknown>
  extends WorkerResource,
    AsyncDisposable,
    Disposable {
  readonly name: string;
  readonly maxQueued: number;
  readonly maxQueuedBytes: number;
  /** Milliseconds, or Infinity. */
  readonly runTimeoutMs: number;
  readonly concurrency: number;
  readonly overflow: OverflowPolicy;
  readonly maxBackpressureWaiters: number;
  readonly retry: Readonly<{
    maxAttempts: number;
    backoffMs: number | RetryBackoff;
  }>;
  /** A new snapshot for each read. */
  readonly state: WorkQueueState;
  /** A new snapshot for each call; the first one starts the histograms. */
  metrics(): QueueMetrics;

  /**
   * Registers the one handler; the queue itself is returned.
   *
   * @throws {TypeError} for anything but a function, and the second time
   */
  process<U extends T = T, S extends R = R>(
    handler: (
      job: WorkQueueJob<U>,
      context: WorkQueueContext,
    ) => S | PromiseLike<S>,
  ): WorkQueue<U, S>;

  /**
   * Submits a copy of `data`. An idle queue calls the handler inside this
   * call. Never throws: every failure is a rejection.
   */
  enqueue(data: T, options?: OperationOptions | null): Promise<R>;

  /** Resolves when nothing is queued, running or waiting. Never rejects. */
  drain(): Promise<void>;

  /** Refuses new jobs; resolves when the admitted ones are over. */
  stop(options?: WorkQueueStopOptions | null): Promise<void>;
}

export const WorkQueue: {
  /**
   * @param name 1 to 128 characters
   * @throws {TypeError}
   */
  create<T = unknown, R = unknown>(
    name: string,
    options?: WorkQueueOptions | null,
  ): WorkQueue<T, R>;
};
