// The failures in the log of a step, because its report is seldom kept whole.

import { stripVTControlCharacters } from 'node:util';

/** Failures of Jest, GoogleTest, compilers, npm, Node and our runners begin so. */
const BEGINS = [
  /^\s*● .+ › /,
  /^\s*● Test suite failed to run/,
  /^\[ {2}FAILED {2}\] \S+ \(/,
  /: Failure$/,
  /\b(fatal )?error: /,
  /^npm (error|ERR!)/,
  /^\s*(FAIL|FAILED|not ok) (?!test\/js\/)/,
  /(ThreadSanitizer|AddressSanitizer|LeakSanitizer|runtime error): /,
  /\bdid not end in \d+ s$/,
  /^\S*(Error|Problem)\b.*: /,
];

/** The lines of one failure, with the one that begins it. */
const LINES_EACH = 7;
const MAX_LINES = 30;
const MAX_WIDTH = 160;

const cut = (line) =>
  line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH)}…` : line;

/**
 * The first failures of a log, each with a few of the lines after it; its last
 * lines if none is recognised.
 *
 * @param {string} log with or without colours
 * @returns {string[]} at most 30 lines of 161 characters
 */
export function failuresIn(log) {
  const lines = stripVTControlCharacters(log)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '');
  const found = [];
  const seen = new Set();
  for (let i = 0; i < lines.length && found.length < MAX_LINES; i++) {
    if (!BEGINS.some((pattern) => pattern.test(lines[i]))) continue;
    // Jest tells each failure twice.
    const isNew = !seen.has(lines[i]);
    seen.add(lines[i]);
    const part = lines.slice(i, i + LINES_EACH);
    if (isNew) found.push(...part);
    i += LINES_EACH - 1;
  }
  const chosen = found.length > 0 ? found : lines.slice(-LINES_EACH);
  return chosen.slice(0, MAX_LINES).map(cut);
}
