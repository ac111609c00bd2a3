import type { BackendFactory, IQueueBackend } from 'bullmq';

/** The file, and how it is written. One set of options for a file and process. */
export interface SqliteConnection {
  /** Made when it is not there. On a local disk. */
  file: string | URL;
  /** `full`: also after a power cut. Default `"full"`. */
  synchronous?: 'full' | 'normal' | undefined;
  /** Default: Node's own SQLite (from Node 22.13), else `better-sqlite3`. */
  driver?: 'node' | 'better-sqlite3' | undefined;
  /**
   * Milliseconds between looks for other processes' writes where the file
   * system does not tell of them. Default 50.
   */
  pollMs?: number | undefined;
  /** Milliseconds another process may hold the write lock. Default 10 000. */
  busyTimeoutMs?: number | undefined;
}

/** A store of BullMQ's classes: a file of SQLite. */
export interface SqliteBackend extends IQueueBackend {}

/**
 * Serves `withBackend` of bullmq, 6.3.9 or later:
 * `const { Queue, Worker } = withBackend(createSqliteBackend)`, with
 * `connection: { file: 'jobs.db' }`.
 *
 * @throws {TypeError} options; @throws {SloppyWorkerError}
 * SLOPPY_E_SQLITE_STORE_FAILED
 */
export const createSqliteBackend: BackendFactory<
  SqliteBackend,
  SqliteConnection
>;
