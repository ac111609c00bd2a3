'use strict';

const { once } = require('node:events');
const { open } = require('node:fs/promises');

const { CliError, fileError } = require('../exit.js');
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

  constructor(path, handle, length) {
    this.#path = path;
    this.#handle = handle;
    this.length = length;
  }

  /**
   * @param {string} path
   * @param {number} [keep] bytes of an earlier run; without it, the file is
   *   made anew
   * @throws {CliError} it cannot be written, or has less than that
   */
  static async open(path, keep = undefined) {
    try {
      const handle =
        keep === undefined ? await open(path, 'w') : await reopen(path, keep);
      return new FileSink(path, handle, keep ?? 0);
    } catch (error) {
      throw error instanceof CliError ? error : fileError('write', path, error);
    }
  }

  async write(text) {
    const bytes = Buffer.from(text);
    try {
      for (let from = 0; from < bytes.length; ) {
        const length = bytes.length - from;
        const position = this.length;
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
    await this.#handle.close();
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

module.exports = { FileSink, stdoutSink };
