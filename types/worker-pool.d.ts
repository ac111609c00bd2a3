// biome-ignore-all lint/suspicious/noExplicitAny: functions of any kind.
/// <reference lib="esnext.disposable" />

import type { WorkerResource } from './app.js';
import type { DeadlineLike, OperationOptions } from './cancellation.js';
import type {
  CpuProfileOptions,
  ExportNames,
  HeapSnapshotOptions,
  InitOptions,
  InputOf,
  InvokeArguments,
  IsolateOptions,
  JobContext,
  JobOptions,
  JobReceipt,
  JobTypes,
  ResultOf,
  SandboxLayer,
  SharedOf,
  StopOptions,
  StopReport,
  Tasks,
  UncaughtOrigin,
  UntypedModule,
  WorkerIdentity,
  WorkerOutput,
  WorkerStats,
  YieldOf,
} from './job.js';
import type { PoolMetrics } from './metrics.js';
import type { OverflowPolicy, WorkQueueState } from './work-queue.js';

/** Options of one `run`. */
export interface RunOptions<T = unknown, C extends JobTypes = JobTypes>
  extends JobOptions<C> {
  /**
   * Copied into the isolate; default null. An async iterable is streamed, as
   * far as the job takes its values. It is opened when the job starts; a
   * stream of Node's is destroyed also when the job never runs.
   */
  input?: T | undefined;
  /**
   * The modules that the function imports: `context.modules` has the namespaces
   * by these names. Paths are against the working directory, packages are
   * looked for from there; for other places give a URL,
   * `import.meta.resolve(…)`.
   */
  modules?: Readonly<Record<string, string | URL>> | undefined;
}

/** Options of one `broadcast`. */
export interface BroadcastOptions<T = unknown> {
  /** The same for all workers; copied, never streamed. Default null. */
  input?: T | undefined;
  /**
   * The call runs in every worker that starts later or gets new globals too,
   * before its first job. Default false.
   */
  later?: boolean | undefined;
  /** The same as of `run`. */
  modules?: Readonly<Record<string, string | URL>> | undefined;
  /** Cancels what has not ended, and ends `later`. */
  signal?: OperationOptions['signal'];
  /** Time of each worker from when it is asked; of later ones too. */
  timeoutMs?: number | undefined;
  /** Time of each worker from its start. Default: the pool's. */
  runTimeoutMs?: number | undefined;
}

/** The object that `pool.share` returns. Sealed. */
export interface SharedValue<T = unknown> extends Disposable {
  readonly name: string;
  /** The bytes that it takes, encoded. 0 when it was released. */
  readonly bytes: number;
  readonly released: boolean;
  /**
   * Shares another value instead, with jobs that are submitted from now on.
   *
   * @throws as `pool.share`
   */
  update(value: T): this;
  /**
   * Gives its memory back: here at once, in each worker when it is idle or its
   * next job reads what is shared. Jobs that have read it keep it.
   */
  release(): void;
}

export interface MapOptions<C extends JobTypes = JobTypes>
  extends JobOptions<C> {
  /** The same as of `run`. */
  modules?: Readonly<Record<string, string | URL>> | undefined;
  /** Values under way at once. Default twice the workers. */
  concurrency?: number | undefined;
}

/** The `this` of a host function. */
export interface HostCall {
  readonly signal: OperationOptions['signal'];
  readonly deadline: DeadlineLike | undefined;
}

/** Functions of the owner that jobs may call: `context.host.name(...)`. */
export type Host = Record<string, (this: HostCall, ...args: any[]) => unknown>;

