'use strict';

const {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} = require('node:fs');
const { join } = require('node:path');

const { overviewChart } = require('./chart.js');
const readme = require('./readme.js');
const { figuresTable, goalsTable, realTable } = require('./markdown.js');

const docs = join(__dirname, '..', '..', 'docs');
const folder = join(docs, 'bench');
const page = join(docs, 'performance.md');
const figures = join(__dirname, '..', 'figures.txt');
const front = join(docs, '..', 'README.md');

const majorOf = (version) => /^v?(\d+)/.exec(version)[1];

/** Puts an answer into the JSON of its Node, in place of an older one. */
function mergeResults(node, machine, answer) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `node${majorOf(node)}.json`);
  const known = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8')).answers
    : [];
  const answers = known.filter(({ name }) => name !== answer.name);
  answers.push({ ...answer, measured: new Date().toISOString() });
  answers.sort((a, b) => (a.name < b.name ? -1 : 1));
  const text = JSON.stringify({ node, machine, answers }, rounded, 1);
  writeFileSync(file, `${text}\n`);
}

const rounded = (_key, value) =>
  typeof value === 'number' ? Number(value.toPrecision(5)) : value;

/** @returns {object[]} the results of each Node, oldest first */
function readResults() {
  return readdirSync(folder)
    .filter((name) => /^node\d+\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
    .sort((a, b) => majorOf(a.node) - majorOf(b.node));
}

/** Tables and charts from the JSON files. */
function writeDocs() {
  const results = readResults();
  for (const result of results) {
    const file = join(folder, `node${majorOf(result.node)}.svg`);
    writeFileSync(file, overviewChart(result));
  }
  replace(page, 'real', realTable(results));
  replace(page, 'goals', goalsTable(results));
  replace(figures, 'figures', results.map(figuresTable).join('\n\n'));
  for (const [mark, content] of readmeBlocks()) replace(front, mark, content);
}

/** @returns {[string, string][]} what README.md has between each of its marks */
function readmeBlocks() {
  const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const result = read(`node${readme.MAJOR}.json`);
  const server = read('server-rendering.json');
  return [
    ['first', readme.firstBlock(result, server)],
    ['why', readme.whyBlock(result, server)],
  ];
}

function replace(file, mark, content) {
  const text = readFileSync(file, 'utf8');

  const begin = `<!-- bench:${mark} -->`;
  const end = `<!-- /bench:${mark} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < 0) throw new Error(`${file} lost "${begin}"`);
  const before = `${text.slice(0, from)}${begin}`;
  writeFileSync(file, `${before}\n\n${content}\n\n${text.slice(to)}`);
}

module.exports = { mergeResults, readmeBlocks, writeDocs };
