'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '../..');
const textOf = (file) => readFileSync(join(root, file), 'utf8');

const rows = (count) =>
  Array.from({ length: count }, (_, n) => ({
    id: n,
    name: `Customer number ${n} & Sons`,
    city: `City ${(n * 7919) % 401}`,
    total: ((n * 7907) % 10_007) / 100,
    placed: `2026-01-${String((n % 28) + 1).padStart(2, '0')}T10:00:00Z`,
  }));

function csv(count) {
  const all = rows(count);
  const line = (row) => Object.values(row).join(',');
  return [Object.keys(all[0]).join(','), ...all.map(line)].join('\n');
}

const log = (count) =>
  Array.from(
    { length: count },
    (_, n) =>
      `10.0.${n % 250}.${n % 199} - - [10/Jan/2026:13:55:36 +0000] "GET /page/${(n * 7919) % 997} HTTP/1.1" 200 ${(n * 31) % 9999}`,
  ).join('\n');

/** The input of each job of jobs.mjs; some milliseconds of work each. */
const inputs = {
  markdown: () => textOf('bench/figures.txt').repeat(3),
  papaCsv: () => csv(10_000),
  d3Csv: () => csv(20_000),
  parseScript: () => textOf('node_modules/papaparse/papaparse.js').repeat(3),
  compress: () => new TextEncoder().encode(log(6000)),
  json: () => JSON.stringify(rows(8000)),
  logs: () => log(30_000),
  words: () => textOf('docs/cli.md').repeat(21),
  strings: () => 200_000,
  index: () => 300_000,
  report: () => rows(20_000),
  page: () => rows(10_000),
};

/** The same of packages.mjs. */
const packageInputs = {
  react: () => 1500,
  zod: () => JSON.stringify(rows(10_000)),
  ajv: () => JSON.stringify(rows(5000)),
  transpile: () => textOf('node_modules/papaparse/papaparse.js'),
  minify: () => textOf('node_modules/d3-dsv/dist/d3-dsv.js'),
  template: () => JSON.stringify(rows(5000)),
  zip: () => new TextEncoder().encode(log(6000)),
  jpeg: () => 256,
  pdf: () => 20,
  sheet: () => 1000,
  sql: () =>
    new Uint8Array(
      readFileSync(
        join(__dirname, '../node_modules/sql.js/dist/sql-wasm.wasm'),
      ),
    ),
};

/** The same of builtins.mjs. */
const builtinInputs = {
  jwt: () => ({ secrets: 100, keys: 2 }),
  passwords: () => 8,
  responses: () => rows(4000),
  urls: () => 10_000,
  // 5 MB each.
  deepEqual: () => JSON.stringify(rows(43_000)),
};

const modules = {
  'jobs.mjs': inputs,
  'packages.mjs': packageInputs,
  'builtins.mjs': builtinInputs,
};

/** The file that has a job. */
const moduleOf = (name) =>
  join(
    __dirname,
    Object.keys(modules).find((file) => name in modules[file]),
  );

module.exports = {
  inputs: Object.assign({}, ...Object.values(modules)),
  moduleOf,
};
