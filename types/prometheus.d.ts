import type { Measured } from './metrics.js';

/** A Registry of prom-client, as far as it is used. */
export interface RegistryLike {
  readonly contentType: string;
  // biome-ignore lint/suspicious/noExplicitAny: a Metric of prom-client.
  registerMetric(metric: any): void;
  removeSingleMetric(name: string): void;
}

export interface RegisterOptions {
  /** Default: prom-client's own. */
  registry?: RegistryLike | undefined;
  /** The start of the metrics' names. Default `sloppy_workers_`. */
  prefix?: string | undefined;
}

/**
 * Adds the metrics of pools, workers and queues to a registry of prom-client;
 * a function is asked at every scrape. One that cannot be read is left out, with
 * one warning. Needs `prom-client` unless a registry
 * is given.
 *
 * @throws {TypeError}
 */
export function register(
  pools: Measured | readonly Measured[] | (() => Iterable<Measured>),
  options?: RegisterOptions | null,
): {
  /** Takes them out of the registry again. */
  unregister(): void;
};
