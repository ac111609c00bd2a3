'use strict';
// Looks at files by callback, because the promises of node:fs end the process where
// `Promise.prototype.then` was replaced by a function that throws.

const {
  close,
  constants,
  fstat,
  open,
  readFileSync,
  stat,
} = require('node:fs');

const { OwnPromise } = require('./primordials.js');

const TEXT = Object.freeze({ __proto__: null, encoding: 'utf8' });
// Windows has no such flag, and no such files.
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const settling = (resolve, reject) => (error, value) => {
  if (error === null) resolve(value);
  else reject(error);
};

const notRegular = (path) => new Error(`not a regular file: ${path}`);

// Not readFile(), which asks process.nextTick for a descriptor's bytes, nor
// read(), which asks typed arrays for their length: these throw where a program
// has replaced them, and in a callback that ends the process.
function readAll(fd, end) {
  let text;
  try {
    text = readFileSync(fd, TEXT);
  } catch (error) {
    end(error);
    return;
  }
  end(null, text);
}

function readOpen(fd, path, maxBytes, settle) {
  const end = (error, text) => close(fd, () => settle(error, text));
  fstat(fd, (error, status) => {
    if (error !== null) end(error);
    else if (!status.isFile()) end(notRegular(path));
    else if (status.size > maxBytes) end(null, undefined);
    else readAll(fd, end);
  });
}

/**
 * The text of a regular file. It may have become a FIFO since it was looked at,
 * for whose writer an open() waits.
 *
 * @param {string} path
 * @param {number} maxBytes few, because this thread waits while they are read
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
