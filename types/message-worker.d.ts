// biome-ignore-all lint/suspicious/noExplicitAny: messages are the caller's own.
/// <reference types="node" />

import type { EventEmitter } from 'node:events';
import type { WorkerRuntime } from './job.js';

export type { WorkerRuntime };

export interface WorkerRuntimeOptions {
  /** Default `"isolate"`. */
  runtime?: WorkerRuntime | undefined;
  /** Heap limit of each worker; default: the runtime's. */
  memoryLimitMb?: number | undefined;
}

export interface WorkerMessageEvent<T = any> {
  readonly type: 'message';
  readonly target: MessageWorker;
  readonly data: T;
}

export interface WorkerErrorEvent {
  readonly type: 'error';
  readonly target: MessageWorker;
  readonly error: any;
  readonly message: string | undefined;
}

export interface WorkerEventMap {
  message: WorkerMessageEvent;
  error: WorkerErrorEvent;
}

export type WorkerEventListener<E> =
  | ((this: MessageWorker, event: E) => void)
  | { handleEvent(event: E): void };

/** One worker that speaks by messages. */
export interface MessageWorker extends EventEmitter {
  /** The exit code once the worker ended. */
  readonly exitCode: number | undefined;
  /** True from `terminate()`, or from the worker's own end. */
  readonly exiting: boolean;
  onmessage: ((event: WorkerMessageEvent) => void) | null;
  onerror: ((event: WorkerErrorEvent) => void) | null;

  /** Copies a value; what is in `transferList` is moved. */
  postMessage(value: unknown, transferList?: readonly any[]): void;
  /** Ends the worker, running code included; gives the exit code. */
  terminate(): Promise<number>;
  ref(): this;
  unref(): this;

  addEventListener<K extends keyof WorkerEventMap>(
    type: K,
    listener: WorkerEventListener<WorkerEventMap[K]>,
    options?: { once?: boolean },
  ): void;
  removeEventListener<K extends keyof WorkerEventMap>(
    type: K,
    listener: WorkerEventListener<WorkerEventMap[K]>,
  ): void;

  on(event: 'online', listener: () => void): this;
  on(event: 'message', listener: (value: any) => void): this;
  on(event: 'error', listener: (err: any) => void): this;
  on(event: 'exit', listener: (code: number, cause?: any) => void): this;
  on(event: string | symbol, listener: (...args: any[]) => void): this;
  once(event: 'online', listener: () => void): this;
  once(event: 'message', listener: (value: any) => void): this;
  once(event: 'error', listener: (err: any) => void): this;
  once(event: 'exit', listener: (code: number, cause?: any) => void): this;
  once(event: string | symbol, listener: (...args: any[]) => void): this;
}
