// biome-ignore-all lint/suspicious/noExplicitAny: messages are the caller's own.
/// <reference lib="esnext.disposable" />

import type { WorkerRuntimeOptions } from './message-worker.js';

export type { WorkerRuntime, WorkerRuntimeOptions } from './message-worker.js';

/** The `this` of a handler, besides what the startup module put there. */
export interface QOper8WorkerContext {
  /** The worker's number, from 0. */
  readonly id: number;
  /** Sends an intermediate message; it arrives as `replyReceived`. */
  postMessage(message: any): void;
  on(type: string, listener: (data: any) => void): void;
  off(type: string): void;
  emit(type: string, data?: any): void;
  log(text: unknown): void;
  upTime(): string;
  getMessageCount(): number;
  [custom: string]: any;
}

/** Answers the message and gives the worker back to the pool. */
export type QOper8Finished = (answer?: any) => void;

export type QOper8Handler = (
  this: QOper8WorkerContext,
  message: any,
  finished: QOper8Finished,
) => unknown;

/** `text`, the body of `function (message, finished)`, wins over `module`. */
export type QOper8HandlerSource =
  | { module: string | URL; text?: undefined }
  | { text: string; module?: string | URL };

export interface QOper8Startup {
  /** A module with a named export `onStartupModule(args)`. */
  module: string | URL;
  /** Copied; functions travel by their source text. */
  arguments?: any;
}

export interface QOper8Backup {
  /** A throw of `add` refuses the message; default false: it is logged. */
  readonly required?: boolean;
  /** A message was queued. Not awaited. */
  add?(id: number, requestObject: any): unknown;
  /** Its answer is final. Not awaited. */
  delete?(id: number): unknown;
}

export interface QOper8Options extends WorkerRuntimeOptions {
  /** Workers at once; default 1, at most `maxPoolSize`. */
  poolSize?: number;
  /** Bound of `poolSize` and `setPoolSize()`; default 32. */
  maxPoolSize?: number;
  /** Workers get it when they start. */
  handlersByMessageType?: Map<any, QOper8HandlerSource>;
  /** Default 20000; a hint unless `overflow` is `'reject'`. */
  maxQueueLength?: number;
  /** The same as `maxQueueLength`. */
  maxQLength?: number;
  /**
   * `'reject'`: messages above the queue length are answered with an `error`,
   * `code` SLOPPY_E_WORK_QUEUE_FULL. Default `'accept'`.
   */
  overflow?: 'accept' | 'reject';
  /** Workers get it when they start; default false. */
  logging?: boolean;
  /** `process.exit()` at the end of `stop()`; default false. */
  exitOnStop?: boolean;
  /** Milliseconds from dispatch, loading included; default: no limit. */
  handlerTimeout?: number;
  QBackup?: QOper8Backup;
  /** Seconds; default 60. */
  workerInactivityCheckInterval?: number;
  /** Minutes; default 20. */
  workerInactivityLimit?: number;
  onStartup?: QOper8Startup;
  /**
   * Milliseconds `stop()` waits for running handlers; Infinity: for ever.
   * Default 5000, or `handlerTimeout` + 1000 when that is more.
   */
  stopTimeout?: number;
  /** Idle workers hold the process; default false. */
  keepAlive?: boolean;
}

export interface QOper8Memory {
  /** MiB with two decimals, like the other two. */
  rss: string;
  heapTotal: string;
  heapUsed: string;
}

export interface QOper8WorkerStats {
  threadId: number;
  uptime: string;
  noOfMessages: number;
  memory: QOper8Memory;
  qoper8: { finished: true };
}

export interface QOper8Stats {
  main_process: {
    pid: number;
    upTime: string;
    noOfMessages: number;
    memory: QOper8Memory;
    queue_length: number;
  };
  worker_threads: Record<string, QOper8WorkerStats>;
}

export interface QOper8Events {
  workerStarted: number;
  workerStopped: number;
  addedToQueue: any;
  sentToWorker: { message: any; workerId: number };
  replyReceived: { reply: any; workerId: number };
  QBackupAdd: { id: number; requestObject: any };
  QBackupDelete: number;
  threadExit: any;
  stop: undefined;
  start: undefined;
}

/** A pool of workers fed from one queue, with a handler per message type. */
export class QOper8 {
  constructor(options?: QOper8Options);

  readonly name: string;
  readonly build: string;
  readonly buildDate: string;
  logging: boolean;
  handlersByMessageType: Map<any, QOper8HandlerSource>;

  /**
   * The answer of `finished`; errors are answers with `error`. Rejects only for
   * a message that is no object, that cannot travel
   * (SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD), or that a required QBackup refuses.
   */
  send<T = any>(message: object): Promise<T>;
  message<T = any>(
    message: object,
    callback?: (answer: T, workerId: number) => void,
  ): void;
  log(text: unknown): void;

  /** One listener per event; a second one is ignored until `off`. */
  on<K extends keyof QOper8Events>(
    type: K,
    listener: (this: this, data: QOper8Events[K]) => void,
  ): void;
  on(type: string, listener: (this: this, data: any) => void): void;
  off(type: string): void;
  emit(type: string, data?: any): void;

  /** Messages that wait. */
  getQueueLength(): number;
  /** Resolves once busy workers answer. */
  getStats(): Promise<QOper8Stats>;
  /** Running handlers finish; the queue and its backup are kept. */
  stop(): Promise<void>;
  /** Takes the queue up again after `stop()`. */
  start(): void;
  setPoolSize(size: number): void;
  /** Has no effect when a startup module is set. */
  setOnStartupModule(startup: QOper8Startup): void;
  /** `<d> days <h>:<mm>:<ss>` */
  upTime(): string;
  [Symbol.asyncDispose](): Promise<void>;
}
