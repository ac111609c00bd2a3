'use strict';

const { isUtf8 } = require('node:buffer');

const { CliError, Exit } = require('../exit.js');
const { Batch } = require('./batch.js');

const BATCH_BYTES = 2 ** 20;
const EMPTY = Buffer.alloc(0);
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const MARKS = [
  BYTE_ORDER_MARK,
  Buffer.from([0xff, 0xfe]),
  Buffer.from([0xfe, 0xff]),
];

const TOO_LONG = {
  name: 'RecordTooLong',
  message: 'the record is longer than --max-record',
};
const NOT_UTF8 = { name: 'NotUtf8', message: 'the record is not UTF-8' };

function checkEncoding(buffer) {
  if (buffer.length < 2) return;
  const mark = buffer.readUInt16BE(0);
  if (mark !== 0xfffe && mark !== 0xfeff) return;
  throw new CliError('SLOPPY_CLI_INPUT', 'the input is UTF-16, not UTF-8', {
    exit: Exit.JobFailed,
    hint: 'convert it first: iconv -f UTF-16 -t UTF-8',
  });
}

/** Whether a byte order mark may have been cut in the middle. */
const mayBeMark = (buffer) =>
  MARKS.some(
    (mark) => mark.indexOf(buffer) === 0 && buffer.length < mark.length,
  );

/** Cuts a stream of bytes into batches of records. */
class RecordSplitter {
  #rules;
  #maxBytes;
  #batchSize;
  #rest = EMPTY;
  #position;
  #index;
  #isSkipping = false;
  #skipStart = 0;

  /**
   * @param {object} options
   * @param {object} options.rules `endOf(buffer, start, searched)`, the index
   *   after the record that starts there or -1; `rangeOf(buffer, start, end)`,
   *   where its text is; `takesRest`, whether the remainder at the end is a
   *   record; `finish(rest)` may throw then
   * @param {number} options.maxBytes of one record
   * @param {() => number} options.batchSize records of the next batch
   * @param {number} options.position of the first byte in the input
   * @param {number} options.index of the first record
   */
  constructor({ rules, maxBytes, batchSize, position, index }) {
    this.#rules = rules;
    this.#maxBytes = maxBytes;
    this.#batchSize = batchSize;
    this.#position = position;
    this.#index = index;
  }

  /** @returns {Generator<Batch>} the records that are complete with `chunk` */
  *push(chunk) {
    const searched = this.#rest.length;
    const buffer = searched === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (this.#position === 0 && mayBeMark(buffer)) {
      this.#rest = buffer;
      return;
    }
    yield* this.#records(buffer, searched, false);
  }

  /**
   * @returns {Generator<Batch>} the last record, if no newline ends it
   * @throws {CliError} the input must not end here
   */
  *end() {
    yield* this.#records(this.#rest, this.#rest.length, true);
    this.#rules.finish(this.#rest);
  }

  *#records(buffer, searched, isLast) {
    if (this.#position === 0) checkEncoding(buffer);
    const base = this.#position;
    let start = 0;
    let from = 0;
    let ends = [];
    while (start < buffer.length || (isLast && this.#isSkipping)) {
      let end = this.#rules.endOf(buffer, start, searched);
      if (end < 0) {
        if (!isLast || !this.#rules.takesRest) break;
        end = buffer.length;
      }
      if (this.#isSkipping || end - start > this.#maxBytes) {
        yield* this.#batches(buffer, base, from, ends);
        yield this.#tooLong(base, start, end);
        from = end;
        ends = [];
      } else {
        ends.push(end);
        if (ends.length >= this.#batchSize() || end - from >= BATCH_BYTES) {
          yield* this.#batches(buffer, base, from, ends);
          from = end;
          ends = [];
        }
      }
      start = end;
    }
    yield* this.#batches(buffer, base, from, ends);
    this.#keep(buffer, base, start);
  }

  #keep(buffer, base, start) {
    const rest = buffer.subarray(start);
    this.#position = base + start;
    if (rest.length <= this.#maxBytes && !this.#isSkipping) {
      this.#rest = rest;
      return;
    }
    // The rest of a record that is too long is not kept.
    if (!this.#isSkipping) this.#skipStart = this.#position;
    this.#isSkipping = true;
    this.#position += rest.length;
    this.#rest = EMPTY;
  }

  #tooLong(base, start, end) {
    const first = this.#isSkipping ? this.#skipStart : base + start;
    this.#isSkipping = false;
    const index = this.#index;
    this.#index += 1;
    return new Batch(null, [first, base + end], index, TOO_LONG);
  }

  *#batches(buffer, base, from, ends) {
    if (ends.length === 0) return;
    const bytes = buffer.subarray(from, ends.at(-1));
    if (ends.length > 1 && !isUtf8(bytes)) {
      // The good records among them form batches of their own.
      let start = from;
      for (const end of ends) {
        yield* this.#batches(buffer, base, start, [end]);
        start = end;
      }
      return;
    }
    const index = this.#index;
    this.#index += ends.length;
    const positions = [base + from, ...ends.map((end) => base + end)];
    if (isUtf8(bytes)) {
      const texts = this.#texts(buffer, base, from, ends);
      yield new Batch(texts, positions, index);
    } else {
      yield new Batch(null, positions, index, NOT_UTF8);
    }
  }

  #texts(buffer, base, from, ends) {
    const hasMark = base + from === 0 && buffer.indexOf(BYTE_ORDER_MARK) === 0;
    let start = hasMark ? BYTE_ORDER_MARK.length : from;
    return ends.map((end) => {
      const [first, last] = this.#rules.rangeOf(buffer, start, end);
      start = end;
      return buffer.toString('utf8', first, last);
    });
  }
}

/**
 * @param {AsyncIterable<Buffer>} chunks
 * @param {object} options of RecordSplitter
 * @returns {AsyncGenerator<Batch>}
 */
async function* splitRecords(chunks, options) {
  const splitter = new RecordSplitter(options);
  for await (const chunk of chunks) yield* splitter.push(chunk);
  yield* splitter.end();
}

module.exports = { splitRecords };
