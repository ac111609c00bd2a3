'use strict';
// Files that are written as a whole, at a path that the caller chose.

const { randomBytes } = require('node:crypto');
const fs = require('node:fs');
const { basename, dirname, join, resolve } = require('node:path');

const { O_NONBLOCK = 0, O_WRONLY } = fs.constants;
const NEW_FILE = 0o666;
// How long until a pipe that was full is tried again.
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

/** @returns {Promise<string>} where a link leads, also one to no file yet */
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
 * A new file beside the one that is meant, in whose place it is put when it is
 * complete: what failed has changed nothing.
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
    // The name says nothing of a file that may not be written.
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
 * A pipe, a device, or whatever else is no file: it is written to, and stays
 * what it is. Never opened so that it could block a thread of Node's, because
 * that one is lost then, and the process cannot end.
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
 * @returns {Promise<BesideFile | StreamFile>} `write(bytes)` as often as there
 *   is something, then `keep()`; or `discard()`
 * @throws the file system's error
 */
async function openToolFile(path) {
  const status = await statOf(path);
  return status === undefined || status.isFile()
    ? BesideFile.open(path, status)
    : StreamFile.open(path);
}

module.exports = { openToolFile };
