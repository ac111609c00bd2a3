'use strict';

// Runs in a context of its own: see isolate/modules/tool_context.h. Reads
// JavaScript for the messages of failed assertions. The parser is the library
// that Node uses, read from its package when the first of them fails.

const loadFile = require('./package-file.js');

const OPTIONS = { ecmaVersion: 'latest' };

let parser;

// A piece of a program may break off anywhere.
function tokensOf(text) {
  const tokens = [];
  try {
    for (const { start, end, type } of parser.tokenizer(text, OPTIONS)) {
      tokens.push({ start, end, type: { label: type.label } });
    }
  } catch {
    // The rest cannot be read.
  }
  return tokens;
}

// The innermost.
function callAround(node, offset) {
  if (node.start > offset || node.end < offset) return undefined;
  for (const child of Object.values(node).flat()) {
    const found = child?.type && callAround(child, offset);
    if (found) return found;
  }
  return node.type === 'CallExpression' ? node : undefined;
}

// Node 20's way: an expression may begin with any token of the line.
function callAt(source, position) {
  const line = source.lastIndexOf('\n', position - 1) + 1;
  const code = source.slice(line);
  const offset = position - line;
  for (const { start } of parser.tokenizer(code, OPTIONS)) {
    if (start > offset) break;
    let call;
    try {
      call = callAround(parser.parseExpressionAt(code, start, OPTIONS), offset);
    } catch {
      // The expression begins later.
    }
    if (call) return { start: line + call.start, end: line + call.end, line };
  }
  return undefined;
}

/**
 * @param {string} library where the parser is
 * @param {string} text
 * @param {string} [position] in it
 * @returns {string} JSON: `{ start, end, line }` of the call at the position and
 *   where its line starts, or null; without a position `{ start, end, type }` of
 *   all tokens
 */
module.exports = function look(library, text, position) {
  parser ??= loadFile(library);
  if (position === undefined) return JSON.stringify(tokensOf(text));
  try {
    return JSON.stringify(callAt(text, Number(position)) ?? null);
  } catch {
    return 'null';
  }
};
