/// <reference lib="esnext.disposable" />

import type { WorkerResource } from './app.js';
import type {
  CpuProfileOptions,
  ExportNames,
  HeapSnapshotOptions,
  InitOptions,
  InvokeArguments,
  IsolateOptions,
  ResultOf,
  StopOptions,
  StopReport,
  UncaughtOrigin,
  UntypedModule,
  WorkerCallOptions,
  WorkerStats,
} from './job.js';
import type { PoolMetrics } from './metrics.js';

export interface WorkerOptions extends IsolateOptions {
  /** Prepares the isolate; `module` defaults to the worker's own. */
  init?: InitOptions | undefined;
  /** Histograms from the first call on. Default: from the first `metrics()`. */
  metrics?: boolean | undefined;
  /** Time for the module's top level. Default 30 000. */
  startTimeoutMs?: number | undefined;
}

/** The arguments of `post`: those of the export `onMessage`. */
export type PostArguments<M> = M extends {
  onMessage: infer F extends (payload: never, context: never) => unknown;
}
  ? InvokeArguments<F, WorkerCallOptions>
  : InvokeArguments<UntypedModule[string], WorkerCallOptions>;

/** The value that `post` resolves with. */
export type PostResult<M> = M extends { onMessage: infer F }
  ? ResultOf<F>
  : unknown;

/**
 * An isolate with one module in it, on a thread of its own. Sealed.
 *
 * `M` is the module: `Worker.start<typeof import('./parser.js')>(path)`.
 */
export interface Worker<M = UntypedModule>
  extends WorkerResource,
    AsyncDisposable,
    Disposable {
  /** The path that `Worker.start` was given. */
  readonly modulePath: string | URL;
  /** A new snapshot for each call; the first one starts the histograms. */
  metrics(): PoolMetrics;

  /**
   * Calls an exported function with a copy of the payload. One call runs at a
   * time, in order; 64 may be outstanding. Never throws: every failure is a
   * rejection.
   */
  invoke<K extends ExportNames<M>>(
    exportName: K,
    ...args: InvokeArguments<M[K], WorkerCallOptions>
  ): Promise<ResultOf<M[K]>>;

  /**
   * Writes what the worker spends its time with, also while a job loops.
   *
   * @returns the files
   */
  cpuProfile(options: CpuProfileOptions): Promise<string[]>;
  /** Writes what is in the worker's heap; as `cpuProfile`. */
  heapSnapshot(options: HeapSnapshotOptions): Promise<string[]>;
  stats(): Promise<WorkerStats>;

  /** Calls the export `onMessage`; see `invoke`. */
  post(...args: PostArguments<M>): Promise<PostResult<M>>;

  /**
   * Receives what the module sends with `postMessage(value)` (in a thread with
   * `parentPort.postMessage(value)` too), and what calls without an `onMessage`
   * of their own send with `context.emit(value)`. What a callback throws is a
   * warning, SLOPPY_W_LISTENER_THREW.
   *
   * @returns unsubscribes; harmless when called again
   * @throws {SloppyWorkerError} SLOPPY_E_WORKER_STALE_HANDLE after `stop()`
   * @throws {TypeError}
   */
  onMessage<T = unknown>(callback: (value: T) => void): () => void;

  /**
   * Receives what nobody in the isolate caught. Without a listener it is
   * printed to stderr; the isolate goes on either way.
   *
   * @returns unsubscribes; harmless when called again
   * @throws {SloppyWorkerError} SLOPPY_E_WORKER_STALE_HANDLE after `stop()`
   * @throws {TypeError}
   */
  onError(
    callback: (error: unknown, origin: UncaughtOrigin) => void,
  ): () => void;

  /** Its calls keep the process alive, as they do by default. */
  ref(): this;
  /**
   * Its calls, also those under way, keep the process alive no more: it may
   * exit before they settle. `stop` does until it resolves.
   */
  unref(): this;

  /** Lets admitted calls finish and ends the isolate. Idempotent. */
  stop(options?: StopOptions | null): Promise<StopReport>;
}

export const Worker: {
  /**
   * Loads an ES module into a new isolate. Never throws: every failure is a
   * rejection.
   *
   * @param modulePath a path, against the working directory, or a file: URL
   */
  start<M = UntypedModule>(
    modulePath: string | URL,
    options?: WorkerOptions | null,
  ): Promise<Worker<M>>;
};
