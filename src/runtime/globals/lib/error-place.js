'use strict';

// Place and message of an error, for error events.

/* global host */

const PLACE = /^\s*at (?:async )?(.*):(\d+):(\d+)\)?$/m;

// `f (file`, `eval at f (…), file`, or only the file.
function fileOf(text) {
  const inner = text.lastIndexOf('), ');
  if (inner >= 0) return text.slice(inner + 3);
  const open = text.indexOf(' (');
  return open >= 0 ? text.slice(open + 2) : text;
}

const { isNativeError } = host.binding('types');

function stackOf(error) {
  if (error instanceof Error || isNativeError(error)) {
    try {
      return `${error.stack}`;
    } catch {
      // An unreadable stack: the stack of this call is used instead.
    }
  }
  const here = {};
  Error.captureStackTrace(here);
  return `${here.stack}`;
}

/** The place where it was made, or is reported if it has no stack. */
function placeOf(error) {
  const found = PLACE.exec(stackOf(error));
  if (found === null) return { filename: '', lineno: 0, colno: 0 };
  const [, text, line, column] = found;
  return {
    filename: fileOf(text),
    lineno: Number(line),
    colno: Number(column),
  };
}

/** The text, without calling anything of an object that is no error. */
function textOf(value) {
  if (typeof value === 'function') return 'function';
  if (typeof value !== 'object' || value === null) return String(value);
  if (!(value instanceof Error)) return '#<Object>';
  try {
    return `${value.name}: ${value.message}`;
  } catch {
    return 'Error';
  }
}

module.exports = { placeOf, textOf };
