// biome-ignore-all lint/suspicious/noExplicitAny: data and results are the caller's own.

import type { EventEmitter } from 'node:events';

/** The file, and how it is written. */
export interface DurableConnection {
  /** Made when it is not there. On a local disk. */
  file: string | URL;
  /** `full`: also after a power cut. Default `"full"`. */
  synchronous?: 'full' | 'normal' | undefined;
  /** Default: Node's own SQLite (from Node 22.13), else `better-sqlite3`. */
  driver?: 'node' | 'better-sqlite3' | undefined;
  /** Milliseconds between looks for other processes' jobs. Default 50. */
  pollMs?: number | undefined;
  /** Milliseconds another process may hold the write lock. Default 10 000. */
  busyTimeoutMs?: number | undefined;
}

/** What stays of finished jobs. `age` in seconds. */
export type KeepJobs =
  | { age: number; count?: number; limit?: number }
  | { count: number; age?: number; limit?: number };

export interface BackoffOptions {
  /** `fixed`, `exponential`, or one of the Worker's `backoffStrategy`. */
  type: string;
  delay?: number | undefined;
  /** From 0 to 1. */
  jitter?: number | undefined;
}

/** BullMQ's, as far as they are here; others are refused by name. */
export interface DefaultJobOptions {
  attempts?: number | undefined;
  backoff?: number | BackoffOptions | undefined;
  delay?: number | undefined;
  keepLogs?: number | undefined;
  lifo?: boolean | undefined;
  priority?: number | undefined;
  removeOnComplete?: boolean | number | KeepJobs | undefined;
  removeOnFail?: boolean | number | KeepJobs | undefined;
  sizeLimit?: number | undefined;
  stackTraceLimit?: number | undefined;
  timestamp?: number | undefined;
}

export interface JobsOptions extends DefaultJobOptions {
  /** A job with the id of another is not added. Neither digits only nor with `:`. */
  jobId?: string | undefined;
}

export type JobState =
  | 'active'
  | 'completed'
  | 'delayed'
  | 'failed'
  | 'prioritized'
  | 'waiting';
export type JobType = JobState | 'wait' | 'waiting-children';
export type JobProgress = string | boolean | number | object;

export class Job<T = any, R = any, N extends string = string> {
  private constructor();
  id: string;
  name: N;
  data: T;
  opts: JobsOptions;
  progress: JobProgress;
  returnvalue: R;
  stacktrace: string[];
  delay: number;
  priority: number;
  timestamp: number;
  /** Ended attempts. */
  attemptsMade: number;
  /** Begun ones: it grows with each run, also after a crash. */
  attemptsStarted: number;
  stalledCounter: number;
  failedReason?: string;
  processedOn?: number;
  finishedOn?: number;
  repeatJobKey?: string;
  token?: string;
  readonly queueName: string;
  readonly queueQualifiedName: string;
  readonly prefix: string;
  asJSON(): any;
  asJSONSandbox(): any;
  toJSON(): any;
  updateProgress(progress: JobProgress): Promise<void>;
  updateData(data: T): Promise<void>;
  /** @returns how many rows its log has */
  log(row: string): Promise<number>;
  moveToWait(token?: string): Promise<void>;
  moveToDelayed(timestamp: number, token?: string): Promise<void>;
  getState(): Promise<JobState | 'unknown'>;
  isActive(): Promise<boolean>;
  isCompleted(): Promise<boolean>;
  isDelayed(): Promise<boolean>;
  isFailed(): Promise<boolean>;
  isWaiting(): Promise<boolean>;
  promote(): Promise<void>;
  remove(): Promise<void>;
  retry(state?: 'completed' | 'failed'): Promise<void>;
}

export interface QueueOptions {
  connection: DurableConnection;
  defaultJobOptions?: DefaultJobOptions | undefined;
}

export interface RepeatOptions {
  /** Milliseconds; either this or `pattern`. */
  every?: number | undefined;
  /** Cron; needs the package cron-parser. */
  pattern?: string | undefined;
  tz?: string | undefined;
  limit?: number | undefined;
  startDate?: Date | string | number | undefined;
  endDate?: Date | string | number | undefined;
}

export interface JobScheduler {
  key: string;
  name: string;
  next: number;
  iterationCount: number;
  every?: number;
  pattern?: string;
  tz?: string;
  template: { data: any; opts: JobsOptions };
}

/**
 * Adds jobs to a file. Emits `waiting`, `progress`, `paused`, `resumed`,
 * `cleaned`, `removed` and `error`.
 */
export class Queue<
  T = any,
  R = any,
  N extends string = string,
