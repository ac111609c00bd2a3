import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Measured } from './metrics.js';

export interface DashboardOptions {
  /** The objects to draw; a function is asked for every sample. */
  pools: Measured | readonly Measured[] | (() => Iterable<Measured>);
  /** Milliseconds from one sample to the next. Default 1000. */
  interval?: number | undefined;
  /** Answer only requests for this path. Default: every one. */
  path?: string | undefined;
  /** Default `sloppy-workers`. */
  title?: string | undefined;
}

export interface Dashboard {
  /**
   * A listener of an HTTP server, or a middleware: whether the request was
   * answered. `next` is called when it was not.
   */
  (
    req: IncomingMessage,
    res: ServerResponse,
    next?: (error?: unknown) => void,
  ): boolean;
  /** Ends the streams of those who look. */
  close(): void;
}

/**
 * A page that draws queues, throughput, latency and workers as they change. It
 * binds to nothing by itself and shows no payloads.
 *
 * @throws {TypeError}
 */
export function createDashboard(options: DashboardOptions): Dashboard;
