'use strict';
// The figure at the top of the README is that of its picture.

const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '../../..');
const read = (name) => fs.readFileSync(path.join(root, name), 'utf8');

test('the answers of a server beside rendering', () => {
  const { rows } = JSON.parse(read('docs/bench/server-rendering.json'));
  const p99 = (way) => Math.round(rows.find((row) => row.way === way).p99);
  expect(read('README.md')).toContain(
    `in ${p99('in a pool')} ms instead of ${p99('on the main thread')} (p99)`,
  );
});
