'use strict';

const LINES = {
  top: ['┌', '┬', '┐'],
  middle: ['├', '┼', '┤'],
  bottom: ['└', '┴', '┘'],
};

function rule([left, cross, right], widths) {
  return (
    left + widths.map((width) => '─'.repeat(width + 2)).join(cross) + right
  );
}

function row(cells, widths, width) {
  const padded = cells.map(
    (cell, index) => ` ${cell}${' '.repeat(widths[index] - width(cell))} `,
  );
  return `│${padded.join('│')}│`;
}

/**
 * Draws a table with a heading.
 *
 * @param {string[]} head
 * @param {string[][]} rows
 * @param {(text: string) => number} width columns a text takes on a terminal
 */
function drawTable(head, rows, width) {
  const widths = head.map((title, column) =>
    Math.max(width(title), ...rows.map((cells) => width(cells[column]))),
  );
  return [
    rule(LINES.top, widths),
    row(head, widths, width),
    rule(LINES.middle, widths),
    ...rows.map((cells) => row(cells, widths, width)),
    rule(LINES.bottom, widths),
  ].join('\n');
}

const INDEX = '(index)';
const ITERATION = '(iteration index)';
const KEY = 'Key';
const VALUES = 'Values';

const isPrimitive = (value) =>
  value === null || (typeof value !== 'object' && typeof value !== 'function');

function mapRows(entries, format) {
  return entries.map(([key, value], index) => [
    `${index}`,
    format(key),
    format(value),
  ]);
}

/**
 * The cells of `console.table(data, columns)`, or undefined where `data` has
 * none (a primitive).
 *
 * @param {unknown} data
 * @param {readonly string[] | undefined} columns only these, in this order
 * @param {{ format: (value: unknown) => string, types: object,
 *   previewEntries: (value: object) => [unknown[], boolean] }} tools
 */
function tableCells(data, columns, { format, types, previewEntries }) {
  if (isPrimitive(data)) return undefined;
  if (types.isMap(data)) {
    const rows = mapRows([...Map.prototype.entries.call(data)], format);
    return { head: [ITERATION, KEY, VALUES], rows };
  }
  if (types.isMapIterator(data)) {
    const [flat, isKeyValue] = previewEntries(data);
    if (isKeyValue) {
      const pairs = [];
      for (let at = 0; at < flat.length; at += 2) {
        pairs.push([flat[at], flat[at + 1]]);
      }
      return { head: [ITERATION, KEY, VALUES], rows: mapRows(pairs, format) };
    }
    return listCells(flat, format);
  }
  if (types.isSetIterator(data))
    return listCells(previewEntries(data)[0], format);
  if (types.isSet(data))
    return listCells([...Set.prototype.values.call(data)], format);
  return objectCells(data, columns, format);
}

function listCells(values, format) {
  const rows = values.map((value, index) => [`${index}`, format(value)]);
  return { head: [ITERATION, VALUES], rows };
}

function objectCells(data, columns, format) {
  const keys = Object.keys(data);
  const found = new Map();
  const plain = new Map();
  for (const column of columns ?? []) found.set(column, new Map());
  keys.forEach((key, index) => {
    const item = data[key];
    if (isPrimitive(item)) {
      plain.set(index, format(item));
      return;
    }
    for (const column of columns ?? Object.keys(item)) {
      if (!found.has(column)) found.set(column, new Map());
      if (Object.hasOwn(item, column)) {
        found.get(column).set(index, format(item[column]));
      }
    }
  });
  const used = [...found];
  const head = [INDEX, ...used.map(([column]) => column)];
  if (plain.size > 0) head.push(VALUES);
  const rows = keys.map((key, index) => {
    const cells = [key, ...used.map(([, cell]) => cell.get(index) ?? '')];
    if (plain.size > 0) cells.push(plain.get(index) ?? '');
    return cells;
  });
  return { head, rows };
}

module.exports = { drawTable, tableCells };
