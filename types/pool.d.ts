// biome-ignore-all lint/suspicious/noExplicitAny: messages are the caller's own.
/// <reference lib="esnext.disposable" />

import type { MessageWorker, WorkerRuntimeOptions } from './message-worker.js';

export type {
  MessageWorker,
  WorkerRuntime,
  WorkerRuntimeOptions,
} from './message-worker.js';

export interface MessageWorkerPoolOptions extends WorkerRuntimeOptions {
  /** Idle workers hold the process; default false. */
  keepAlive?: boolean | undefined;
}

/** The message that the pool sends to a worker. */
export interface WorkerTask<T = any> {
  id: number;
  data: T;
}

/** The message that a worker sends back. */
export type WorkerAnswer<R = any> =
  | { callbackId: number; result: R; error?: undefined }
  | {
      callbackId: number;
      error: string | { message: string; [key: string]: any };
    };

/** Workers that answer tasks by messages, one task per worker at a time. */
export class WorkerPool<T = any, R = any> {
  /** Starts all workers at once; `workerNumber` is 1 by default. */
  constructor(
    workerNumber: number | undefined,
    workerPath: string | URL,
    workerData?: any,
    options?: MessageWorkerPoolOptions,
  );

  readonly workerNumber: number;
  readonly workerPath: string | URL;
  /** Tasks that run now. */
  readonly pendingTasks: number;
  /** The live workers. */
  readonly workerPool: ReadonlySet<MessageWorker>;
  readonly stopped: boolean;

  /**
   * Queues a task. Rejects with the worker's own `error` value if that is
   * truthy; with SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD: data that cannot travel;
   * SLOPPY_E_WORK_QUEUE_STOPPED: after `terminate()`;
   * SLOPPY_E_WORKER_SHUTDOWN_CANCELLED: ended by `terminate()`;
   * SLOPPY_E_WORKER_CRASHED: its worker died.
   */
  submit(data: T): Promise<R>;
  /** Gives out no more tasks; those that run end, the queue is kept. */
  stop(): void;
  /** Gives out tasks again. */
  resume(): void;
  /** Resolves when no task runs. */
  wait(): Promise<void>;
  /** Ends all workers; gives the number left, 0. */
  terminate(): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
}

export { WorkerPool as MessageWorkerPool };