> extends EventEmitter {
  constructor(name: string, options: QueueOptions);
  readonly name: string;
  readonly defaultJobOptions: DefaultJobOptions;
  /** Resolves when the job is on the disk. */
  add(name: N, data: T, options?: JobsOptions): Promise<Job<T, R, N>>;
  /** All of them, or none. */
  addBulk(
    jobs: { name: N; data: T; opts?: JobsOptions }[],
  ): Promise<Job<T, R, N>[]>;
  getJob(id: string): Promise<Job<T, R, N> | undefined>;
  getJobs(
    types?: JobType[] | JobType,
    start?: number,
    end?: number,
    asc?: boolean,
  ): Promise<Job<T, R, N>[]>;
  getJobCounts(...types: JobType[]): Promise<{ [state: string]: number }>;
  getJobCountByTypes(...types: JobType[]): Promise<number>;
  getJobState(id: string): Promise<JobState | 'unknown'>;
  getJobLogs(
    id: string,
    start?: number,
    end?: number,
    asc?: boolean,
  ): Promise<{ logs: string[]; count: number }>;
  count(): Promise<number>;
  getActive(start?: number, end?: number): Promise<Job<T, R, N>[]>;
  getCompleted(start?: number, end?: number): Promise<Job<T, R, N>[]>;
  getDelayed(start?: number, end?: number): Promise<Job<T, R, N>[]>;
  getFailed(start?: number, end?: number): Promise<Job<T, R, N>[]>;
  getPrioritized(start?: number, end?: number): Promise<Job<T, R, N>[]>;
  getWaiting(start?: number, end?: number): Promise<Job<T, R, N>[]>;
  getActiveCount(): Promise<number>;
  getCompletedCount(): Promise<number>;
  getDelayedCount(): Promise<number>;
  getFailedCount(): Promise<number>;
  getPrioritizedCount(): Promise<number>;
  getWaitingCount(): Promise<number>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  isPaused(): Promise<boolean>;
  remove(id: string): Promise<number>;
  drain(delayed?: boolean): Promise<void>;
  clean(grace: number, limit: number, type?: JobType): Promise<string[]>;
  obliterate(options?: { force?: boolean; count?: number }): Promise<void>;
  retryJobs(options?: {
    state?: 'completed' | 'failed';
    count?: number;
    timestamp?: number;
  }): Promise<void>;
  promoteJobs(): Promise<void>;
  upsertJobScheduler(
    id: string,
    repeat: RepeatOptions,
    template?: { name?: N; data?: T; opts?: JobsOptions },
  ): Promise<Job<T, R, N> | undefined>;
  removeJobScheduler(id: string): Promise<boolean>;
  getJobScheduler(id: string): Promise<JobScheduler | undefined>;
  getJobSchedulers(): Promise<JobScheduler[]>;
  waitUntilReady(): Promise<void>;
  close(): Promise<void>;
}

export type Processor<T = any, R = any, N extends string = string> = (
  job: Job<T, R, N>,
  token?: string,
  signal?: AbortSignal,
) => Promise<R> | R;

export interface WorkerOptions {
  connection: DurableConnection;
  name?: string | undefined;
  /** Default true. */
  autorun?: boolean | undefined;
  /** Default 1. */
  concurrency?: number | undefined;
  /** Milliseconds a job is this Worker's without a renewal. Default 30 000. */
  lockDuration?: number | undefined;
  /** Default half of `lockDuration`. */
  lockRenewTime?: number | undefined;
  /** Milliseconds between looks for jobs of lost workers. Default 30 000. */
  stalledInterval?: number | undefined;
  /** How often a job may lose its worker. Default 5. */
  maxStalledCount?: number | undefined;
  maxStartedAttempts?: number | undefined;
  skipLockRenewal?: boolean | undefined;
  skipStalledCheck?: boolean | undefined;
  removeOnComplete?: KeepJobs | undefined;
  removeOnFail?: KeepJobs | undefined;
  settings?:
    | {
        backoffStrategy?: (
          attemptsMade: number,
          type: string,
          error: Error,
          job: Job,
        ) => number | Promise<number>;
      }
    | undefined;
}

/** The listeners' arguments. */
export interface WorkerEvents<T, R, N extends string> {
  active: [job: Job<T, R, N>, prev: string];
  closed: [];
  closing: [message: string];
  completed: [job: Job<T, R, N>, result: R, prev: string];
  drained: [];
  error: [error: Error];
  failed: [job: Job<T, R, N>, error: Error, prev: string];
  lockRenewalFailed: [ids: string[]];
  locksRenewed: [renewed: { count: number; jobIds: string[] }];
  paused: [];
  progress: [job: Job<T, R, N>, progress: JobProgress];
  ready: [];
  resumed: [];
  stalled: [id: string, prev: string];
}

/** Runs the jobs of a queue. */
export class Worker<
  T = any,
  R = any,
  N extends string = string,
> extends EventEmitter {
  constructor(
    name: string,
    processor: Processor<T, R, N> | null,
    options: WorkerOptions,
  );
  readonly id: string;
  readonly name: string;
  readonly opts: WorkerOptions;
  concurrency: number;
  on<E extends keyof WorkerEvents<T, R, N>>(
    event: E,
    listener: (...args: WorkerEvents<T, R, N>[E]) => void,
  ): this;
  on(event: string | symbol, listener: (...args: any[]) => void): this;
  once<E extends keyof WorkerEvents<T, R, N>>(
    event: E,
    listener: (...args: WorkerEvents<T, R, N>[E]) => void,
  ): this;
  once(event: string | symbol, listener: (...args: any[]) => void): this;
  run(): Promise<void>;
  isRunning(): boolean;
  isPaused(): boolean;
  pause(doNotWaitActive?: boolean): Promise<void>;
  resume(): void;
  cancelJob(id: string, reason?: string): boolean;
  cancelAllJobs(reason?: string): void;
  extendJobLocks(
    ids: string[],
    tokens: string[],
    duration: number,
  ): Promise<string[]>;
  startStalledCheckTimer(): Promise<void>;
  waitUntilReady(): Promise<void>;
  getJob(id: string): Promise<Job<T, R, N> | undefined>;
  /** Waits for the jobs that run, unless `force`. */
  close(force?: boolean): Promise<void>;
}

export class UnrecoverableError extends Error {
  constructor(message?: string);
}
export class DelayedError extends Error {
  constructor(message?: string);
}
export class WaitingError extends Error {
  constructor(message?: string);
}
/** Not here: its constructor throws a TypeError. */
export class QueueEvents {
  constructor(...args: never);
}
/** Not here: its constructor throws a TypeError. */
export class FlowProducer {
  constructor(...args: never);
}