export interface WorkerPoolOptions extends IsolateOptions {
  /** Threads, hence jobs at once. Default 1. */
  workers?: number | undefined;
  /**
   * Jobs that one worker may have begun, for jobs that await: a worker takes
   * another while those before it wait. Default 1. Above 1 it excludes
   * `cpuLimitMs` and an `isolation` other than `"worker"`.
   */
  concurrentJobsPerWorker?: number | undefined;
  /**
   * Those that start at once and stay when idle. Lost ones are replaced. After
   * `resize` to fewer, as many as there may be; to more, all again. Default 0.
   */
  minWorkers?: number | undefined;
  /**
   * An ES module that every worker loads: a path, against the working
   * directory, or a file: URL. Its exports are for `invoke`.
   */
  module?: string | URL | undefined;
  /** Prepares each worker before its first job. Default nothing. */
  init?: InitOptions | undefined;
  /** The one door out of the isolates. Default none. */
  host?: Host | undefined;
  /** Idle workers beyond `minWorkers` leave after this. Default Infinity. */
  idleTimeoutMs?: number | undefined;
  /**
   * A worker's isolate is renewed after this many jobs, or somewhat more while
   * another worker's is. Default Infinity.
   */
  recycleAfterJobs?: number | undefined;
  /** A heap above this after a job has its isolate renewed. Default Infinity. */
  recycleAboveMb?: number | undefined;
  /**
   * Jobs that may wait to run, besides those that run. 0: a call that finds no
   * free worker is refused. Default 64.
   */
  maxQueued?: number | undefined;
  /** Bound of their payloads together, in bytes. Default 256 MiB. */
  maxQueuedBytes?: number | undefined;
  /** Default `"reject"`. */
  overflow?: OverflowPolicy | null | undefined;
  /** Submissions that may wait for a place. Default `maxQueued`, at least 1. */
  maxBackpressureWaiters?: number | undefined;
  /** Histograms from the first job on. Default: from the first `metrics()`. */
  metrics?: boolean | undefined;
  /**
   * The waiting job that starts next. `"priority"`: the most urgent, of these
   * the oldest. `"deadline"`: the one with the earliest `deadline` or
   * `timeoutMs`; those without either come last, by priority. Default
   * `"priority"`.
   */
  order?: 'priority' | 'deadline' | undefined;
  /**
   * Milliseconds after which a waiting job gains a priority, and again, so that
   * one of low priority starts some time. Only with the order `"priority"`.
   * Default Infinity.
   */
  agingMs?: number | undefined;
  /**
   * Jobs of one `key` that run at once. Default 1. Above 1, `order` must be
   * `"priority"`.
   */
  maxPerKey?: number | undefined;
  /** Jobs of one `key` that may wait, besides `maxPerKey`. Default Infinity. */
  maxQueuedPerKey?: number | undefined;
  /**
   * Whether a job with a `key` runs in the worker that had the last job of that
   * key if that worker is free, for what it keeps in memory. It waits for none.
   * Default false.
   */
  affinity?: boolean | undefined;
  /** Called whenever the last job that had to wait has got its worker. */
  onQueueDrain?: (() => void) | undefined;
}

/** A frozen snapshot. */
export interface WorkerPoolState {
  readonly name: string;
  readonly workers: number;
  readonly maxQueued: number;
  /** The queue in front of the workers; its name is `<name>:pool`. */
  readonly queue: WorkQueueState;
}

/** `pool.on(name, listener)`: the listeners' arguments. */
export interface WorkerPoolEvents {
  /** Room is there again after `needsDrain`. */
  drain: [];
  /** Nothing is queued, running or waiting any more. */
  idle: [];
  /** A thread started: with a job that found nobody idle, or `minWorkers`. */
  workerStarted: [worker: WorkerIdentity];
  /** A thread ended. */
  workerExit: [worker: WorkerIdentity];
  /**
   * A worker has printed, by the console or `process.stdout` and `stderr`; without
   * a listener: to the process's.
   */
  output: [output: WorkerOutput];
  /** A job has settled and its worker is done with it. */
  job: [receipt: JobReceipt];
  /**
   * A value that a job without an `onMessage` emits, that the module posts with
   * `postMessage(value)`, or that a thread posts with
   * `parentPort.postMessage(value)`.
   */
  message: [value: unknown];
  /**
   * An error that nobody in a worker caught; without a listener: to stderr. Or
   * the failure of a `broadcast` with `later` in a later worker; without: a
   * warning.
   */
  error: [error: unknown, origin: UncaughtOrigin | 'broadcast'];
}

/** How the processes of a pool with `sandbox` are locked down. */
export interface PoolSandbox {
  /** Whether each holds. */
  readonly layers: Readonly<Record<SandboxLayer, boolean>>;
  readonly jit: boolean;
  /** Processes of now. */
  readonly processes: number;
  /** Those of them that are ready and have run nothing. */
  readonly spares: number;
}

/**
 * A bounded queue in front of isolates on threads of their own. Sealed.
 *
 * `M` is the module of the option `module`:
 * `WorkerPool.create<typeof import('./tasks.js')>(name, { module })`. `C` types
 * the context of its jobs: see `JobTypes`.
 */
