// Mistakes in C++, found by the line: statements that are missing, conditions
// the other way round, comparisons and numbers off by one.

const SWAPS = [
  [' < ', ' <= '],
  [' <= ', ' < '],
  [' > ', ' >= '],
  [' >= ', ' > '],
  [' == ', ' != '],
  [' != ', ' == '],
  [' && ', ' || '],
  [' || ', ' && '],
  [' + 1', ' + 2'],
  [' - 1', ' - 2'],
  ['return true;', 'return false;'],
  ['return false;', 'return true;'],
  ['++', '--'],
  ['--', '++'],
];
const KEYWORD =
  /^(return|break|continue|using|namespace|case|default|goto|static|const|constexpr|auto|template|typedef|friend|public|private|extern|class|struct|enum|delete)\b/;
// A type, then a name: locks are declared, too.
const DECLARATION =
  /^[A-Za-z_][\w:]*(<[^;]*>)?[\s*&]+[A-Za-z_]\w*\s*([;=({[]|$)/;

/** A statement of one line, after which nothing else is missing. */
function isStatement(line, before) {
  const text = line.trim();
  if (!/^ {2,}/.test(line) || !text.endsWith(';')) return false;
  if (KEYWORD.test(text) || DECLARATION.test(text)) return false;
  if (!/^(\+\+|--|\*|[A-Za-z_(])/.test(text)) return false;
  // The line goes on with what began above.
  return (
    before === '' || /([;{})]|else)$/.test(before) || /^(\/\/|#)/.test(before)
  );
}

/** The end of the bracket that opens at `from`. */
function closing(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function* ofLine(line, offset, text, before) {
  const indent = line.length - line.trimStart().length;
  if (isStatement(line, before)) {
    const start = offset + indent;
    const end = offset + line.length;
    yield { kind: 'statement is missing', start, end, by: ';' };
  }
  for (const { index } of line.matchAll(/\b(if|while) \(/g)) {
    const open = text.indexOf('(', offset + index);
    const close = closing(text, open);
    if (close < 0 || line.includes('constexpr')) continue;
    const by = `(!(${text.slice(open + 1, close)}))`;
    yield { kind: 'condition is negated', start: open, end: close + 1, by };
  }
  for (const [from, by] of SWAPS) {
    for (
      let at = line.indexOf(from);
      at >= 0;
      at = line.indexOf(from, at + 1)
    ) {
      const start = offset + at;
      const kind = `${from.trim()} is ${by.trim()}`;
      yield { kind, start, end: start + from.length, by };
    }
  }
}

const isCode = (line) => !/^\s*(\/\/|#|static_assert|assert|\*)/.test(line);

/** @returns {object[]} `{ kind, start, end, by, line }` */
export function mutantsOf(text) {
  const found = [];
  let offset = 0;
  let before = '';
  text.split('\n').forEach((line, index) => {
    const code = line.replace(/\s*\/\/.*$/, '');
    if (isCode(line)) {
      for (const mutant of ofLine(code, offset, text, before)) {
        found.push({ ...mutant, line: index + 1 });
      }
    }
    offset += line.length + 1;
    before = code.trim();
  });
  return found;
}
