'use strict';

// The tokens of a piece of JavaScript that V8 has compiled, by the names that
// acorn gives to those that matter. The piece may begin and end anywhere, so
// nothing is an error: the tokens end before what cannot be read. Jobs share the
// realm, so no method of a built-in is called.

const WORDS =
  'break case catch continue debugger default do else finally for function if return switch throw try var while with null true false instanceof typeof void delete in new this const class extends export import super';

/** The words of a text as keys. */
const tableOf = (text) => {
  const table = { __proto__: null };
  let word = '';
  for (let at = 0; at <= text.length; at += 1) {
    const unit = text[at];
    if (unit !== ' ' && unit !== undefined) {
      word += unit;
      continue;
    }
    table[word] = true;
    word = '';
  }
  return table;
};

const KEYWORDS = tableOf(WORDS);
// After these an operand has ended: a slash divides.
const ENDS = tableOf(
  'name num string regexp template ) ] } this super null true false privateId',
);
const HEADS = tableOf('if for while with');
const BLOCK_AFTER = tableOf('; { } ) => else do try finally');

const OPERATORS = tableOf(
  '>>>= ... === !== **= <<= >>= >>> &&= ||= ??= => == != <= >= && || ?? ** ++ -- += -= *= /= %= &= |= ^= << >> ?.',
);

const isDigit = (unit) => unit >= '0' && unit <= '9';
const isLineEnd = (unit) =>
  unit === '\n' || unit === '\r' || unit === '\u2028' || unit === '\u2029';
const isSpace = (unit) =>
  unit === ' ' ||
  (unit >= '\t' && unit <= '\r') ||
  unit === '\u00a0' ||
  unit === '\ufeff' ||
  unit === '\u1680' ||
  (unit >= '\u2000' && unit <= '\u200a') ||
  unit === '\u2028' ||
  unit === '\u2029' ||
  unit === '\u202f' ||
  unit === '\u205f' ||
  unit === '\u3000';
// With the escapes of a name.
const isWordUnit = (unit) =>
  (unit >= 'a' && unit <= 'z') ||
  (unit >= 'A' && unit <= 'Z') ||
  isDigit(unit) ||
  unit === '_' ||
  unit === '$' ||
  unit === '\\' ||
  (unit > '\u007f' && !isSpace(unit));

/**
 * @param {string} text
 * @param {number} [start]
 * @returns {{ next(): object | undefined }} tokens: where each starts and ends,
 *   its label, whether an operand may end with it, and whether it closes a bracket
 */