export interface WorkerPool<M = UntypedModule, C extends JobTypes = JobTypes>
  extends WorkerResource,
    AsyncDisposable,
    Disposable {
  readonly name: string;
  /** A new snapshot for each read. */
  readonly state: WorkerPoolState;
  /** A new snapshot for each call; the first one starts the histograms. */
  metrics(): PoolMetrics;

  /**
   * Runs a function in one of the pool's isolates. It is sent as source text:
   * nothing around it exists there, it sees its context only. Never throws.
   * Before the job starts, the first of these that holds rejects it:
   *
   * - TypeError: `fn` is no function
   * - SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE: no addon
   * - SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD: `fn` is native, bound or a class
   * - SLOPPY_E_WORKER_CRASHED: its source does not stand by itself
   * - SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED: its source is over 1 MiB
   * - SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD: `input` is of a kind that cannot
   *   travel
   * - SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED: `input` has a cycle, is
   *   nested deeper than 1000, or cannot be read
   * - SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED: `input` is over
   *   `maxPayloadBytes`
   * - SLOPPY_E_WORK_QUEUE_STOPPED: the pool is stopped
   * - TypeError: bad options
   * - SLOPPY_E_WORK_JOB_CANCELLED: `signal` is cancelled
   * - SLOPPY_E_WORK_JOB_TIMEOUT: `deadline` or `timeoutMs` is over
   * - SLOPPY_E_WORK_QUEUE_FULL: no room in the queue, nor to wait for a place
   */
  run<T = null, R = unknown>(
    fn: (context: JobContext<T, C>) => R | PromiseLike<R>,
    options?: RunOptions<T, C> | null,
  ): Promise<R>;

  /** Calls an export of the pool's module with a copy of the payload. */
  invoke<K extends ExportNames<M>>(
    exportName: K,
    ...args: InvokeArguments<M[K], JobOptions<C>>
  ): Promise<ResultOf<M[K]>>;

  /** `pool.tasks.parse(payload)` is `pool.invoke('parse', payload)`. */
  readonly tasks: Tasks<M, C>;

  /**
   * Runs a function for each value of an iterable. Results come in the order
   * of the source, which is read as fast as they are consumed, and closed when
   * the loop ends early. A job that fails ends it, after the results before.
   */
  map<T, R>(
    iterable: Iterable<T | PromiseLike<T>> | AsyncIterable<T>,
    fn: (context: JobContext<T, C>) => R | PromiseLike<R>,
    options?: MapOptions<C> | null,
  ): AsyncGenerator<R, void, undefined>;
  map<K extends ExportNames<M>>(
    iterable:
      | Iterable<InputOf<M[K]> | PromiseLike<InputOf<M[K]>>>
      | AsyncIterable<InputOf<M[K]>>,
    exportName: K,
    options?: Omit<MapOptions<C>, 'modules'> | null,
  ): AsyncGenerator<ResultOf<M[K]>, void, undefined>;

  /**
   * The values that a generator in a worker yields. The worker is at most 16
   * values ahead; leaving the loop early runs the generator's `finally`.
   */
  stream<T = null, Y = unknown, R = unknown>(
    fn: (
      context: JobContext<T, C>,
    ) => AsyncGenerator<Y, R, any> | Generator<Y, R, any>,
    options?: RunOptions<T, C> | null,
  ): AsyncGenerator<Y, R, undefined>;
  stream<K extends ExportNames<M>>(
    exportName: K,
    options?: Omit<RunOptions<InputOf<M[K]>, C>, 'modules'> | null,
  ): AsyncGenerator<YieldOf<M[K]>, unknown, undefined>;

  /**
   * Runs a function, or an export of the pool's module, once in every worker
   * that lives, before its other jobs; with `later` in every later one too.
   * One row for each worker, none without any: workers that have not started
   * do not count. Rejects for a stopped pool and an input that cannot travel.
   */
  broadcast<T = null, R = unknown>(
    fn: (context: JobContext<T, C>) => R | PromiseLike<R>,
    options?: BroadcastOptions<T> | null,
  ): Promise<PromiseSettledResult<R>[]>;
  broadcast<K extends ExportNames<M>>(
    exportName: K,
    options?: Omit<BroadcastOptions<InputOf<M[K]>>, 'modules'> | null,
  ): Promise<PromiseSettledResult<ResultOf<M[K]>>[]>;

  /**
   * Shares a value with the jobs that are submitted from now on, which read it
   * as `context.shared[name]`. It is encoded once, here; each worker decodes it
   * when a job first reads it, and keeps it. For reading: jobs of one worker
   * see what the others write into it. While something is shared, tiny jobs
   * are slower: each takes a call of the addon.
   *
   * @param name 1 to 128 characters, not shared already
   * @param value as an `input`; a SharedArrayBuffer is shared as it is
   * @throws {TypeError}
   * @throws {SloppyWorkerError} a value that cannot travel;
   *   SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED: all that is shared would be more
   *   than `memoryLimitMb`; SLOPPY_E_WORK_QUEUE_STOPPED
   */
  share<K extends keyof SharedOf<C> & string>(
    name: K,
    value: SharedOf<C>[K],
  ): SharedValue<SharedOf<C>[K]>;

  /**
   * Which layers hold in the processes of a pool with `sandbox`. Starts one if
   * none has told. Rejects:
   *
   * - TypeError: the pool was made without `sandbox`
   * - SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE: a required layer does not hold, or
   *   there can be no such process; `cause` tells which, and the errno
   * - SLOPPY_E_WORK_QUEUE_STOPPED
   */
  sandbox(): Promise<PoolSandbox>;

  /** No worker takes another job until `resume`. Running ones go on. */
  pause(): this;
  resume(): this;
  /** Its jobs keep the process alive, as they do by default. */
  ref(): this;
  /**
   * Its jobs, also those under way, keep the process alive no more: it may exit
   * before they settle. `stop` does until it resolves.
   */
  unref(): this;
  /**
   * Replaces the workers of now, with all that they hold: the idle ones at once,
   * the others after their jobs.
   *
   * @returns when they have gone
   */
  recycle(): Promise<void>;
  /** Changes the number of workers. Surplus ones leave when they are free. */
  resize(workers: number): this;

  /**
   * Writes what the workers spend their time with, also while a job loops.
   * Several workers write a file each, their number before the extension. A
   * path that cannot be opened rejects with the file system's error; a failed
   * write, and workers that all end or are renewed meanwhile, with
   * SLOPPY_E_WORKER_POOL_UNAVAILABLE.
   *
   * @returns the files
   */
  cpuProfile(options: CpuProfileOptions): Promise<string[]>;
  /** Writes what is in the workers' heaps; as `cpuProfile`. */
  heapSnapshot(options: HeapSnapshotOptions): Promise<string[]>;
  /** The rows of each worker, when all of them have come to it. */
  stats(): Promise<readonly WorkerStats[]>;

  /**
   * Which workers live now, as the events tell; a new frozen list for each read.
   * Threads and processes are in it from the call on that starts them, isolates
   * from their `workerStarted` on.
   */
  readonly identities: readonly WorkerIdentity[];
  /** True while a submission would wait or be refused. */
  readonly needsDrain: boolean;
  on<E extends keyof WorkerPoolEvents>(
    event: E,
    listener: (...args: WorkerPoolEvents[E]) => void,
  ): this;
  once<E extends keyof WorkerPoolEvents>(
    event: E,
    listener: (...args: WorkerPoolEvents[E]) => void,
  ): this;
  off<E extends keyof WorkerPoolEvents>(
    event: E,
    listener: (...args: WorkerPoolEvents[E]) => void,
  ): this;
  /** The same as `on`: `events.once(pool, name)` and `events.on` ask for it. */
  addListener<E extends keyof WorkerPoolEvents>(
    event: E,
    listener: (...args: WorkerPoolEvents[E]) => void,
  ): this;
  /** The same as `off`. */
  removeListener<E extends keyof WorkerPoolEvents>(
    event: E,
    listener: (...args: WorkerPoolEvents[E]) => void,
  ): this;

  /** Resolves when nothing is queued, running or waiting. Never rejects. */
  drain(): Promise<void>;
  /** The same by the name that other pools use. */
  onIdle(): Promise<void>;

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
  create<H extends Host>(
    name: string,
    options: WorkerPoolOptions & { host: H },
  ): WorkerPool<UntypedModule, { host: H }>;
  create<M = UntypedModule, C extends JobTypes = JobTypes>(
    name: string,
    options?: WorkerPoolOptions | null,
  ): WorkerPool<M, C>;
};
