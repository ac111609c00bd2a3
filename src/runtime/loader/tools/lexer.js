'use strict';

// Runs in a context of its own: see isolate/modules/tool_context.h.

const { parse } = require('cjs-module-lexer');

// The library knows getters that return a name or a member. Node's newer lexer
// knows all, as what compilers make of `export { default as X } from` needs.
const GETTER =
  /\bObject\.defineProperty\(\s*(?:module\.)?exports\s*,\s*(["'])([^"'\\\n]+)\1\s*,\s*\{\s*enumerable\s*:\s*(?:true|!0)\s*,\s*get\b/g;

module.exports = function lex(text) {
  try {
    const { exports, reexports } = parse(text);
    const names = new Set(exports);
    for (const [, , name] of text.matchAll(GETTER)) names.add(name);
    return JSON.stringify({ exports: [...names], reexports });
  } catch {
    // V8 reports what is wrong with it.
    return JSON.stringify({ exports: [], reexports: [] });
  }
};
