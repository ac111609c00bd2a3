'use strict';

const Papa = require('papaparse');

/** Formats results, one per line as they leave an isolate, for the output. */
const passOn = () => ({
  state: {},
  add: (text) => text,
  end: () => '',
});

function jsonArray({ isBegun = false }) {
  const state = { isBegun };
  return {
    state,
    add(text) {
      const start = state.isBegun ? ',\n' : '[\n';
      state.isBegun = true;
      return start + text.slice(0, -1).replaceAll('\n', ',\n');
    },
    end: () => (state.isBegun ? '\n]\n' : '[]\n'),
  };
}

const isRow = (value) => typeof value === 'object' && value !== null;
const cell = (value) => (isRow(value) ? JSON.stringify(value) : value);

/** Columns are those of the first result, unless they are given. */
function csv({ columns = null, hidden = 0, isBegun = false }, delimiter) {
  const state = { columns, hidden, isBegun };
  const format = (rows) =>
    `${Papa.unparse(rows, { newline: '\n', delimiter })}\n`;
  const begin = (first) => {
    state.isBegun = true;
    if (isRow(first) && !Array.isArray(first)) {
      state.columns ??= Object.keys(first);
    }
    return state.columns === null ? '' : format([state.columns]);
  };
  const rowOf = (value) => {
    if (Array.isArray(value)) return value.map(cell);
    if (!isRow(value)) return [value];
    const names = state.columns ?? [];
    const shown = names.filter((name) => Object.hasOwn(value, name)).length;
    if (shown < Object.keys(value).length) state.hidden += 1;
    return names.map((name) => cell(value[name]));
  };
  return {
    state,
    add(text) {
      const lines = text.slice(0, -1).split('\n');
      const values = lines.map((line) => JSON.parse(line));
      const header = state.isBegun ? '' : begin(values[0]);
      return header + format(values.map(rowOf));
    },
    end: () => '',
  };
}

/**
 * @param {string} format of the output
 * @param {{ state?: object, delimiter: string }} options `state` is that of
 *   an earlier run, plain JSON; of CSV it may name `columns`
 * @returns {{ state: object, add(text: string): string, end(): string }}
 */
function createFormatter(format, { state = {}, delimiter }) {
  if (format === 'json') return jsonArray(state);
  if (format === 'csv') return csv(state, delimiter);
  return passOn();
}

module.exports = { createFormatter };
