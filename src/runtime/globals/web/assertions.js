'use strict';

// The text of a call whose assertion has failed, for its message. Node's text
// asks acorn for it; the module loader has that, out of reach of what a job has
// done to the built-ins.

/* global host */
const { iterator } = globalThis.Symbol;
const { getErrorSourcePositions } = host.binding('errors');

const LAST = { __proto__: null, done: true, value: undefined };

// acorn's, as far as Node's text looks at tokens.
function tokenizer(text) {
  const tokens = host.modules().tokensOf(text);
  let at = -1;
  return {
    __proto__: null,
    [iterator]() {
      return this;
    },
    next() {
      at += 1;
      if (at >= tokens.length) return LAST;
      return { __proto__: null, done: false, value: tokens[at] };
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
  let call;
  try {
    call = host.modules().callAt(source, position);
  } catch {
    // The parser is not to be had, as in a sandbox.
    return undefined;
  }
  return call === null ? undefined : { source, ...call };
}

module.exports = { Parser: { tokenizer }, callOf };
