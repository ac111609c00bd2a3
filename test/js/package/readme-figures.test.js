'use strict';
// README.md's figures are those of docs/bench, as bench/run.js writes them.

const fs = require('node:fs');
const path = require('node:path');

const { readmeBlocks } = require('../../../bench/lib/results.js');

const readme = fs.readFileSync(
  path.join(__dirname, '../../../README.md'),
  'utf8',
);
const blockOf = (mark, content) =>
  `<!-- bench:${mark} -->\n\n${content}\n\n<!-- /bench:${mark} -->\n`;

test.each(readmeBlocks())('the block "%s" is what was measured', (...block) => {
  expect(readme).toContain(blockOf(...block));
});

test('no figure stands anywhere else', () => {
  const written = readmeBlocks().reduce(
    (text, block) => text.replace(blockOf(...block), ''),
    readme,
  );
  const prose = written.replace(/^```.*?^```$/gms, '');
  expect(prose.match(/\d[\d.,]*\s?(µs|ms|s|[KMG]B|%|×|times)\b/g)).toBeNull();
});
