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

/** Match on `code`. */
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
  /** What earlier runs left, the oldest first. */
  leftovers(): JournalEntry[];
  /** What `recover()` has set aside because it cannot be read. */
  damaged(): { run: number; id: number; bytes: Uint8Array }[];
  /** Queues again what earlier runs left; gives their number. */
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
