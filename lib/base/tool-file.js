'use strict';
// Output files of the command line, replaced as a whole when they are complete.

const { randomBytes } = require('node:crypto');
const fs = require('node:fs');
const { basename, dirname, join, resolve } = require('node:path');

const { O_NONBLOCK = 0, O_WRONLY } = fs.constants;
const NEW_FILE = 0o666;
// Milliseconds until a full pipe is tried again.
const FULL_MS = 10;
const MAX_LINKS = 40;

const isMissing = (error) => error.code === 'ENOENT';

async function statOf(path) {
  try {
    return await fs.promises.stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * @returns {Promise<string>} the target of a link, even if no file is there yet
 */
async function behindLinks(path) {
  let at = path;
  for (let n = 0; n < MAX_LINKS; n += 1) {
    const folder = await fs.promises.realpath(dirname(at));
    at = join(folder, basename(at));
    let target;
    try {
      target = await fs.promises.readlink(at);
    } catch {
      // A file, or nothing.
      return at;
    }
    at = resolve(folder, target);
  }
  return at;
}

/**
 * A new file beside the target. It replaces the target when it is complete, so
 * that a failure changes nothing.
 */
class BesideFile {
  #handle;
  #path;
  #target;

  constructor(handle, path, target) {
    this.#handle = handle;
    this.#path = path;
    this.#target = target;
  }

  static async open(path, status) {
    const target = await behindLinks(path);
    // Checked here, because a rename would replace even a read-only file.
    if (status !== undefined) {
      await fs.promises.access(target, fs.constants.W_OK);
    }
    const name = `.sloppy-${randomBytes(6).toString('hex')}.tmp`;
    const beside = join(dirname(target), name);
    const handle = await fs.promises.open(beside, 'wx', NEW_FILE);
    const file = new BesideFile(handle, beside, target);
    if (status !== undefined) {
      try {
        await handle.chmod(status.mode & 0o7777);
      } catch {
        // A file system without modes.
      }
    }
    return file;
  }

  async write(bytes) {
    await this.#handle.writeFile(bytes);
  }

  /** @param {{ sync?: boolean }} [how] `sync`: it survives a power cut */
  async keep({ sync = false } = {}) {
    if (sync) await this.#handle.sync();
    await this.#handle.close();
    await fs.promises.rename(this.#path, this.#target);
  }

  async discard() {
    await this.#handle.close().catch(() => {});
    await fs.promises.unlink(this.#path).catch(() => {});
  }
}

/**
 * A pipe, a device, or another target that is no regular file: it is written to
 * and not replaced. Opened without blocking, because a blocked thread of Node's
 * pool would keep the process from ending.
 */
class StreamFile {
  #handle;
  #isOpen = true;

  constructor(handle) {
    this.#handle = handle;
  }

  static async open(path) {
    return new StreamFile(await fs.promises.open(path, O_WRONLY | O_NONBLOCK));
  }

  async write(bytes) {
    let left = bytes;
    while (left.length > 0) {
      try {
        const { bytesWritten } = await this.#handle.write(left);
        left = left.subarray(bytesWritten);
      } catch (error) {
        if (error.code !== 'EAGAIN' || !this.#isOpen) throw error;
        await new Promise((resolve) => {
          setTimeout(resolve, FULL_MS);
        });
      }
    }
  }

  async keep() {
    await this.#handle.close();
  }

  async discard() {
    this.#isOpen = false;
    await this.#handle.close().catch(() => {});
  }
}

/**
 * @param {string} path absolute
 * @returns {Promise<BesideFile | StreamFile>} `write(bytes)` any number of
 *   times, then `keep()`; or `discard()`
 * @throws the file system's error
 */
async function openToolFile(path) {
  const status = await statOf(path);
  return status === undefined || status.isFile()
    ? BesideFile.open(path, status)
    : StreamFile.open(path);
}

module.exports = { openToolFile };
