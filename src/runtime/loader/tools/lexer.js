'use strict';

// Runs in a context of its own: see isolate/modules/tool_context.h.

const { parse } = require('cjs-module-lexer');

module.exports = function lex(text) {
  try {
    const { exports, reexports } = parse(text);
    return JSON.stringify({ exports, reexports });
  } catch {
    // V8 reports what is wrong with it.
    return JSON.stringify({ exports: [], reexports: [] });
  }
};
