'use strict';

const { open, stat } = require('node:fs/promises');
const { createHash } = require('node:crypto');

const Papa = require('papaparse');

const { CliError, Exit, fileError } = require('../exit.js');
const { createElementRules } = require('./element-ends.js');
const { endOfLine, endOfRow, lineRules } = require('./record-ends.js');
const { openReader } = require('../streams.js');
const { splitRecords } = require('./split-records.js');

const CHUNK_BYTES = 2 ** 20;
const PREFIX_BYTES = 2 ** 16;

/** Identifies a file, to detect whether a checkpoint is about another one. */
async function identify(path) {
  let handle;
  try {
    handle = await open(path);
    const { size, mtimeMs } = await handle.stat();
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(PREFIX_BYTES),
      position: 0,
    });
    const prefix = createHash('sha256').update(buffer.subarray(0, bytesRead));
    return { size, mtimeMs, prefix: prefix.digest('hex') };
  } catch (error) {
    throw fileError('read', path, error);
  } finally {
    await handle?.close();
  }
}

/** @returns {Promise<number | undefined>} bytes, undefined for a pipe */
async function sizeOf(path) {
  if (path === undefined) return undefined;
  try {
    const status = await stat(path);
    if (status.isDirectory()) {
      throw Object.assign(new Error('folder'), { code: 'EISDIR' });
    }
    if (!status.isFile()) return undefined;
    // It must be readable, before anything starts.
    await (await open(path)).close();
    return status.size;
  } catch (error) {
    throw fileError('read', path, error);
  }
}

/** Reads the records of a file or of stdin, no faster than they are taken. */
class Input {
  /** Bytes that were read, for the progress. */
  bytesRead = 0;
  #options;

  /**
   * @param {object} options
   * @param {string} [options.path] undefined for stdin
   * @param {string} options.format
   * @param {string} options.delimiter of CSV
   * @param {number} options.maxBytes of one record
   * @param {() => number} options.batchSize
   * @param {AbortSignal} options.signal
   */
  constructor(options) {
    this.#options = options;
  }

  async *#chunks(start, end) {
    const { path, signal } = this.#options;
    let stream;
    const stop = () => stream?.destroy();
    signal.addEventListener('abort', stop);
    try {
      stream =
        path === undefined
          ? process.stdin
          : await openReader(path, {
              start,
              // Inclusive; the range is never empty.
              end: end === undefined ? Infinity : end - 1,
              highWaterMark: CHUNK_BYTES,
            });
      if (signal.aborted) return;
      for await (const chunk of stream) {
        this.bytesRead += chunk.length;
        yield chunk;
      }
    } catch (error) {
      if (signal.aborted) return;
      throw fileError('read', path ?? 'stdin', error);
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
  }

  #rules(start, end) {
    const { format, delimiter } = this.#options;
    if (format === 'json') return createElementRules(start, end);
    if (format === 'csv') return lineRules(endOfRow(delimiter.charCodeAt(0)));
    return lineRules(endOfLine);
  }

  /** @returns {AsyncGenerator<Batch>} the records of a range of bytes */
  #split({ start, end, index }, batchSize) {
    const { maxBytes } = this.#options;
    const rules = this.#rules(start, end);
    const options = { rules, maxBytes, batchSize, position: start, index };
    return splitRecords(this.#chunks(start, end), options);
  }

  /**
   * @param {object[]} gaps ranges `{ start, end?, index }` of positions that
   *   are still to do
   * @param {(fields: string[], end: number) => void} [onHeader] takes the
   *   first record of CSV instead of it being yielded
   * @returns {AsyncGenerator<Batch>}
   */
  async *batches(gaps, onHeader) {
    let wantsHeader = onHeader !== undefined;
    const batchSize = () => (wantsHeader ? 1 : this.#options.batchSize());
    for (const gap of gaps) {
      if (gap.start === gap.end) continue;
      for await (const batch of this.#split(gap, batchSize)) {
        if (!wantsHeader) {
          yield batch;
          continue;
        }
        onHeader(this.#fields(batch), batch.positions[1]);
        wantsHeader = false;
      }
    }
  }

  #fields({ records }) {
    const { delimiter } = this.#options;
    const { data, errors } = Papa.parse(records?.[0] ?? '', { delimiter });
    if (records !== null && errors.length === 0 && data.length === 1) {
      return distinct(data[0]);
    }
    throw new CliError('SLOPPY_CLI_INPUT', 'the header of the CSV is broken', {
      exit: Exit.JobFailed,
      hint: 'the first record must name the columns; see also --no-header',
    });
  }
}

/**
 * Refuses equal column names, because a record is an object with one property
 * per column.
 */
function distinct(columns) {
  const seen = new Set();
  for (const [at, name] of columns.entries()) {
    if (seen.has(name)) {
      throw new CliError(
        'SLOPPY_CLI_INPUT',
        `column ${at + 1} of the CSV has the name of an earlier one`,
        {
          exit: Exit.JobFailed,
          hint: 'give each column a name of its own; see also --no-header',
        },
      );
    }
    seen.add(name);
  }
  return columns;
}

module.exports = { Input, identify, sizeOf };
