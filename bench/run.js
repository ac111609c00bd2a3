'use strict';
/**
 * Asks every question in bench/questions/ of this library and its peers, and
 * writes the goals into docs/, all figures into bench/figures.txt.
 *
 *     npm run bench -- [--only name,name] [--rounds 9] [--quick]
 *                      [--node /path/to/node] [--root /other/checkout]
 *                      [--report] [--readme]
 *
 * `--quick` is a smoke test for CI: one short round, nothing is written, and
 * a subject of ours that fails makes the command fail (a peer is only told:
 * isolated-vm needs a compiler on Node 20). `--node` measures another Node
 * than the one that asks; `--root` another checkout of this library.
 * `--report` only writes the tables and charts again. `--readme` measures what
 * README.md tells, with the server of its picture.
 */

const { execFileSync } = require('node:child_process');
const { readdirSync } = require('node:fs');
const { cpus } = require('node:os');
const { basename, join, resolve } = require('node:path');
const { parseArgs } = require('node:util');

const { OURS } = require('./lib/judge.js');
const { measure } = require('./lib/measure.js');
const { printAnswer } = require('./lib/print.js');
const readme = require('./lib/readme.js');
const { mergeResults, writeDocs } = require('./lib/results.js');

const questionsFolder = join(__dirname, 'questions');

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    quick: { type: 'boolean', default: false },
    node: { type: 'string', default: process.execPath },
    root: { type: 'string' },
    report: { type: 'boolean', default: false },
    readme: { type: 'boolean', default: false },
  },
});

function readQuestions(only) {
  const names = readdirSync(questionsFolder)
    .filter((file) => file.endsWith('.js'))
    .map((file) => basename(file, '.js'));
  const wanted = only?.split(',') ?? names;
  for (const name of wanted) {
    if (!names.includes(name)) {
      throw new Error(`no question "${name}"; there are: ${names.join(', ')}`);
    }
  }
  return wanted.map((name) => {
    const file = join(questionsFolder, `${name}.js`);
    return { name, file, question: require(file) };
  });
}

const isOurs = (name) => name.startsWith(OURS);

/** README.md's picture, measured as long as it says. */
function measureServer() {
  const file = join(__dirname, '../examples/server-rendering/main.mjs');
  const how = ['--seconds', '4', '--rounds', '3', '--save'];
  execFileSync(options.node, [file, ...how], { stdio: 'inherit' });
}

/** Both with the Node of which README.md tells, so that they fit together. */
function requireReadmeNode(node) {
  if (node.startsWith(`v${readme.MAJOR}.`)) return;
  throw new Error(`README.md tells of Node ${readme.MAJOR}, not of ${node}`);
}

async function main() {
  if (options.report) {
    writeDocs();
    return;
  }
  const env = {};
  if (options.root) env.SLOPPY_BENCH_ROOT = resolve(options.root);
  const rounds = options.quick ? 1 : Number(options.rounds);
  const how = { rounds, quick: options.quick, execPath: options.node, env };
  const node = execFileSync(options.node, ['-p', 'process.version'], {
    encoding: 'utf8',
  }).trim();
  const machine = `${cpus().length} × ${cpus()[0].model.trim()}`;
  console.log(`Node ${node} on ${machine}, ${rounds} rounds`);
  const only = options.readme ? readme.QUESTIONS.join() : options.only;
  if (options.readme) requireReadmeNode(node);
  let failures = 0;
  for (const entry of readQuestions(only)) {
    const answer = await measure(entry, how);
    printAnswer(answer);
    failures += Object.keys(answer.failed).filter(isOurs).length;
    if (!options.quick) mergeResults(node, machine, answer);
  }
  if (options.quick) process.exitCode = failures > 0 ? 1 : 0;
  else {
    if (options.readme) measureServer();
    writeDocs();
  }
}

main();
