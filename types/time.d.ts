/// <reference lib="esnext.disposable" />

import type {
  CancelListener,
  CancellationSignalLike,
  DeadlineLike,
} from './cancellation.js';

export type {
  CancelListener,
  CancellationSignalLike,
  DeadlineLike,
} from './cancellation.js';

/** `500`, `"500ms"`, `"5s"`, `"2.5m"` or `"1h"`. */
export type IntervalLike = number | `${number}${'ms' | 's' | 'm' | 'h'}`;

export interface TimeErrorOptions {
  reason?: unknown;
  cause?: unknown;
}

declare class TimeError extends Error {
  constructor(message?: string, options?: TimeErrorOptions | null);
  /** Why, where there is a reason; not printed with the error. */
  readonly reason: unknown;
}

/** A time limit passed before the operation was over. */
export class TimeoutError extends TimeError {
  readonly name: 'TimeoutError';
}

/** The operation's signal was cancelled; `reason` is the signal's. */
export class CancelledError extends TimeError {
  readonly name: 'CancelledError';
}

/** A delay, deadline or interval is not a valid time. */
export class InvalidDeadlineError extends TimeError {
  readonly name: 'InvalidDeadlineError';
}

/** A controller or clock was used, or a delay pending, after disposal. */
export class TimerDisposedError extends TimeError {
  readonly name: 'TimerDisposedError';
}

/** An instant on the monotonic clock. Frozen. */
export class Deadline implements DeadlineLike {
  private constructor();
  /**
   * @param ms 0 to 4294967295 (49.7 days), rounded up
   * @throws {InvalidDeadlineError}
   */
  static after(ms: number): Deadline;
  /**
   * Converted once; a past date is already expired.
   *
   * @throws {InvalidDeadlineError}
   */
  static at(dateOrUnixMs: Date | number): Deadline;
  /** Never expires. */
  static never(): Deadline;
  readonly kind: 'after' | 'never';
  /** Instant of `performance.now()`; Infinity for `never()`. */
  readonly expiresAtMonotonicMs: number;
  /** Milliseconds left, never negative. */
  remainingMs(): number;
  get expired(): boolean;
}

export interface CancellationSignal {
  readonly aborted: boolean;
  /** Mirrors `aborted`. */
  readonly cancelled: boolean;
  readonly reason: unknown;
  /** @throws {CancelledError} with the reason, or the reason if it is one */
  throwIfCancelled(): void;
  addEventListener(type: 'abort', listener: CancelListener): void;
  removeEventListener(type: 'abort', listener: CancelListener): void;
}

export interface CancellationControllerOptions {
  /** Sources to follow. */
  signal?:
    | CancellationSignalLike
    | readonly CancellationSignalLike[]
    | undefined;
  /** More sources. */
  signals?: readonly CancellationSignalLike[] | undefined;
  /** Cancels with a TimeoutError. */
  timeoutMs?: number | undefined;
  /** Cancels with a TimeoutError; the earlier of the two counts. */
  deadline?: DeadlineLike | number | null | undefined;
}

