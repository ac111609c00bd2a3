// biome-ignore-all lint/suspicious/noExplicitAny: functions of any kind.

import type { OperationOptions } from './cancellation.js';

/**
 * The signal that a job sees in the worker. It turns while the job runs, in a
 * synchronous loop too; its listeners are called when the job yields.
 */
export interface JobSignal {
  readonly cancelled: boolean;
  /** Mirrors `cancelled`. */
  readonly aborted: boolean;
  /**
   * Undefined before. `"deadline"` when time ran out; otherwise a copy of the
   * caller's reason, or `"cancelled"` when that cannot travel: what is no
   * payload, and what is over 16 KiB.
   */
  readonly reason: unknown;
  /** @throws {Error} with the code SLOPPY_E_WORK_JOB_CANCELLED */
  throwIfCancelled(): void;
  addEventListener(type: 'abort', listener: (reason: unknown) => void): void;
  removeEventListener(type: 'abort', listener: (reason: unknown) => void): void;
}

/** The caller's deadline, or its `timeoutMs`, counting down in the worker. */
export interface JobDeadline {
  /** 0 or more. */
  remainingMs(): number;
  readonly expired: boolean;
}

/**
 * The parts of a job's context besides its input, where they are to be typed:
 * `JobContext<Row, { state: Cache; modules: { csv: typeof import('./csv.js') } }>`,
 * and for all jobs of a pool
 * `WorkerPool.create<typeof import('./tasks.js'), { message: Progress }>(…)`.
 */
export interface JobTypes {
  /** The option `host`: `typeof host`. Default any functions. */
  host?: unknown;
  /** The value that the export `init` returns. Default any. */
  state?: unknown;
  /** The namespaces of the option `modules`. Default any. */
  modules?: unknown;
  /** The values that jobs emit, for `onMessage`. Default any. */
  message?: unknown;
  /** The values that `pool.share` shares, by name. Default any. */
  shared?: unknown;
}

/** One of `JobTypes`, or what it is where it is not given. */
type Given<C, K extends keyof JobTypes, Default> =
  C extends Record<K, infer V> ? V : Default;

/** The values that a pool shares, by name. */
export type SharedOf<C extends JobTypes> = Given<
  C,
  'shared',
  Record<string, any>
>;

/** The argument of a pool's function, and the second argument of an export. */
export interface JobContext<T = unknown, C extends JobTypes = JobTypes> {
  /** A copy of what was sent. */
  readonly input: T;
  readonly signal: JobSignal;
  readonly deadline: JobDeadline | undefined;
  /**
   * The fields that the caller's tracer sent along, `traceparent` and the like;
   * undefined without one. See `sloppy-workers/opentelemetry`.
   */
  readonly trace: Readonly<Record<string, string>> | undefined;
  /**
   * Sends a copy of the value to the `onMessage` of this call; of a Worker's
   * call without one, to `worker.onMessage`. `undefined` is sent as null.
   */
  emit(value: Given<C, 'message', unknown>): void;
  /**
   * The functions of the pool's option `host`, by name. They reject with
   * SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED when arguments or the answer do not
   * fit into memory.
   */
  readonly host: HostFunctions<Given<C, 'host', UntypedHost>>;
  /** The namespaces of the option `modules`, by name. */
  readonly modules: Given<C, 'modules', any>;
  /** The value of the option `init` in this worker; undefined without it. */
  readonly state: Given<C, 'state', any>;
  /**
   * The values that the pool shared when the job was submitted: see
   * `pool.share`. A value that was released is undefined. Other jobs of the
   * worker have the same.
   */
  readonly shared: Readonly<SharedOf<C>>;
  /**
   * Has the buffers moved, not copied, when the job returns, emits or yields just
   * this value: they are empty here from then on. Buffers that cannot be moved are
   * copied, and with `runtime: "process"` all. Not among the members that can be
   * listed.
   *
   * @param transfer default the value itself, or its buffer if it is a view
   * @returns the value
   * @throws {TypeError} no object, no buffers
   */
  move<V extends object>(value: V, transfer?: readonly ArrayBuffer[]): V;
  /** The worker that runs the job. Not among the members that can be listed. */
  readonly worker: WorkerIdentity;
}

