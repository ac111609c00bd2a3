'use strict';

const { extname } = require('node:path');

const { usageError } = require('../exit.js');

const BY_EXTENSION = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.txt': 'lines',
  '.log': 'lines',
};
const FORMATS = ['ndjson', 'json', 'csv', 'lines'];

const guess = (path) =>
  path === undefined ? undefined : BY_EXTENSION[extname(path).toLowerCase()];

/** @returns {string} of an input; `path` undefined for stdin */
function inputFormat(path, option) {
  const format = option ?? (path === undefined ? 'ndjson' : guess(path));
  if (format !== undefined) return format;
  throw usageError(
    `the format of ${path} cannot be told from its name`,
    `name it with --format ${FORMATS.join('|')}`,
  );
}

/** @returns {string} of the output; `path` undefined for stdout */
function outputFormat(path, option, input) {
  const fallback = input === 'lines' ? 'lines' : 'ndjson';
  return option ?? guess(path) ?? fallback;
}

const NAMED_DELIMITERS = { tab: '\t', '\\t': '\t' };

/** @returns {string} one character between the fields of CSV */
function delimiterOf(path, option) {
  if (option === undefined) return /\.tsv$/i.test(path ?? '') ? '\t' : ',';
  const delimiter = NAMED_DELIMITERS[option] ?? option;
  if (delimiter.length === 1 && !/["\r\n\u0080-\uffff]/.test(delimiter)) {
    return delimiter;
  }
  throw usageError('--delimiter must be one ASCII character, or tab');
}

module.exports = { FORMATS, delimiterOf, inputFormat, outputFormat };
