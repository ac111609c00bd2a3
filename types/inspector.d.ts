export interface InspectorOptions {
  /** The port, 0 to 65535; 0 for any that is free. Default 9230. */
  port?: number | undefined;
  /**
   * The address it listens at. Default `"127.0.0.1"`. Whoever reaches another
   * one controls the process.
   */
  host?: string | undefined;
  /**
   * Workers that start wait until a debugger lets them go on, also while none
   * is attached. Default false.
   */
  wait?: boolean | undefined;
}

export interface Inspector extends AsyncDisposable {
  /** The address for a debugger of all workers, and of the program itself. */
  readonly url: string;
  readonly port: number;
  /** Resolves when all sessions, and what they paused, have ended. */
  close(): Promise<void>;
}

/**
 * Opens an endpoint for debuggers that speak the Chrome DevTools Protocol (VS
 * Code, Chrome), on a thread of its own: breakpoints in what runs in isolates,
 * and in the program itself if its main thread calls this. Needs the package
 * `ws`. Experimental. Limits of time stand still while a worker or a thread of
 * the program is paused, or a worker waits for a debugger.
 *
 * @throws {TypeError}
 * @throws {SloppyWorkerError} SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE: no `ws`, no
 *   inspector in this Node, one that does not pass the addon's self-test, or
 *   one is open in this process;
 *   SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE: no addon
 * @throws {Error} of Node, `code: 'EADDRINUSE'`: the port is taken
 */
export function openInspector(
  options?: InspectorOptions | null,
): Promise<Inspector>;
