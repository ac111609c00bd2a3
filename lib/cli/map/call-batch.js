'use strict';
// Runs in an isolate. It is sent as source text, so it contains all helpers.

/**
 * Calls an export with one record after the other until the time slice is over.
 * A failing record does not affect the others.
 *
 * @param {object} context `input` has the export (`url`, `name`), the records
 *   (`kind`, `text` or `records`, `index` of the first, for CSV `fields`,
 *   `delimiter` and the URL of papaparse; the URL of lost-digits.js in
 *   `digits`), `sliceMs`, `stopAtFailure`, `keepText` (strings go out as they
 *   are), `maxChars`
 * @returns {Promise<object>} `done` records, `text` of the results, one on a
 *   line, `written` of them, `dropped` without a result, `failed` with `at`
 *   and the error, `ms`; or `exports` if there is no such function, or `isMissing` for the
 *   module
 */
async function callBatch({ input, signal, deadline, host, emit }) {
  const PREPARED = Symbol.for('sloppy-workers.cli');
  if (!globalThis[PREPARED]) {
    const { Console } = console;
    globalThis.console = new Console(process.stderr, process.stderr);
    process.stdout.write = process.stderr.write.bind(process.stderr);
    globalThis[PREPARED] = true;
  }
  let namespace;
  try {
    namespace = await import(input.url);
  } catch (error) {
    // The missing module may be one that this one imports.
    const isMissing =
      error?.code === 'ERR_MODULE_NOT_FOUND' &&
      error.message.includes('imported from a function');
    if (isMissing) return { isMissing };
    throw error;
  }
  const fn = namespace[input.name];
  if (typeof fn !== 'function') {
    const isFunction = (key) => typeof namespace[key] === 'function';
    return { exports: Object.keys(namespace).filter(isFunction) };
  }
  const { kind, index: first, fields, delimiter } = input;
  const records = input.records ?? input.text.split('\n');
  const papa =
    kind === 'csv' && input.records ? await import(input.papa) : null;
  const isJson = kind === 'json' || kind === 'element';
  const { losesDigits } =
    isJson && records.some((text) => /\d[\d.]{15}/.test(text))
      ? (await import(input.digits)).default
      : { losesDigits: () => false };
  // The time limit of a record counts from here.
  if (input.announce) emit(true);

  function unreadable(name, message) {
    const error = new Error(message);
    error.name = name;
    error.isInput = true;
    return error;
  }

  function readJson(text) {
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      throw unreadable('NotJson', 'the record is not JSON');
    }
    if (!losesDigits(text)) return value;
    throw unreadable(
      'NotExact',
      'the record has an integer of more than 53 bits, which would lose digits: write it as a text, in quotes',
    );
  }

  // Parsing all records at once is several times as fast as one by one. If that
  // fails, each is parsed alone, because one broken record may spoil others.
  function parseTogether() {
    const { data, errors } = papa.default.parse(records.join('\n'), {
      delimiter,
      newline: '\n',
    });
    const isSound = errors.length === 0 && data.length === records.length;
    return isSound ? data : null;
  }

  const rows = papa === null || records.length === 0 ? null : parseTogether();

  function parseRow(text) {
    if (!text.includes('"')) return text.split(delimiter);
    const { data, errors } = papa.default.parse(text, { delimiter });
    if (errors.length === 0 && data.length === 1) return data[0];
    throw unreadable('NotCsv', 'the quotes of the record do not match');
  }

  function readRow(text) {
    const row = rows === null ? parseRow(text) : rows[at];
    if (fields === null) return row;
    if (row.length !== fields.length) {
      throw unreadable(
        'NotCsv',
        `the record has ${row.length} fields, the header ${fields.length}`,
      );
    }
    const record = {};
    for (let i = 0; i < row.length; i += 1) {
      // Assigning to __proto__ would set the prototype.
      if (fields[i] === '__proto__') {
        Object.defineProperty(record, '__proto__', {
          value: row[i],
          enumerable: true,
        });
      } else {
        record[fields[i]] = row[i];
      }
    }
    return record;
  }

  const readers = {
    text: (text) => text,
    json: readJson,
    element: readJson,
    csv: readRow,
  };
  const read = readers[kind];
  const mayBeBlank = kind === 'json' || kind === 'csv';
  const lines = [];
  const failed = [];
  let dropped = 0;
  let blank = 0;
  let chars = 0;
  let at = 0;
  const started = performance.now();
  const stopAt = Date.now() + input.sliceMs;

  function keep(result) {
    const text =
      input.keepText && typeof result === 'string'
        ? result
        : JSON.stringify(result);
    if (text === undefined) {
      dropped += 1;
      return;
    }
    lines.push(text);
    chars += text.length;
  }

  function note(error) {
    const isError = typeof error === 'object' && error !== null;
    failed.push({
      at,
      isInput: isError && error.isInput === true,
      name: isError ? String(error.name) : 'Error',
      message: isError ? String(error.message) : String(error),
      stack: isError && error.stack ? String(error.stack) : null,
    });
  }

  // Serves --inspect-brk (src/worker/debugging.cc).
  const pauseAtCall = globalThis[Symbol.for('sloppy-workers.pauseAtCall')];
  while (at < records.length) {
    const text = records[at];
    if (mayBeBlank && text.trim() === '') {
      blank += 1;
    } else {
      try {
        const index = first + at;
        const record = read(text);
        const whole = { index, signal, deadline, host };
        pauseAtCall?.();
        let result = fn(record, whole);
        if (typeof result?.then === 'function') result = await result;
        keep(result);
      } catch (error) {
        note(error);
        if (input.stopAtFailure) break;
      }
    }
    at += 1;
    if (chars > input.maxChars || Date.now() >= stopAt) break;
  }
  const ms = performance.now() - started;
  const text = lines.length > 0 ? `${lines.join('\n')}\n` : '';
  const written = lines.length;
  return { done: at, text, written, dropped, blank, failed, ms };
}

module.exports = { callBatch };
