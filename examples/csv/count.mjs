// Runs in each isolate; imports an npm package as any module does.

import { csvParse } from 'd3-dsv';

/** Counts the rows by the value of one column, `state` or else the first. */
export function countBy(text) {
  const table = csvParse(text);
  const column = table.columns.includes('state') ? 'state' : table.columns[0];
  const counts = new Map();
  for (const row of table) {
    counts.set(row[column], (counts.get(row[column]) ?? 0) + 1);
  }
  // A Map does not travel; an array of pairs does.
  return { rows: table.length, counts: [...counts] };
}
