/// <reference lib="esnext.disposable" />

import type { CancellationSignalLike } from './cancellation.js';

/** The entry of the plan about one resource. No payloads, no code. */
export type WorkerPlanEntry =
  | {
      readonly kind: 'backgroundService';
      readonly name: string;
      readonly start: 'app' | 'manual';
      readonly shutdown: string;
    }
  | {
      readonly kind: 'workQueue';
      readonly name: string;
      readonly maxQueued: number;
      readonly concurrency: number;
      readonly overflow: 'reject' | 'backpressure';
    }
  | {
      readonly kind: 'workerPool';
      readonly name: string;
      readonly workers: number;
      readonly maxQueued: number;
    }
  | {
      readonly kind: 'jsWorker';
      readonly path: string;
      readonly memoryLimitMb: number;
    };

/**
 * A resource that `app.use` accepts: a service, queue, pool or worker of this
 * package. The members belong to the app host; do not call them yourself.
 */
export interface WorkerResource {
  /** @internal */
  readonly __sloppyWorkerResource: string;
  /** @internal */
  __sloppyPlanMetadata(): object;
}

export interface PlanContributions {
  /** `["stdlib.workers"]`; empty when the feature is off. */
  readonly requiredFeatures: readonly string[];
  readonly features: { readonly workers: boolean };
  readonly strongPlan: { readonly evidence: { readonly workers: boolean } };
  /** The features in order of registration. */
  readonly workers: readonly WorkerPlanEntry[];
}

export interface AppLifecycle {
  readonly state: AppState;
  readonly shuttingDown: boolean;
  /** Open request scopes. */
  readonly activeRequests: number;
  /** Request scopes that the shutdown closed by force. */
  readonly forcedRequests: number;
}

/**
 * `draining`: waiting for request scopes. `stopping`: stopping resources.
 * `failed`: stopped, but a step of the shutdown threw.
 */
export type AppState =
  | 'created'
  | 'starting'
  | 'running'
  | 'draining'
  | 'stopping'
  | 'stopped'
  | 'failed';

export interface CleanupLimits {
  /** How long the shutdown waits for this cleanup. */
  readonly timeoutMs: number;
}

/** May return a promise, and report `{ forced: true }` with it. */
export type Cleanup = (reason: unknown, limits: CleanupLimits) => unknown;

export interface CleanupReport<Label = unknown> {
  readonly label: Label;
  readonly outcome: 'done' | 'forced' | 'failed';
  /** The value that it threw. */
  readonly error: unknown;
}

/** The cleanups of one request: last added first, each exactly once. */
export interface Scope extends AsyncDisposable {
  readonly kind: 'app' | 'request' | 'worker';
  /** True from the start of `close()`. */
  readonly closed: boolean;
  /** True inside the synchronous part of a cleanup. */
  readonly inCleanup: boolean;
  /**
   * @returns takes the cleanup out again
   * @throws {SloppyWorkerError} SLOPPY_E_WORKER_STALE_HANDLE: closed;
   *   SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED: too many cleanups
   */
  add(
    cleanup: Cleanup,
    details?: { label?: unknown; graceMs?: number | undefined },
  ): () => void;
  /** Closes the scope when the signal is cancelled. */
  closeOn(signal: CancellationSignalLike): void;
  /**
   * @param reason passed to the cleanups; default `"scope end"`
   * @param options `timeoutMs`: limit for each cleanup; default 10 000. Bad
   *   ones reject with a TypeError
   */
  close(
    reason?: unknown,
    options?: { timeoutMs?: number | undefined },
  ): Promise<readonly CleanupReport[]>;
}

export interface ShutdownStep {
  readonly kind:
    | 'backgroundService'
    | 'workQueue'
    | 'workerPool'
    | 'jsWorker'
    | 'cleanup';
  /** Name of the resource or cleanup; the module's path for a worker. */
  readonly name: string | undefined;
  readonly outcome: 'done' | 'forced' | 'failed';
  /** The value that the step threw. */
  readonly error: unknown;
}

export interface ShutdownReport {
  /** The steps in the order they ran: last registered first. */
  readonly steps: readonly ShutdownStep[];
  /** The steps that did not end within their limit. */
  readonly forced: readonly ShutdownStep[];
  /** Request scopes closed by force. */
  readonly forcedRequests: number;
}

/** The app host. Sealed. */
export interface SloppyApp extends AsyncDisposable {
  readonly state: AppState;
  readonly lifecycle: AppLifecycle;
  /**
   * Registers a resource: starts a service, and stops every resource at
   * shutdown. Registering it again does nothing.
   *
   * @returns the resource
   * @throws {Error} the app is frozen
   * @throws {TypeError} not a resource
   * @throws {SloppyWorkerError} SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE: the
   *   feature is off; SLOPPY_E_WORKER_SHUTDOWN_CANCELLED: the shutdown has
   *   begun; SLOPPY_E_BACKGROUND_SERVICE_START_FAILED: its start threw, with
   *   that as `cause`; or the SloppyWorkerError that its start threw
   */
  use<T extends WorkerResource>(resource: T): T;
  /** Refuses further `use()`. */
  freeze(): this;
  /**
   * Adds a function to the shutdown, in order with the resources.
   *
   * @returns takes it out again
   */
  onShutdown(
    cleanup: Cleanup,
    options?: { name?: string | undefined } | null,
  ): () => void;
  /** Opens a request scope, which the shutdown waits for. */
  openScope(
    options?: {
      signal?: CancellationSignalLike | undefined;
      /** Default 1024. */
      maxCleanups?: number | undefined;
    } | null,
  ): Scope;
  /**
   * Waits for request scopes, then ends what was registered, last first.
   * Runs once; later calls get the same report.
   *
   * @param options `timeoutMs`: limit per step, default 10 000
   */
  shutdown(
    options?: { timeoutMs?: number | undefined } | null,
  ): Promise<ShutdownReport>;
  /** The same as `shutdown`. */
  __beginShutdown(
    options?: { timeoutMs?: number | undefined } | null,
  ): Promise<ShutdownReport>;
  __getPlanContributions(): PlanContributions;
  __debug(): PlanContributions & {
    readonly frozen: boolean;
    readonly lifecycle: AppLifecycle;
  };
}

export interface SloppyOptions {
  /**
   * Shut down at the first of these, for example `["SIGTERM"]`, then let the
   * signal end the process. Default: none.
   */
  signals?: readonly string[] | undefined;
  /** `workers: false` turns worker resources off. */
  features?: { workers?: boolean | undefined } | undefined;
  /**
   * A plan. It turns them off if its `features.workers` is false or its
   * `requiredFeatures` lack `"stdlib.workers"`.
   */
  plan?:
    | {
        features?: { workers?: boolean | undefined } | undefined;
        requiredFeatures?: readonly string[] | undefined;
      }
    | undefined;
}

export const Sloppy: {
  /** @throws {TypeError} */
  create(options?: SloppyOptions | null): SloppyApp;
};
