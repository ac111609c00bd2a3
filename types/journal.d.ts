// biome-ignore-all lint/suspicious/noExplicitAny: messages are the caller's own.
/// <reference lib="esnext.disposable" />

import type { QOper8Backup } from './qoper8.js';

export interface JournalOptions {
  /** Default: Node's own SQLite where it has one, else the package. */
  driver?: 'node' | 'better-sqlite3';
}

export interface JournalEntry {
  run: number;
  id: number;
  request: any;
}

/**
 * Match on `code`: FULL, the disk is full; IO, it does not take the file;
 * LOCKED, another process has held the file for two seconds; READ_ONLY, no
 * permission; UNREACHABLE, the folder is missing; DAMAGED, the whole file is
 * damaged, or no journal; UNSUPPORTED, the message holds a function or another
 * value that cannot be stored; CLOSED, after `close()`; FAILED, see `cause`.
 */
export class JournalError extends Error {
  readonly code:
    | 'SLOPPY_JOURNAL_CLOSED'
    | 'SLOPPY_JOURNAL_DAMAGED'
    | 'SLOPPY_JOURNAL_FAILED'
    | 'SLOPPY_JOURNAL_FULL'
    | 'SLOPPY_JOURNAL_IO'
    | 'SLOPPY_JOURNAL_LOCKED'
    | 'SLOPPY_JOURNAL_READ_ONLY'
    | 'SLOPPY_JOURNAL_UNREACHABLE'
    | 'SLOPPY_JOURNAL_UNSUPPORTED';
}

/** A QBackup in an SQLite file: queued messages survive the process. */
export class Journal implements QOper8Backup {
  private constructor();
  static open(file: string, options?: JournalOptions): Journal;
  /** Messages without a final answer, of this run and earlier ones. */
  readonly size: number;
  /** A message that `add` does not take is refused. */
  readonly required: true;
  add(id: number, request: any): void;
  delete(id: number): void;
  /** The entries that earlier runs left, the oldest first. */
  leftovers(): JournalEntry[];
  /**
   * Entries that `recover()` could not read and has set aside, with a warning
   * (`SLOPPY_W_JOURNAL_DAMAGED`).
   */
  damaged(): { run: number; id: number; bytes: Uint8Array }[];
  /**
   * Queues again what earlier runs left; gives their number.
   *
   * @throws {Error} and loses nothing: the pool is stopped, or has another
   *   QBackup
   */
  recover(
    pool: {
      message(
        request: any,
        callback?: (answer: any, workerId: number) => void,
      ): void;
    },
    callback?: (answer: any, workerId: number) => void,
  ): number;
  close(): void;
  [Symbol.dispose](): void;
}
