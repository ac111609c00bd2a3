/// <reference lib="esnext.disposable" />

import type { WorkerResource } from './app.js';
import type { WorkerCancellationSignal } from './cancellation.js';
import type { SloppyWorkerError } from './errors.js';

export type BackgroundServiceState =
  | 'created'
  | 'running'
  | 'completed'
  | 'failed'
  | 'stopped';

export interface BackgroundServiceContext {
  readonly name: string;
  /** A new one for each run. */
  readonly signal: WorkerCancellationSignal;
}

export interface BackgroundServiceOptions {
  /** `"manual"`: `app.use()` does not start it. Default `"app"`. */
  start?: 'app' | 'manual' | undefined;
  /** The way of the shutdown in the plan's metadata. Default `"cancel-and-drain"`. */
  shutdown?: string | undefined;
}

/** A handler whose life is bound to the app's. Sealed. */
export interface BackgroundService extends WorkerResource, AsyncDisposable {
  readonly name: string;
  readonly state: BackgroundServiceState;
  /**
   * Why the last run failed; its `cause` is what the handler threw.
   * SLOPPY_E_BACKGROUND_SERVICE_START_FAILED: before it returned;
   * SLOPPY_E_BACKGROUND_SERVICE_FAILED: its promise rejected.
   */
  readonly failure:
    | (SloppyWorkerError & {
        readonly code:
          | 'SLOPPY_E_BACKGROUND_SERVICE_FAILED'
          | 'SLOPPY_E_BACKGROUND_SERVICE_START_FAILED';
      })
    | undefined;
  /**
   * Runs the handler in a later microtask. No effect while it runs; a
   * completed or failed service runs again.
   *
   * @throws {SloppyWorkerError} SLOPPY_E_WORKER_STALE_HANDLE after `stop()`
   */
  start(): this;
  /**
   * Cancels the handler's signal and waits for the handler.
   *
   * @param reason default `"app shutdown"`; the first one wins
   * @param options `timeoutMs`: give up waiting then; default: no limit
   */
  stop(
    reason?: unknown,
    options?: { timeoutMs?: number | undefined } | null,
  ): Promise<void>;
}

export const BackgroundService: {
  /**
   * @param name 1 to 128 characters
   * @throws {TypeError}
   */
  create(
    name: string,
    handler: (context: BackgroundServiceContext) => unknown,
    options?: BackgroundServiceOptions | null,
  ): BackgroundService;
};
