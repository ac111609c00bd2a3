'use strict';
// Exit codes of the command line. docs/cli.md has the same table.

const { Code } = require('../protocol/diagnostics.gen.js');
const { SloppyWorkerError } = require('../protocol/sloppy-worker-error.js');

const Exit = Object.freeze({
  Done: 0,
  JobFailed: 1,
  Usage: 2,
  Environment: 3,
  Checkpoint: 4,
  Interrupted: 130,
  Terminated: 143,
});

/** A failure outside the job: a stable code, a text and advice. */
class CliError extends Error {
  constructor(code, message, { exit = Exit.Usage, hint, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.exit = exit;
    this.hint = hint;
  }
}

const usageError = (message, hint = 'see sloppy-workers --help') =>
  new CliError('SLOPPY_CLI_USAGE', message, { hint });

const FILE_REASONS = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
};

/**
 * @param {string} action such as `read`
 * @param {string} path
 * @param {Error} error of node:fs
 */
function fileError(action, path, error) {
  const reason = FILE_REASONS[error.code] ?? error.message;
  return new CliError(
    'SLOPPY_CLI_FILE',
    `cannot ${action} ${path}: ${reason}`,
    {
      exit: Exit.Environment,
      hint:
        error.code === 'ENOENT'
          ? 'paths count from the working directory'
          : undefined,
      cause: error,
    },
  );
}

const ENVIRONMENT_CODES = [Code.BridgeUnavailable, Code.PoolUnavailable];

/** @returns {number} the exit code for this error */
function exitCodeOf(error) {
  if (error instanceof CliError) return error.exit;
  if (
    error instanceof SloppyWorkerError &&
    ENVIRONMENT_CODES.includes(error.code)
  ) {
    return Exit.Environment;
  }
  return Exit.JobFailed;
}

module.exports = { CliError, Exit, exitCodeOf, fileError, usageError };
