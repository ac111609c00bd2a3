/** A listener of a signal of this package gets the reason itself. */
export type CancelListener = (reason: unknown) => void;

interface SignalEvents {
  readonly reason?: unknown;
  addEventListener?(type: 'abort', listener: (event: unknown) => void): void;
  removeEventListener?(type: 'abort', listener: (event: unknown) => void): void;
}

/**
 * Anything that the package takes as a signal: its own two kinds, an
 * AbortSignal of any realm, or an object with a boolean `cancelled` or
 * `aborted`. Without `addEventListener` it is read, but cannot report.
 */
export type CancellationSignalLike =
  | (SignalEvents & { readonly cancelled: boolean })
  | (SignalEvents & { readonly aborted: boolean });

/** Anything that the package takes as a deadline object. */
export interface DeadlineLike {
  /** Milliseconds left; finite or Infinity, negative counts as 0. */
  remainingMs(): number;
}

/** Options of one operation: `enqueue`, `run`, `invoke`, `post`. */
export interface OperationOptions {
  /** Cancels it: SLOPPY_E_WORK_JOB_CANCELLED. */
  signal?: CancellationSignalLike | undefined;
  /** Ends it: SLOPPY_E_WORK_JOB_TIMEOUT. A number is milliseconds from now. */
  deadline?: DeadlineLike | number | null | undefined;
  /**
   * Finite, 0 or more, rounded up; counts from the call, waiting included. The
   * earlier of it and `deadline` wins.
   */
  timeoutMs?: number | undefined;
  /**
   * 0 or more, rounded up, or `Infinity`; counts from the start of each run,
   * without the wait for it. The earlier of it and the others wins. Default:
   * the one of the pool, worker or queue.
   */
  runTimeoutMs?: number | undefined;
}

/** The signal of a `WorkerCancellationController`. It never reverts. */
export class WorkerCancellationSignal {
  get cancelled(): boolean;
  /** Mirrors `cancelled`. */
  get aborted(): boolean;
  /** The value that `cancel` was called with first; undefined before. */
  get reason(): unknown;
  /** @throws {SloppyWorkerError} SLOPPY_E_WORK_JOB_CANCELLED, without reason */
  throwIfCancelled(): void;
  /** Called synchronously by `cancel`, at most once, in order of adding. */
  addEventListener(type: 'abort', listener: CancelListener): void;
  removeEventListener(type: 'abort', listener: CancelListener): void;
}

/** Cancels its signal by hand. */
export class WorkerCancellationController {
  readonly signal: WorkerCancellationSignal;
  /**
   * @param reason default `"cancelled"`; the first one is final
   * @returns true for the first call
   */
  cancel(reason?: unknown): boolean;
}
