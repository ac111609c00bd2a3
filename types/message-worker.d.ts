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
  /** `"message"` */
  readonly type: string;
  /** The worker. */
  readonly target: any;
  readonly data: T;
}

export interface WorkerErrorEvent {
  /** `"error"` */
  readonly type: string;
  /** The worker. */
  readonly target: any;
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
  /** Is never called: what cannot be read ends the worker with an error. */
  onmessageerror: ((event: any) => void) | null;

  /** Copies a value; what is in the list, or in `transfer`, is moved. */
  postMessage(
    value: unknown,
    transfer?: readonly any[] | { transfer?: readonly any[] | undefined },
  ): void;
  /** Ends the worker, running code included; gives the exit code. */
  terminate(): Promise<number>;
  ref(): this;
  unref(): this;

  addEventListener<K extends keyof WorkerEventMap>(
    type: K,
    listener: WorkerEventListener<WorkerEventMap[K]>,
    options?: { once?: boolean },
  ): void;
  /** Other types, and other options than `once`, have no effect. */
  addEventListener(type: string, listener: any, options?: unknown): void;
  removeEventListener<K extends keyof WorkerEventMap>(
    type: K,
    listener: WorkerEventListener<WorkerEventMap[K]>,
  ): void;
  removeEventListener(type: string, listener: any): void;
  /** Reaches the listeners above only; false when one prevented its default. */
  dispatchEvent(event: any): boolean;

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
