'use strict';

// The text of a call whose assertion has failed, for its message. Node's text
// asks acorn for it, which would be as large as half of that text.

/* global host */
const { callAt } = require('../lib/source-calls.js');
const { tokensOf } = require('../lib/source-tokens.js');

const { iterator } = globalThis.Symbol;
const { getErrorSourcePositions } = host.binding('errors');

const LAST = { __proto__: null, done: true, value: undefined };

// acorn's, as far as Node's text looks at tokens.
function tokenizer(text) {
  const tokens = tokensOf(text);
  return {
    __proto__: null,
    [iterator]() {
      return this;
    },
    next() {
      const token = tokens.next();
      if (token === undefined) return LAST;
      const { end, label, start } = token;
      const value = { __proto__: null, start, end, type: { label } };
      return { __proto__: null, done: false, value };
    },
  };
}

/**
 * The call that made an error, as Node 20 reads it from the file.
 *
 * @returns {{ source: string, start: number, end: number, line: number } | undefined}
 *   its place in a script, and the start of its line
 */
function callOf(error) {
  const { position, scriptResourceName, source } =
    getErrorSourcePositions(error);
  // The text that eval() was given is in no file.
  if (typeof scriptResourceName !== 'string') return undefined;
  const call = callAt(source, position);
  return call && { source, ...call };
}

module.exports = { Parser: { tokenizer }, callOf };
