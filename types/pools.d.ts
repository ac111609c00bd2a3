// biome-ignore-all lint/suspicious/noExplicitAny: pools of others have other workers.
/// <reference lib="esnext.disposable" />

import type { MessageWorker, WorkerRuntimeOptions } from './message-worker.js';

export type {
  MessageWorker,
  WorkerRuntime,
  WorkerRuntimeOptions,
} from './message-worker.js';

/** A pool, over workers of any kind. */
export interface WorkerPool<W = any> {
  /** Default: the pool's URL. Rejects with the cause if none can start. */
  getWorker(workerURL?: string | URL): Promise<W>;
  releaseWorker(worker: W): void;
  /** 0, 1, 2 ... per pool. */
  getNextRequestId(): number;
  /** Live workers, without those under creation. */
  readonly size: number;
  /** Live workers and creations have reached `maxWorkers`. */
  isFull(): boolean;
  terminate(): void;
  [Symbol.dispose](): void;
}

/** A pool's own worker, also where its type is that of the web's. */
export interface ReleasableWorker {
  terminate(): unknown;
}

export interface TransientWorkerPoolOptions extends WorkerRuntimeOptions {
  workerURL?: string | URL | undefined;
}

export interface ReusableWorkerPoolOptions extends TransientWorkerPoolOptions {
  /** Default 1; fractions are rounded up. */
  maxWorkers?: number | undefined;
}

/** Workers that stay, kept apart by their URL. */
export class ReusableWorkerPool implements WorkerPool {
  constructor(options?: ReusableWorkerPoolOptions);
  readonly size: number;
  /**
   * A new worker while there is room, then the next one of the same URL.
   * Rejects if there is none, and after `terminate()`.
   */
  getWorker(workerURL?: string | URL): Promise<MessageWorker>;
  /** The worker stays for the next user. */
  releaseWorker(worker: ReleasableWorker): void;
  getNextRequestId(): number;
  isFull(): boolean;
  /** Changes `maxWorkers`; surplus workers end once they are released. */
  resize(maxWorkers: number): void;
  /** Ends all workers, for good. */
  terminate(): void;
  [Symbol.dispose](): void;
}

/** A new worker each time, ended by its release. */
export class TransientWorkerPool implements WorkerPool {
  constructor(options?: TransientWorkerPoolOptions);
  readonly size: 0;
  getWorker(workerURL?: string | URL): Promise<MessageWorker>;
  releaseWorker(worker: ReleasableWorker): void;
  getNextRequestId(): number;
  isFull(): false;
  /** Does nothing: workers in use go on. */
  terminate(): void;
  [Symbol.dispose](): void;
}

/** The part of a pool that a session uses. */
export interface SessionPool<W = any> {
  getWorker(workerURL?: string | URL): Promise<W>;
  releaseWorker(worker: any): void;
  getNextRequestId(): number;
}

export interface WorkerSessionOptions<W = MessageWorker>
  extends WorkerRuntimeOptions {
  workerURL?: string | URL | undefined;
  workerPool?: SessionPool<W> | undefined;
}

/** One worker for the length of a scope. */
export class WorkerSession<W = MessageWorker> {
  private constructor();
  /** Takes a worker of the pool, or starts one that ends with the session. */
  static create<W = MessageWorker>(
    options?: WorkerSessionOptions<W>,
  ): Promise<WorkerSession<W>>;
  getWorker(): W;
  getNextRequestId(): number;
  [Symbol.dispose](): void;
}