/** One worker of a pool. Frozen. */
export interface WorkerIdentity {
  /**
   * Its own among all that the pool has had, from 1: receipts, `stats()` and
   * output call it `worker`.
   */
  readonly number: number;
  /**
   * A number from 1 to `workers`, as low as the others leave it: the worker that comes in
   * its place has it again. For ports, folders, databases.
   */
  readonly place: number;
  /**
   * The `threadId` of `node:worker_threads` in the worker: no other thread of the
   * process has it. 0 in a process.
   */
  readonly threadId: number;
  /** The id of its process; with other runtimes than `"process"` this one's. */
  readonly pid: number;
}

/** Text that a worker has printed. Frozen. */
export interface WorkerOutput {
  /** The number of the worker, as in `stats()`. */
  readonly worker: number;
  readonly stream: 'stdout' | 'stderr';
  /** One write of the worker's; a console's line has its line feed. */
  readonly text: string;
}

/** A host whose functions are not known. */
type UntypedHost = Record<string, (...args: any[]) => any>;

/** How a job reaches functions of its owner: copies both ways. */
export type HostFunctions<H = UntypedHost> = {
  readonly [K in keyof H]: H[K] extends (this: any, ...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

/**
 * A value that can be sent: a `Date`, a `Map`, a class or a function in it does
 * not compile. `PayloadOf` checks interfaces, which have no index.
 */
export type Payload =
  | null
  | undefined
  | boolean
  | number
  | string
  | ArrayBuffer
  | ArrayBufferView
  | readonly Payload[]
  | { readonly [key: string]: Payload };

/**
 * The type itself as far as it can be sent, `never` in the place of the rest:
 * `function send<T>(row: T & PayloadOf<T>)`, `row satisfies PayloadOf<Row>`.
 */
export type PayloadOf<T> = T extends
  | null
  | undefined
  | boolean
  | number
  | string
  | ArrayBuffer
  | ArrayBufferView
  ? T
  : T extends
        | bigint
        | symbol
        | ((...args: any[]) => unknown)
        | Date
        | RegExp
        | Error
        | ReadonlyMap<any, any>
        | ReadonlySet<any>
        | WeakMap<any, any>
        | WeakSet<any>
        | PromiseLike<any>
        | SharedArrayBuffer
    ? never
    : T extends object
      ? { [K in keyof T]: PayloadOf<T[K]> }
      : T;

/** Options of `run` and `invoke` beside the input. */
export interface JobOptions<C extends JobTypes = JobTypes>
  extends OperationOptions {
  /**
   * Buffers of the payload to move instead of copying. Copied all the same:
   * those that cannot be moved, such as WebAssembly's memory, the slab that
   * small `Buffer`s share, and what `markAsUntransferable` was called for.
   */
  transfer?: readonly ArrayBuffer[] | undefined;
  /** Gets all that the job emits, in its order. Its own errors are warnings. */
  onMessage?: ((value: Given<C, 'message', any>) => void) | undefined;
  /** 0 (first) to 7. Default 4. */
  priority?: number | undefined;
  /**
   * 1 to 256 characters. Jobs of one key run in the order of their calls,
   * `maxPerKey` at a time, and keys take turns.
   */
  key?: string | undefined;
  /**
   * Jobs that the call's key gets in each turn from now on, while others wait:
   * an integer from 1 to 100. Needs a `key`. Default 1.
   */
  weight?: number | undefined;
  /**
   * Milliseconds that this job has to react to cancellation or timeout, in place
   * of the pool's.
   */
  cancelGraceMs?: number | undefined;
  /**
   * Told what the job has cost, once it has settled and its worker is done
   * with it. What it throws is a warning.
   */
  receipt?: ((receipt: JobReceipt) => void) | undefined;
}

/** Options of a call of a Worker, whose calls run in their order. */
export type WorkerCallOptions<C extends JobTypes = JobTypes> = Omit<
  JobOptions<C>,
  'priority' | 'key' | 'weight'
>;

/** The cost of one job. Frozen; never holds a value. */
export interface JobReceipt {
  /** The name of the function or export; null without one. */
  readonly name: string | null;
  /** The key of the call; null without one. */
  readonly key: string | null;
  /** Time from the call to the start, or to its end if it never began. */
  readonly queueMs: number | null;
  /** 0 if it never began; null: its worker was given up. */
  readonly runMs: number | null;
  /** The time that it computed. null: unknown, as of threads. */
  readonly cpuMs: number | null;
  /**
   * Heap and buffers of its worker at their highest during the job, measured
   * before each collection and at the end; includes what earlier jobs left.
   * null: unknown.
   */
  readonly heapPeakBytes: number | null;
  readonly payloadBytes: number;
  /** null without a result, and of threads. */
  readonly resultBytes: number | null;
  /** The number of its worker, as in `stats()`; null: none, or unknown. */
  readonly worker: number | null;
  /** The number is always 1: a pool begins a job once. */
  readonly attempt: number;
  readonly outcome: 'completed' | 'failed' | 'cancelled' | 'timedOut';
  /** The code of what it rejected with; null: it completed. */
  readonly code: string | null;
}

/**
 * The state that is kept from one job to the next: a worker's globals, its
 * isolate with new globals for each job, or nothing.
 */
export type Isolation = 'worker' | 'context' | 'isolate';

/**
 * `isolate`: a bare V8 isolate. `thread`: Node's worker_threads. `process`: Node
 * in a process of its own, whose end is one job's error.
 */
export type WorkerRuntime = 'isolate' | 'thread' | 'process';

/** The preparation of a worker before its first job. */
export interface InitOptions {
  /**
   * Its export `init(data)` is awaited; what it returns is `state` in every
   * job's context. Its export `dispose(state)` is awaited at the worker's end.
   * A path, against the working directory, or a file: URL. Default: the
   * option `module`.
   */
  module?: string | URL | undefined;
  /** Copied now, and again for each worker. Default null. */
  data?: unknown;
  /** Time for importing and `init` together. Default 30 000. */
  timeoutMs?: number | undefined;
}

/** The value that a job threw, and its own enumerable properties. */
export interface DescribedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Rebuilt already. */
  readonly cause: unknown;
  readonly [property: string]: unknown;
}

/** The variables of `process.env`. */
export interface Environment {
  readonly [name: string]: string | undefined;
}

/** The layers that a sandbox's processes put on themselves; see docs/sandbox.md. */
export type SandboxLayer =
  | 'user'
  | 'namespaces'
  | 'landlock'
  | 'capabilities'
  | 'limits'
  | 'seccomp';

export interface SandboxOptions {
  /**
   * Compiled code and WebAssembly. Default false: no memory becomes executable,
   * and code that computes much is slower.
   */
  jit?: boolean | undefined;
  /**
   * Processes that are ready and have run nothing, from the first job on: 0 to
   * 64. Default 1.
   */
  spares?: number | undefined;
  /**
   * Processes with the spares, and at least `workers`. The key that has waited for longest
   * loses its process to a new one. Default `workers` + `spares`.
   */
  maxProcesses?: number | undefined;
  /** Folders below which a job's own import() may read. Default none. */
  roots?: readonly (string | URL)[] | undefined;
  /**
   * Layers without which no job runs, besides `seccomp` and `limits`, which are
   * always required.
   */
  require?: readonly SandboxLayer[] | undefined;
}

/** Limits and permissions that pools and workers have in common. */
export interface IsolateOptions {
  /**
   * The runtime that workers run on: bare V8 isolates, or Node's worker_threads
   * for code that needs all of Node (docs/threads.md), or Node's processes for
   * code that may crash (docs/processes.md). Default `"isolate"`.
   */
  runtime?: WorkerRuntime | undefined;
  /**
   * Experimental, of isolates on Linux: code of strangers runs in locked-down
   * processes without Node, one for each `key` (docs/sandbox.md). Needs
   * `runTimeoutMs`. `true` is `{}`. Default false.
   *
   * @throws {SloppyWorkerError} SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE: another
   *   system, processor, Node or executable
   */
  sandbox?: boolean | SandboxOptions | undefined;
  /**
   * The values that inputs, results and messages may be: plain data, or with
   * `"clone"` all that a structured clone keeps, `SharedArrayBuffer` shared.
   * See docs/api-worker-pool.md. Default `"plain"`.
   */
  payload?: 'plain' | 'clone' | undefined;
  /** Heap and buffers of each isolate: 16 to 4096. Default 128. */
  memoryLimitMb?: number | undefined;
  /** Up to 1 GiB. Default 64 MiB. */
  maxPayloadBytes?: number | undefined;
  /** Up to 1 GiB. Default 64 MiB. */
  maxResultBytes?: number | undefined;
  /** Up to 1 GiB, of which 256 MiB count. Default 8 MiB. */
  maxModuleBytes?: number | undefined;
  /**
   * A directory that keeps compiled code of modules from one process to the
   * next; made if it is missing. Whoever can write to it can run code here.
   * Files of another user are passed over, and nothing about it fails a job.
   * Default `false`.
   */
  codeCache?: string | false | undefined;
  /**
   * Microtasks in one turn of a worker's loop; those that a call leaves behind
   * count as its own. A turn is counted once it takes long, and after a second
   * for an eighth of its time, because counting makes each `await` slower.
   * Default 1 000 000.
   */
  maxMicrotasks?: number | undefined;
  /**
   * Time of a running job to react to cancellation or timeout; it may still call
   * host functions. Default 0.
   */
  cancelGraceMs?: number | undefined;
  /** CPU time of one job. Default Infinity. */
  cpuLimitMs?: number | undefined;
  /** Milliseconds from a job's start, of calls without one. Default Infinity. */
  runTimeoutMs?: number | undefined;
  /**
   * Makes an error of the caller's own classes of one that a job threw, causes
   * first; the worker's stack stays. Undefined, or a hook that throws: what is
   * made without it, of the built-in class.
   */
  rebuildError?: ((described: DescribedError) => Error | undefined) | undefined;
  /**
   * Default `"worker"`. The others keep 1 to `workers` threads in reserve, by
   * cores, each with an isolate in memory; none with `init`.
   */
  isolation?: Isolation | undefined;
  /**
   * `eval` and `Function` from text. Default true, or false in a process with
   * `--disallow-code-generation-from-strings`.
   */
  allowEval?: boolean | undefined;
  /** Default true. */
  allowWasm?: boolean | undefined;
  /** `process.argv` there after its first two. Default none. */
  argv?: readonly string[] | undefined;
  /**
   * `process.env` there: a copy of this, or with threads `SHARE_ENV` of
   * `node:worker_threads`. A function is called once for each place that a worker
   * may have, before the first job and when the pool grows. Default a copy of
   * this thread's; of isolates `NODE_ENV` alone.
   */
  env?:
    | Environment
    | ((worker: Pick<WorkerIdentity, 'place'>) => Environment)
    | symbol
    | undefined;
  /**
   * How much less urgent than your process the system takes the workers for, 0 to
   * 19: processes, and on Linux isolates' and Node's threads. Elsewhere it has no
   * effect. Default 0.
   */
  nice?: number | undefined;
  /**
   * Flags of Node with `runtime: "thread"` and `"process"`, of those that a thread or another process may have. Default
   * those of this process, without its debugger's, its text and its tests.
   */
  execArgv?: readonly string[] | undefined;
  /**
   * Its working directory, with `runtime: "process"` alone, as is `stdio`: a path
   * or a file: URL. Default that of this process.
   */
  cwd?: string | URL | undefined;
  /**
   * Its stdout (`fd` 1) and stderr (2). A function gets their text as it comes,
   * and the number of the worker. Default `"inherit"`.
   */
  stdio?:
    | 'inherit'
    | 'ignore'
    | ((text: string, from: { fd: 1 | 2; worker: number }) => void)
    | undefined;
  /** Limits of threads that `memoryLimitMb` does not set. Default Node's. */
  resourceLimits?:
    | {
        readonly codeRangeSizeMb?: number;
        readonly maxYoungGenerationSizeMb?: number;
        readonly stackSizeMb?: number;
      }
    | undefined;
}

export interface StopOptions {
  /** Only `false` rejects what is queued; active jobs go on. Default true. */
  drain?: boolean | undefined;
  /**
   * The time after which execution is terminated and what is left is rejected. Default
   * 5000.
   */
  timeoutMs?: number | undefined;
}

/** Frozen. */
export interface StopReport {
  /** Jobs that were rejected before they ran. */
  readonly cancelled: number;
  /** Jobs that were rejected when the time was up. */
  readonly forced: number;
}

/** A module whose exports are not known: any name, any payload. */
export type UntypedModule = Record<string, (payload: any) => unknown>;

/** The names of a module's exported functions. */
export type ExportNames<M> = {
  [K in keyof M]-?: M[K] extends (...args: any[]) => unknown ? K : never;
}[keyof M] &
  string;

/** The input that an exported function takes. */
export type InputOf<F> = F extends (...args: infer A) => unknown
  ? A extends []
    ? null | undefined
    : A[0]
  : never;

/** The result that the caller of an exported function gets. */
export type ResultOf<F> = F extends (...args: any[]) => infer R
  ? Awaited<R>
  : never;

/** The payload may be left out where the function takes undefined or null. */
export type InvokeArguments<F, O = JobOptions> =
  undefined extends InputOf<F>
    ? [payload?: InputOf<F>, options?: O | null]
    : null extends InputOf<F>
      ? [payload?: InputOf<F> | undefined, options?: O | null]
      : [payload: InputOf<F>, options?: O | null];

/** The values that an exported generator function yields, one by one. */
export type YieldOf<F> = F extends (
  ...args: any[]
) => AsyncGenerator<infer Y, any, any> | Generator<infer Y, any, any>
  ? Y
  : F extends UntypedModule[string]
    ? unknown
    : never;

/**
 * A module's exported functions, called by name. Editors go from one of them
 * to the module, and show what is documented there.
 */
export type Tasks<M, C extends JobTypes = JobTypes> = {
  readonly [K in keyof M as M[K] extends (...args: any[]) => unknown
    ? K
    : never]: (
    ...args: InvokeArguments<M[K], JobOptions<C>>
  ) => Promise<ResultOf<M[K]>>;
};

/** The origin of an error that nobody in a worker caught. */
export type UncaughtOrigin = 'uncaughtException' | 'unhandledRejection';

/** The figures that one worker has of itself. Frozen. */
export interface WorkerStats {
  /** Its number in the pool, from 1; one that is replaced has another. */
  readonly worker: number;
  /** The same as of `WorkerIdentity`. */
  readonly place: number;
  readonly threadId: number;
  readonly pid: number;
  readonly heapUsedBytes: number;
  readonly heapTotalBytes: number;
  /** Buffers and WebAssembly memories. */
  readonly externalBytes: number;
  /** The bytes that `memoryLimitMb` allows for heap and buffers together. */
  readonly memoryLimitBytes: number;
  /**
   * CPU time of its thread, or process, since that began. null: this Node does not tell
   * it of its threads.
   */
  readonly cpuMs: number | null;
  /**
   * Modules of 16 KB or more that started with compiled code (`hits`), of this
   * process or of the option `codeCache`; that had none; and for which V8
   * refused what there was. Since the thread began. null with another runtime
   * than `"isolate"`.
   */
  readonly codeCache: {
    readonly hits: number;
    readonly misses: number;
    readonly refused: number;
  } | null;
}

export interface HeapSnapshotOptions {
  /**
   * The file to write, for Chrome DevTools: `….heapsnapshot`. It is replaced once
   * the new one is complete; a pipe or a device is written to.
   */
  path: string | URL;
}

export interface CpuProfileOptions {
  /**
   * The file to write, for Chrome DevTools: `….cpuprofile`. It is replaced once
   * the new one is complete; a pipe or a device is written to.
   */
  path: string | URL;
  /** Default 1000. */
  durationMs?: number | undefined;
}
