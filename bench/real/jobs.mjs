// Work that people take off the main thread, by packages as they are: each
// export is one job, of one input.

import { parse } from 'acorn';
import { csvParse } from 'd3-dsv';
import { marked } from 'marked';
import { deflate, inflate } from 'pako';
import papaparse from 'papaparse';

export const markdown = (text) => marked.parse(text).length;

export const papaCsv = (text) =>
  papaparse.parse(text, { header: true, dynamicTyping: true }).data.length;

export const d3Csv = (text) =>
  csvParse(text).reduce((sum, row) => sum + Number(row.total), 0);

export const parseScript = (text) =>
  parse(text, { ecmaVersion: 'latest' }).body.length;

export const compress = (bytes) => inflate(deflate(bytes)).length;

export function json(text) {
  let length = 0;
  for (let n = 0; n < 4; n += 1) {
    length += JSON.stringify(JSON.parse(text)).length;
  }
  return length;
}

export function logs(text) {
  const line =
    /^(\S+) \S+ \S+ \[([^\]]+)\] "(\w+) (\S+) [^"]*" (\d{3}) (\d+)/gm;
  const bytes = new Map();
  for (const [, , , , path, , size] of text.matchAll(line)) {
    bytes.set(path, (bytes.get(path) ?? 0) + Number(size));
  }
  return bytes.size;
}

export function words(text) {
  const counts = new Map();
  for (const word of text.toLowerCase().split(/\W+/)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0][0];
}

export function strings(count) {
  const parts = [];
  for (let i = 0; i < count; i += 1) parts.push(`item ${i} of ${count}`);
  return parts.join('\n').length;
}

export function index(count) {
  const byKey = new Map();
  for (let i = 0; i < count; i += 1) byKey.set(`k${i}`, { id: i, odd: i & 1 });
  let odd = 0;
  for (const entry of byKey.values()) odd += entry.odd;
  return odd;
}

export function report(rows) {
  const groups = Object.groupBy
    ? Object.groupBy(rows, (row) => row.city)
    : grouped(rows);
  return Object.entries(groups)
    .map(([city, all]) => ({
      city,
      total: all.reduce((sum, { total }) => sum + total, 0),
      last: all
        .map(({ placed }) => placed)
        .sort()
        .at(-1),
    }))
    .sort((a, b) => b.total - a.total);
}

function grouped(rows) {
  const groups = {};
  for (const row of rows) {
    groups[row.city] ??= [];
    groups[row.city].push(row);
  }
  return groups;
}

const ESCAPED = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text) =>
  String(text).replace(/[&<>"]/g, (found) => ESCAPED[found]);

export const page = (rows) =>
  `<table>${rows
    .map(
      (row) =>
        `<tr>${Object.values(row)
          .map((cell) => `<td>${escapeText(cell)}</td>`)
          .join('')}</tr>`,
    )
    .join('')}</table>`.length;
