/** How often which values came. Frozen. */
export interface HistogramSnapshot {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** Percentiles lie within an eighth of the value they stand for. */
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  /**
   * The buckets that hold something, eight to an octave: `count` values were
   * below `upTo` and not below the bucket before.
   */
  readonly buckets: readonly {
    readonly upTo: number;
    readonly count: number;
  }[];
}

/** Counts since the pool, worker or queue was made. */
export interface JobCounters {
  /** Calls that were taken, those that wait for a place included. */
  readonly submitted: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly timedOut: number;
  /** Calls that were not taken. */
  readonly refused: number;
  /** Jobs that did not complete, refused calls included, by `error.code`. */
  readonly byCode: Readonly<Record<string, number | undefined>>;
}

export interface PoolCounters extends JobCounters {
  readonly workersStarted: number;
  readonly workersExited: number;
}

/** Numbers of now. */
export interface JobGauges {
  /** Submissions that wait for a place in the queue. */
  readonly waiting: number;
  readonly queued: number;
  readonly running: number;
}

export interface PoolGauges extends JobGauges {
  /** Threads that live. */
  readonly workers: number;
  /** Those that run a job. */
  readonly busy: number;
}

/** Times of the jobs since `since`. */
export interface JobHistograms {
  /** Time from the submission to the start, the wait for a place included. */
  readonly queueMs: HistogramSnapshot;
  /** Time from the start to the end, in the worker; of a queue, all attempts. */
  readonly runMs: HistogramSnapshot;
  /** `queueMs` and `runMs` of each job together. */
  readonly totalMs: HistogramSnapshot;
  /**
   * CPU time of the worker's thread; one job in 0.1 ms is looked at, which is
   * every job that takes longer. Of a queue always empty.
   */
  readonly cpuMs: HistogramSnapshot;
  readonly payloadBytes: HistogramSnapshot;
  /** The one of a queue is always empty. */
  readonly resultBytes: HistogramSnapshot;
}

/** A frozen snapshot. */
export interface QueueMetrics {
  readonly kind: 'pool' | 'worker' | 'queue';
  readonly name: string;
  /** Milliseconds since 1970 from which on the histograms count. */
  readonly since: number;
  readonly counters: JobCounters;
  readonly gauges: JobGauges;
  readonly histograms: JobHistograms;
}

/** A frozen snapshot. */
export interface PoolMetrics extends QueueMetrics {
  readonly counters: PoolCounters;
  readonly gauges: PoolGauges;
  /** A pool has it once it has had a job with a `key`. */
  readonly keys?: PoolKeys;
  /** A pool has it once it has shared something. */
  readonly shared?: PoolShared;
}

/** The keys of a pool's jobs, now. Never the keys themselves. */
export interface PoolKeys {
  /** Keys with jobs, those that wait for a place included. */
  readonly active: number;
  /** Queued jobs that wait for their key's turn; `gauges.queued` has them too. */
  readonly held: number;
}

/** The values that a pool shares with its workers. */
export interface PoolShared {
  /** Values that are shared now, and what they take, encoded. */
  readonly values: number;
  readonly bytes: number;
  /** Values encoded, and decoded by workers, since the pool was made. */
  readonly encodes: number;
  readonly decodes: number;
}

/** An object with metrics: a pool, a worker or a queue. */
export interface Measured {
  metrics(): QueueMetrics;
}
