'use strict';

// Runs in a context of its own: see isolate/modules/tool_context.h.

const { parse } = require('cjs-module-lexer');

// The library knows getters that return a name or a member. Node's newer lexer
// knows all, as what compilers make of `export { default as X } from` needs.
const GETTER =
  /\bObject\.defineProperty\(\s*(?:module\.)?exports\s*,\s*(["'])([^"'\\\n]+)\1\s*,\s*\{\s*enumerable\s*:\s*(?:true|!0)\s*,\s*get\b/g;

const NAME = '(?:[\\w$]+|\'[^\'\\\\\\n]*\'|"[^"\\\\\\n]*")';
const MEMBERS = `\\bmodule\\.exports\\s*=\\s*\\{(?:\\s*${NAME}\\s*(?::\\s*[\\w$]+\\s*)?,)*\\s*`;
// The members of `module.exports = { … }` as Node 24 and later read them: one
// that is required is exported as a whole, and the first accessor ends them.
const REQUIRED = new RegExp(
  `${MEMBERS}(${NAME})\\s*:\\s*require\\s*\\(\\s*(["'])([^"'\\\\\\n]+)\\2\\s*\\)`,
  'g',
);
const ACCESSOR = new RegExp(`${MEMBERS}([gs]et)\\s+[\\w$"'[]`, 'g');

function readLiterals(text, names, reexports) {
  for (const [, name, , specifier] of text.matchAll(REQUIRED)) {
    if (names.has(name.replaceAll(/["']/g, ''))) reexports.push(specifier);
  }
  for (const [literal, word] of text.matchAll(ACCESSOR)) {
    if (new RegExp(`[{,]\\s*${word}\\s*[,:]`).test(literal)) continue;
    if (!new RegExp(`exports\\.${word}\\b`).test(text)) names.delete(word);
  }
}

module.exports = function lex(text, newer) {
  try {
    const { exports, reexports } = parse(text);
    const names = new Set(exports);
    if (newer === 'newer') readLiterals(text, names, reexports);
    for (const [, , name] of text.matchAll(GETTER)) names.add(name);
    return JSON.stringify({ exports: [...names], reexports });
  } catch {
    // V8 reports what is wrong with it.
    return JSON.stringify({ exports: [], reexports: [] });
  }
};
