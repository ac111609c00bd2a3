// biome-ignore-all lint/suspicious/noExplicitAny: messages are the caller's own.
/// <reference lib="esnext.disposable" />

import type { MessageWorkerPoolOptions, WorkerPool } from './pool.js';

export type { MessageWorkerPoolOptions } from './pool.js';

/** The exports of the handlers module. */
export interface TaskHandlers {
  [name: string]: (payload: any) => any;
}

/** Runs named tasks of one CommonJS module in workers. */
export class Scheduler {
  constructor(
    numWorkers: number,
    modulePath: string,
    options?: MessageWorkerPoolOptions,
  );

  readonly workerPool: WorkerPool;

  /** Gives out tasks again after the pool was stopped. */
  start(): void;
  /** Rejects with `Task <name> failed: <message>`; `cause` is the pool's error. */
  runTask<R = any>(name: string, payload?: any): Promise<R>;
  /** Ends the workers. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
