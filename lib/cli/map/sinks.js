'use strict';

const { once } = require('node:events');
const { open, stat } = require('node:fs/promises');

const { CliError, fileError, usageError } = require('../exit.js');
const { openPipe } = require('../streams.js');
const { refusal } = require('./checkpoint.js');

const outputGone = (text) =>
  refusal(
    text,
    'bring it back, or delete the checkpoint to start from the beginning',
  );

/**
 * Opens the output of an earlier run, and cuts it to the length in the
 * checkpoint.
 */
async function reopen(path, length) {
  let handle;
  try {
    handle = await open(path, 'r+');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    throw outputGone(`${path}, of which the checkpoint tells, is gone`);
  }
  const { size } = await handle.stat();
  if (size >= length) {
    await handle.truncate(length);
    return handle;
  }
  await handle.close();
  throw outputGone(
    `${path} has ${size} bytes, and the checkpoint tells of ${length}`,
  );
}

/** Appends to a file and counts its length. */
class FileSink {
  length = 0;
  #handle;
  #path;
  #isRegular;

  constructor(path, handle, { length = 0, isRegular = true }) {
    this.#path = path;
    this.#handle = handle;
    this.#isRegular = isRegular;
    this.length = length;
  }

  async write(text) {
    const bytes = Buffer.from(text);
    try {
      for (let from = 0; from < bytes.length; ) {
        const length = bytes.length - from;
        // A terminal has none.
        const position = this.#isRegular ? this.length : null;
        const written = await this.#handle.write(bytes, from, length, position);
        from += written.bytesWritten;
        this.length += written.bytesWritten;
      }
    } catch (error) {
      throw fileError('write', this.#path, error);
    }
  }

  async sync() {
    try {
      await this.#handle.datasync();
    } catch (error) {
      // A pipe or a device has nothing to sync.
      if (error.code !== 'EINVAL') throw fileError('write', this.#path, error);
    }
  }

  async close() {
    try {
      await this.#handle.close();
    } catch (error) {
      throw fileError('write', this.#path, error);
    }
  }
}

/** Writes to a named pipe, as fast as its reader. */
class PipeSink {
  length = 0;
  #path;
  #socket;
  #signal;
  #error;

  /** @param {AbortSignal} signal ends a write that its reader does not take */
  constructor(path, socket, signal) {
    this.#path = path;
    this.#socket = socket;
    this.#signal = signal;
    socket.on('error', (error) => {
      this.#error ??= error;
    });
  }

  async write(text) {
    try {
      await new Promise((resolve, reject) => {
        const giveUp = () => reject(this.#signal.reason);
        if (this.#signal.aborted) giveUp();
        this.#signal.addEventListener('abort', giveUp, { once: true });
        this.#socket.write(text, (error) => {
          this.#signal.removeEventListener('abort', giveUp);
          if (error) reject(this.#error ?? error);
          else resolve();
        });
      });
    } catch (error) {
      if (this.#signal.aborted) throw error;
      throw fileError('write', this.#path, error);
    }
  }

  async sync() {}

  /** Nothing is pending, because each write was awaited. */
  async close() {
    this.#socket.destroy();
  }
}

async function statusOf(path) {
  try {
    return await stat(path);
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * @param {string} path
 * @param {object} options
 * @param {number} [options.keep] bytes of an earlier run; without it, the file
 *   is made anew
 * @param {boolean} options.canResume a checkpoint tells of it
 * @param {AbortSignal} options.halt ends the wait for a pipe's reader
 * @param {AbortSignal} options.abort ends a write
 * @throws {CliError} it cannot be written, or has less than that
 */
async function openSink(path, { keep, canResume, halt, abort }) {
  try {
    const status = await statusOf(path);
    const isRegular = status === undefined || status.isFile();
    if (!isRegular && canResume && !status.isDirectory()) {
      throw usageError(
        `--checkpoint needs files: what ${path} has taken cannot be undone`,
      );
    }
    if (status?.isFIFO()) {
      return new PipeSink(path, await openPipe(path, halt), abort);
    }
    const handle =
      keep === undefined ? await open(path, 'w') : await reopen(path, keep);
    return new FileSink(path, handle, { length: keep, isRegular });
  } catch (error) {
    if (error instanceof CliError || halt.aborted) throw error;
    throw fileError('write', path, error);
  }
}

/** stdout, as fast as its reader. */
const stdoutSink = {
  async write(text) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
  async sync() {},
  async close() {},
};

module.exports = { openSink, stdoutSink };
