'use strict';
// Reads files by callback, because the promises of node:fs end the process where
// `Promise.prototype.then` was replaced by a function that throws.

const { Buffer } = require('node:buffer');
const { close, constants, fstat, open, read, stat } = require('node:fs');

const { OwnPromise } = require('./primordials.js');

// Windows has no such flag, and no such files.
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const settling = (resolve, reject) => (error, value) => {
  if (error === null) resolve(value);
  else reject(error);
};

const notRegular = (path) => new Error(`not a regular file: ${path}`);

// Not readFile(), which asks process.nextTick for a descriptor's bytes, nor for
// none: that throws where a program has replaced it, and ends the process.
function readAll(fd, size, end) {
  const bytes = Buffer.allocUnsafe(size);
  const readOn = (at) => {
    if (at === size) {
      finish(at);
      return;
    }
    read(fd, bytes, at, size - at, null, (error, count) => {
      if (error !== null) end(error);
      else if (count === 0) finish(at);
      else readOn(at + count);
    });
  };
  const finish = (at) => {
    let text;
    try {
      text = bytes.toString('utf8', 0, at);
    } catch (error) {
      end(error);
      return;
    }
    end(null, text);
  };
  readOn(0);
}

function readOpen(fd, path, maxBytes, settle) {
  const end = (error, text) => close(fd, () => settle(error, text));
  fstat(fd, (error, status) => {
    if (error !== null) end(error);
    else if (!status.isFile()) end(notRegular(path));
    else if (status.size > maxBytes) end(null, undefined);
    else readAll(fd, status.size, end);
  });
}

/**
 * The text of a regular file. It may have become a FIFO since it was looked at,
 * for whose writer an open() waits.
 *
 * @param {string} path
 * @param {number} maxBytes
 * @returns {Promise<string | undefined>} undefined for a larger one
 */
const readText = (path, maxBytes) =>
  new OwnPromise((resolve, reject) => {
    const settle = settling(resolve, reject);
    open(path, WITHOUT_WAITING, (error, fd) => {
      if (error !== null) settle(error);
      else readOpen(fd, path, maxBytes, settle);
    });
  });

/** @returns {Promise<import('node:fs').Stats>} */
const fileStatus = (path) =>
  new OwnPromise((resolve, reject) => {
    stat(path, settling(resolve, reject));
  });

module.exports = { fileStatus, notRegular, readText };
