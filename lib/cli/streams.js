'use strict';
// Files that the command line reads and writes from one end to the other. What
// is no regular file is opened once, because a second opening takes another
// writer's data, and without blocking, because a blocked thread of Node's pool
// keeps the process from ending.

const { constants, createReadStream, fstat, open } = require('node:fs');
const { stat } = require('node:fs/promises');
const { Socket } = require('node:net');
const { text } = require('node:stream/consumers');
const { setTimeout: pause } = require('node:timers/promises');
const tty = require('node:tty');
const { promisify } = require('node:util');

const { fileError } = require('./exit.js');

const { O_NONBLOCK = 0, O_RDONLY, O_WRONLY } = constants;
const openFd = promisify(open);
const statFd = promisify(fstat);
// Milliseconds until a pipe without a reader is tried again.
const NO_READER_MS = 20;

// Opened anew, a socket would be refused.
const NAME = /^\/(?:dev\/std(in|out)|(?:dev|proc\/self)\/fd\/([01]))$/;

/** @returns {'in' | 'out' | undefined} a standard stream that the path names */
function standardStream(path) {
  if (path === '-') return undefined;
  const [, name, number] = NAME.exec(path) ?? [];
  return name ?? { 0: 'in', 1: 'out' }[number];
}

const isPipe = (status) => status.isFIFO() || status.isSocket();

/**
 * @param {string} path
 * @param {object} [options] of `createReadStream`; the range is a regular
 *   file's only
 * @returns {Promise<Readable>} a pipe's waits for its writer
 * @throws the file system's error
 */
async function openReader(path, options = {}) {
  if (standardStream(path) === 'in') return process.stdin;
  if ((await stat(path)).isFile()) return createReadStream(path, options);
  const fd = await openFd(path, O_RDONLY | O_NONBLOCK);
  if (isPipe(await statFd(fd))) {
    return new Socket({
      __proto__: null,
      fd,
      readable: true,
      writable: false,
    });
  }
  if (tty.isatty(fd)) return new tty.ReadStream(fd);
  const { highWaterMark } = options;
  return createReadStream('', { __proto__: null, fd, highWaterMark });
}

/**
 * @param {string} path `-` for stdin
 * @returns {Promise<string>} all of it
 * @throws {CliError}
 */
async function readText(path) {
  try {
    return await text(path === '-' ? process.stdin : await openReader(path));
  } catch (error) {
    throw fileError('read', path, error);
  }
}

/**
 * @param {string} path of a named pipe
 * @param {AbortSignal} signal
 * @returns {Promise<Socket>} once it has a reader
 * @throws the file system's error, or the signal's
 */
async function openPipe(path, signal) {
  for (;;) {
    try {
      const fd = await openFd(path, O_WRONLY | O_NONBLOCK);
      return new Socket({ fd, readable: false, writable: true });
    } catch (error) {
      if (error.code !== 'ENXIO') throw error;
    }
    await pause(NO_READER_MS, undefined, { signal });
  }
}

module.exports = { openPipe, openReader, readText, standardStream };
