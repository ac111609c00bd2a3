// Takes comments and needless white space out of a script, and nothing else:
// what V8 compiles has the same tokens in the same order. A bundler would do
// more, and rename what `name` shows.

import { parse } from 'acorn';

const WORD = /[\w$#\\\u0080-\uffff]/;

// Whether two tokens would be read as another one without a space.
function needsSpace(before, after) {
  if (WORD.test(before) && WORD.test(after)) return true;
  if (/\d/.test(before) && after === '.') return true;
  // `+ +`, `/ /`, and the comments of HTML.
  return /[+\-/<]/.test(before) && /[+\-/>!*]/.test(after);
}

function gapBetween(text, end, start) {
  if (end === start) return '';
  // A statement may end with the line.
  const isLine = /[\n\r\u2028\u2029]/.test(text.slice(end, start));
  if (isLine && !/[{(,;]/.test(text[end - 1])) return '\n';
  return needsSpace(text[end - 1], text[start]) ? ' ' : '';
}

/**
 * @param {string} text a script
 * @throws {SyntaxError}
 */
export function tighten(text) {
  const tokens = [];
  parse(text, { ecmaVersion: 'latest', onToken: tokens });
  const parts = [];
  let end = 0;
  for (const token of tokens) {
    if (parts.length > 0) parts.push(gapBetween(text, end, token.start));
    parts.push(text.slice(token.start, token.end));
    end = token.end;
  }
  return `${parts.join('')}\n`;
}
