'use strict';
// Files that a thread reads by itself, with the limits of isolates
// (src/isolate/modules/module_source.cc).

const { readFileSync, statSync } = require('node:fs');
const { isAbsolute } = require('node:path');
const { fileURLToPath } = require('node:url');

const MAX_FILE_BYTES = 256 * 1024 * 1024;
const PACKAGED = ['/node_modules/', '\\node_modules\\'];

const coded = (code, text) => Object.assign(new Error(text), { code });

const statusOf = (file) => statSync(file, { throwIfNoEntry: false });

/** @throws {Error} its reading may have no end: a FIFO blocks its reader */
function needRegular(file, status) {
  if (status?.isFile()) return;
  throw coded('ERR_MODULE_NOT_FOUND', `cannot read ${file}`);
}

/** @returns {string} the text of a regular file */
function readText(file) {
  needRegular(file, statusOf(file));
  return readFileSync(file, 'utf8');
}

/**
 * @param {string} file of a worker's module
 * @param {number} [maxModuleBytes] the option
 * @throws {Error} Node would wait for it, or load what is too large
 */
function checkModule(file, maxModuleBytes = MAX_FILE_BYTES) {
  const status = statusOf(file);
  // Node has its own errors for these.
  if (status === undefined || status.isDirectory()) return;
  needRegular(file, status);
  const { size } = status;
  // The option is not for packages.
  const isPackaged = PACKAGED.some((part) => file.includes(part));
  if (size > MAX_FILE_BYTES) {
    throw coded('ERR_OUT_OF_RANGE', `module is larger than 256 MiB: ${file}`);
  }
  if (size > maxModuleBytes && !isPackaged) {
    const text = `module is larger than maxModuleBytes: ${file}`;
    throw coded('ERR_OUT_OF_RANGE', text);
  }
}

/** As `checkModule`, of what a function's `modules` name, if that is a file. */
function checkSpecifier(specifier) {
  const isUrl = specifier.startsWith('file:');
  const file = isUrl ? fileURLToPath(specifier) : specifier;
  if (isAbsolute(file)) checkModule(file);
}

module.exports = { checkModule, checkSpecifier, readText };
