// tr46's table of what becomes of each character in a domain name, told by
// columns: a third of the size when it is packed, and quicker to read.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

// No character becomes a capital letter.
const SEPARATOR = 'A';

/**
 * Runs in the isolate. Rows begin where the last one ends.
 *
 * @param {string} statuses a digit for each row
 * @param {string[]} lengths of the rows, in base 36
 * @param {string[]} texts of the rows that are mapped (1) or a deviation (6)
 */
function rowsOf(statuses, lengths, texts) {
  const rows = [];
  let next = 0;
  let text = 0;
  for (let i = 0; i < statuses.length; i++) {
    const first = next;
    next += parseInt(lengths[i], 36);
    const status = +statuses[i];
    const hasText = status === 1 || status === 6;
    const range = [first, next - 1];
    rows.push(hasText ? [range, status, texts[text++]] : [range, status]);
  }
  return rows;
}

/**
 * @param {string} path of `mappingTable.json`: rows of a code point or the first
 *   and last of several, their status, and the text of those that have one
 * @returns {string} a CommonJS module with the same rows, each with both ends
 */
export function asColumns(path) {
  const table = JSON.parse(readFileSync(path, 'utf8')).map(
    ([range, ...rest]) => [
      Array.isArray(range) ? range : [range, range],
      ...rest,
    ],
  );
  const statuses = table.map(([, status]) => status).join('');
  const lengths = table.map(([[first, last]]) =>
    (last - first + 1).toString(36),
  );
  const texts = table.filter((row) => row.length > 2).map((row) => row[2]);
  const told = texts.join(SEPARATOR);
  assert.deepEqual(rowsOf(statuses, lengths, told.split(SEPARATOR)), table);
  const text = JSON.stringify;
  return `module.exports = (${rowsOf})(${text(statuses)}, ${text(lengths.join())}.split(','), ${text(told)}.split(${text(SEPARATOR)}));`;
}
