/** A TracerProvider of @opentelemetry/api, as far as it is used. */
export interface TracerProviderLike {
  getTracer(name: string, version?: string): unknown;
}

export interface InstrumentOptions {
  /** Default: the global one. */
  tracerProvider?: TracerProviderLike | undefined;
}

/**
 * Makes a span for every job of every pool, worker and queue of this process,
 * and sends the trace's context into the isolates as `context.trace`. Calling
 * it again replaces what was set before. Needs `@opentelemetry/api`.
 *
 * @throws {TypeError}
 */
export function instrument(options?: InstrumentOptions | null): {
  /** No spans from now on; those of jobs under way end as usual. */
  disable(): void;
};
