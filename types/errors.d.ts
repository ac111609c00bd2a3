import type { SloppyWorkerErrorCode } from './diagnostics.gen.js';

export type { SloppyWorkerErrorCode } from './diagnostics.gen.js';

/**
 * The one error class of the workers API. Match on `code`, not on the text.
 *
 * The message is `${code}: ${text}` and never holds payload values,
 * cancellation reasons or the text of your own errors. What your code threw is
 * the `cause`. `instanceof` holds across realms and copies of the package.
 */
export class SloppyWorkerError extends Error {
  /**
   * @param message default: the code's text in the table of codes
   */
  constructor(
    code: SloppyWorkerErrorCode,
    message?: string,
    options?: { cause?: unknown } | null,
  );
  readonly name: 'SloppyWorkerError';
  /** Stable, one of 20. */
  readonly code: SloppyWorkerErrorCode;
  /** The value that the user's code threw, where that code has failed. */
  readonly cause?: unknown;
  /**
   * Advice on what to do about it; undefined for a code outside the table. The
   * header of `stack` has it too, the message has not.
   */
  readonly hint: string | undefined;
}