/** Cancels by hand, with another signal, or when time runs out. */
export class CancellationController implements Disposable {
  /** @throws {TypeError | InvalidDeadlineError} */
  constructor(options?: CancellationControllerOptions | null);
  /** Follows the given signals. */
  static linked(...signals: CancellationSignalLike[]): CancellationController;
  /** Cancels itself after `ms`. */
  static timeout(
    ms: number,
    options?: Omit<CancellationControllerOptions, 'timeoutMs'> | null,
  ): CancellationController;
  readonly signal: CancellationSignal;
  /**
   * @param reason default `"cancelled"`
   * @returns true for the first call
   * @throws {TimerDisposedError} after `dispose()`
   * @throws {AggregateError} what listeners threw, after all were called
   */
  cancel(reason?: unknown): boolean;
  /** Lets go of sources and timer. Idempotent; the signal keeps its state. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** The parts of a clock that `Time.delay` and `Time.timeout` need. */
export interface DelayClock {
  delay(
    ms: number,
    options?: { signal?: CancellationSignalLike | undefined },
  ): PromiseLike<void>;
}

/** The parts of a clock that `Time.interval` and `Time.every` need. */
export interface Clock extends DelayClock {
  readonly kind: string;
  /** Wall clock. */
  now(): Date;
  /** Monotonic milliseconds, arbitrary origin. */
  monotonicNowMs(): number;
  delay(
    ms: number,
    options?: { signal?: CancellationSignalLike | undefined } | null,
  ): Promise<void>;
}

export interface SystemClock extends Clock {
  readonly kind: 'system';
}

/** Moves only by `advanceBy` and `set`. */
export interface FakeClock extends Clock, Disposable {
  readonly kind: 'fake';
  /** Forward is an advance; backward moves only the wall clock. */
  set(instant: Date | number): void;
  /** Fires what falls due, in order of due time, then of start. */
  advanceBy(ms: number): void;
  /** Pending delays reject with TimerDisposedError. Idempotent. */
  dispose(): void;
}

export interface DelayOptions {
  /** Rejects with CancelledError. */
  signal?: CancellationSignalLike | undefined;
  /** Rejects with TimeoutError if it comes first. Not with `clock`. */
  deadline?: DeadlineLike | number | null | undefined;
  clock?: DelayClock | undefined;
}

export interface TimeoutOptions extends DelayOptions {
  /** 0 to 4294967295, rounded up. It or the deadline must be finite. */
  afterMs?: number | undefined;
}

export interface Tick {
  /** Counts from 1. */
  readonly index: number;
  readonly at: Date;
  readonly scheduledAt: Date;
}

export interface IntervalOptions {
  /** First tick at once; default false. */
  immediate?: boolean | undefined;
  /** Default: no end. */
  maxTicks?: number | undefined;
  /** Ends the iteration; does not throw. */
  signal?: CancellationSignalLike | undefined;
  clock?: Clock | undefined;
}

export interface Interval extends AsyncIterableIterator<Tick> {
  /** Rejects while an earlier call is pending. */
  next(): Promise<IteratorResult<Tick>>;
  return(value?: unknown): Promise<IteratorResult<Tick>>;
  /** Ends it; a pending `next()` is done. */
  stop(): void;
}

export interface ScheduledRun {
  /** Cancelled by `stop()`. */
  readonly signal: CancellationSignal;
  readonly scheduledAt: Date;
  readonly startedAt: Date;
  /** Counts from 1. */
  readonly run: number;
  /** Runs skipped so far. */
  readonly skippedRuns: number;
}

export interface EveryOptions {
  /** First run at once; default false. */
  immediate?: boolean | undefined;
  /** Wait for a handler before the next run; default true. */
  noOverlap?: boolean | undefined;
  /** Default: no end. */
  maxRuns?: number | undefined;
  /** Runs that fell due meanwhile are counted, not made up for. */
  missedRunPolicy?: 'skip' | undefined;
  /** Stops the job. */
  signal?: CancellationSignalLike | undefined;
  clock?: Clock | undefined;
}

export interface ScheduledJob extends AsyncDisposable {
  /** Neither paused nor stopped. */
  readonly running: boolean;
  readonly stopped: boolean;
  readonly skippedRuns: number;
  /** The value that the last failing run threw. */
  readonly lastError: unknown;
  /** undefined while paused and once stopped. */
  readonly nextRun: Date | undefined;
  pause(): void;
  /** Next run one interval from now. */
  resume(): void;
  /** Cancels the runs' signal. Resolves when none runs any more. */
  stop(reason?: unknown): Promise<void>;
}

export const Time: {
  /**
   * Waits, on the monotonic clock; holds the process.
   *
   * @throws {InvalidDeadlineError | TypeError} synchronously
   */
  delay(ms: number, options?: DelayOptions | null): Promise<void>;
  /**
   * Settles like the work unless time runs out first (TimeoutError) or the
   * signal is cancelled (CancelledError). A function gets a signal that is
   * cancelled in both cases.
   *
   * @throws {InvalidDeadlineError | TypeError} synchronously
   */
  timeout<T>(
    target:
      | ((signal: CancellationSignal) => PromiseLike<T> | T)
      | PromiseLike<T>,
    options: TimeoutOptions,
  ): Promise<T>;
  /**
   * Ticks at a fixed rate, without drift.
   *
   * @throws {InvalidDeadlineError | TypeError} synchronously
   */
  interval(interval: IntervalLike, options?: IntervalOptions | null): Interval;
  /**
   * Runs a handler at a fixed rate, without drift. What it throws is kept in
   * `lastError`.
   *
   * @throws {InvalidDeadlineError | TypeError} synchronously
   */
  every(
    interval: IntervalLike,
    handler: (run: ScheduledRun) => unknown,
    options?: EveryOptions | null,
  ): ScheduledJob;
  /** Lets the event loop turn once. */
  yield(): Promise<void>;
  systemClock(): SystemClock;
  /** @param options `now` default: the Unix epoch */
  fakeClock(options?: { now?: Date | number | undefined } | null): FakeClock;
};