function tokensOf(text, start = 0) {
  let at = start;
  let previous;
  // Open brackets, the innermost first: what each is, and what is around it.
  let open;

  const starts = (part) => {
    for (let index = 0; index < part.length; index += 1) {
      if (text[at + index] !== part[index]) return false;
    }
    return true;
  };

  // False at the end of the text.
  function skipTo(part) {
    while (at < text.length && !starts(part)) at += 1;
    at += part.length;
    return at <= text.length;
  }

  function skipGaps() {
    for (;;) {
      if (at < text.length && isSpace(text[at])) {
        at += 1;
      } else if (starts('//') || (at === 0 && starts('#!'))) {
        while (at < text.length && !isLineEnd(text[at])) at += 1;
      } else if (starts('/*')) {
        at += 2;
        if (!skipTo('*/')) return false;
      } else {
        return at < text.length;
      }
    }
  }

  function string() {
    const quote = text[at];
    for (at += 1; at < text.length && text[at] !== quote; at += 1) {
      if (text[at] === '\\') at += 1;
    }
    at += 1;
    return at <= text.length ? 'string' : undefined;
  }

  // From a grave accent or a closing brace to the next `${` or accent.
  function template() {
    for (at += 1; at < text.length; at += 1) {
      if (text[at] === '\\') {
        at += 1;
      } else if (text[at] === '`') {
        at += 1;
        return 'template';
      } else if (starts('${')) {
        at += 2;
        open = { kind: '${', outer: open };
        return '${';
      }
    }
    return undefined;
  }

  function regexp() {
    let isClass = false;
    for (at += 1; at < text.length && !isLineEnd(text[at]); at += 1) {
      const unit = text[at];
      if (unit === '\\') at += 1;
      else if (unit === '[') isClass = true;
      else if (unit === ']') isClass = false;
      else if (unit === '/' && !isClass) {
        at += 1;
        while (at < text.length && isWordUnit(text[at])) at += 1;
        return 'regexp';
      }
    }
    return undefined;
  }

  function word() {
    const from = at;
    let name = '';
    let isEscape = false;
    while (at < text.length && (isWordUnit(text[at]) || isEscape)) {
      // `\u{…}`
      if (text[at] === '\\') isEscape = text[at + 2] === '{';
      else if (text[at] === '}') isEscape = false;
      name += text[at];
      at += 1;
    }
    if (text[from] === '#') return 'privateId';
    return KEYWORDS[name] ? name : 'name';
  }

  // Only decimal ones have points and signs.
  function number() {
    const second = text[at + 1] ?? ' ';
    let mayHavePoint =
      text[at] !== '0' || isDigit(second) || !isWordUnit(second);
    const isDecimal = mayHavePoint;
    for (let last = ''; at < text.length; at += 1) {
      const unit = text[at];
      const isPower = isDecimal && (last === 'e' || last === 'E');
      if (unit === '.' && mayHavePoint) mayHavePoint = false;
      else if (
        !isWordUnit(unit) &&
        !(isPower && (unit === '+' || unit === '-'))
      )
        break;
      last = unit;
    }
    return 'num';
  }

  // A brace after what ends no operand is an object's, but for those of
  // statements.
  const isBlock = () =>
    previous === undefined ||
    BLOCK_AFTER[previous.label] === true ||
    previous.isEnd;

  function punctuation() {
    const unit = text[at];
    if (unit === '(') {
      open = { kind: unit, isHead: isHead(), outer: open };
    } else if (unit === '[') {
      open = { kind: unit, outer: open };
    } else if (unit === '{') {
      open = { kind: unit, isBlock: isBlock(), outer: open };
    } else if (unit === '}' && open?.kind === '${') {
      open = open.outer;
      return template();
    }
    return operator();
  }

  function operator() {
    for (let size = 4; size > 1; size -= 1) {
      let label = '';
      for (let index = 0; index < size; index += 1) label += text[at + index];
      // `a?.5:b` has a number.
      const isOne = OPERATORS[label] === true;
      if (!isOne || (label === '?.' && isDigit(text[at + 2] ?? ' '))) continue;
      at += size;
      return label;
    }
    at += 1;
    return text[at - 1];
  }

  function labelHere() {
    const unit = text[at];
    if (isDigit(unit) || (unit === '.' && isDigit(text[at + 1] ?? ' '))) {
      return number();
    }
    if (isWordUnit(unit)) return word();
    if (unit === '#') {
      at += 1;
      word();
      return 'privateId';
    }
    if (unit === '"' || unit === "'") return string();
    if (unit === '`') return template();
    if (unit === '/' && !previous?.isEnd) return regexp();
    return punctuation();
  }

  // Whether an operand ends with it: braces of blocks and parentheses of
  // statements end none.
  function isEndOf(label) {
    if (label === ')') return open?.isHead !== true;
    if (label === '}') return open?.isBlock !== true;
    // A keyword may be a member's name.
    return ENDS[label] === true || (KEYWORDS[label] === true && isMember());
  }

  // A parenthesis of a statement, whose body follows.
  const isHead = () => HEADS[previous?.label] === true && !previous.isEnd;

  const isMember = () => previous?.label === '.' || previous?.label === '?.';

  function next() {
    if (!skipGaps()) return undefined;
    const start = at;
    const label = labelHere();
    if (label === undefined) return undefined;
    const isEnd = isEndOf(label);
    const isBracket = label === ')' || label === ']' || label === '}';
    if (isBracket) open = open?.outer;
    // A piece of a template may begin with the brace of `${`.
    const closes = isBracket || text[start] === '}';
    previous = { __proto__: null, start, end: at, label, isEnd, closes };
    return previous;
  }

  return { __proto__: null, next };
}

module.exports = { tableOf, tokensOf };
