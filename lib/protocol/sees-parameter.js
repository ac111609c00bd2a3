'use strict';
// Decides whether a function can see the object it is called with, or only
// members that it names. A function that destructures it without a rest element
// cannot list or copy it. The owner uses this for functions that it sends,
// realms for exports (src/runtime/parameters.js).
const { substring, textIndexOf } = require('./codec/captured.js');

// Texts that reach all parameters, or hide a parameter from this analysis.
const WHOLE = ['arguments', 'eval', '[native code]', '\\u'];
// Texts that never occur in plain names and patterns of them.
const COMPLEX = ['(', '[', '.', '=', '/', '"', "'", '`'];

function includesAny(text, parts) {
  for (let i = 0; i < parts.length; i++) {
    if (textIndexOf(text, parts[i]) >= 0) return true;
  }
  return false;
}

// Null if any parameter is not plain.
function parametersOf(text) {
  const start = textIndexOf(text, '(') + 1;
  const end = textIndexOf(text, ')', start);
  const list = substring(text, start, end < 0 ? text.length : end);
  const before = substring(text, 0, start > 0 ? start - 1 : text.length);
  return includesAny(before, COMPLEX) || includesAny(list, COMPLEX)
    ? null
    : list;
}

// The first character of the parameter at a position; '' if there is none.
function firstCharacter(list, position) {
  let depth = 0;
  let at = 0;
  for (let i = 0; i < list.length; i++) {
    const c = list[i];
    if (c === ' ' || c === '\n' || c === '\t' || c === '\r') continue;
    if (c === ',' && depth === 0) at += 1;
    else if (at === position) return c;
    if (c === '{') depth += 1;
    else if (c === '}') depth -= 1;
  }
  return '';
}

/**
 * @param {string} text of the function
 * @param {number} position of the parameter
 */
function seesParameter(text, position) {
  if (includesAny(text, WHOLE)) return true;
  const list = parametersOf(text);
  if (list === null) return true;
  const first = firstCharacter(list, position);
  return first !== '' && first !== '{';
}

module.exports = { seesParameter };
