/// <reference lib="esnext.disposable" />

import type { MessageWorker, WorkerRuntimeOptions } from './message-worker.js';

export type {
  MessageWorker,
  WorkerRuntime,
  WorkerRuntimeOptions,
} from './message-worker.js';

/** What a session needs of a pool; any object with it will do. */
export interface WorkerPool<W = MessageWorker> {
  getWorker(workerURL?: string | URL): Promise<W>;
  releaseWorker(worker: W): void;
  /** 0, 1, 2 ... per pool. */
  getNextRequestId(): number;
  /** Live workers, without those under creation. */
  readonly size: number;
  isFull(): boolean;
  terminate(): void;
  [Symbol.dispose](): void;
}

export interface TransientWorkerPoolOptions extends WorkerRuntimeOptions {
  workerURL?: string | URL | undefined;
}

export interface ReusableWorkerPoolOptions extends TransientWorkerPoolOptions {
  /** Default 1. */
  maxWorkers?: number | undefined;
}

/** Workers that stay, kept apart by their URL. */
export class ReusableWorkerPool implements WorkerPool {
  constructor(options?: ReusableWorkerPoolOptions);
  readonly size: number;
  getWorker(workerURL?: string | URL): Promise<MessageWorker>;
  releaseWorker(worker: MessageWorker): void;
  getNextRequestId(): number;
  isFull(): boolean;
  /** Changes `maxWorkers`; surplus workers end once they are released. */
  resize(maxWorkers: number): void;
  terminate(): void;
  [Symbol.dispose](): void;
}

/** A new worker each time, ended by its release. */
export class TransientWorkerPool implements WorkerPool {
  constructor(options?: TransientWorkerPoolOptions);
  readonly size: 0;
  getWorker(workerURL?: string | URL): Promise<MessageWorker>;
  releaseWorker(worker: MessageWorker): void;
  getNextRequestId(): number;
  isFull(): false;
  terminate(): void;
  [Symbol.dispose](): void;
}

export interface WorkerSessionOptions<W = MessageWorker>
  extends WorkerRuntimeOptions {
  workerURL?: string | URL | undefined;
  workerPool?:
    | Pick<WorkerPool<W>, 'getWorker' | 'releaseWorker' | 'getNextRequestId'>
    | undefined;
}

/** One worker for the length of a scope. */
export class WorkerSession<W = MessageWorker> {
  private constructor();
  static create<W = MessageWorker>(
    options?: WorkerSessionOptions<W>,
  ): Promise<WorkerSession<W>>;
  getWorker(): W;
  getNextRequestId(): number;
  [Symbol.dispose](): void;
}
