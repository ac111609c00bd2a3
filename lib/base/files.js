'use strict';
// Reads files by callback, because the promises of node:fs end the process where
// `Promise.prototype.then` was replaced by a function that throws.

const { readFile, stat } = require('node:fs');

const { OwnPromise } = require('./primordials.js');

const TEXT = Object.freeze({ __proto__: null, encoding: 'utf8' });

const settling = (resolve, reject) => (error, value) => {
  if (error === null) resolve(value);
  else reject(error);
};

/** @returns {Promise<string>} */
const readText = (path) =>
  new OwnPromise((resolve, reject) => {
    readFile(path, TEXT, settling(resolve, reject));
  });

/** @returns {Promise<import('node:fs').Stats>} */
const fileStatus = (path) =>
  new OwnPromise((resolve, reject) => {
    stat(path, settling(resolve, reject));
  });

module.exports = { fileStatus, readText };
