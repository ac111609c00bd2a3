'use strict';
// usage: node test/graphs/main.js [--graphs 60] [--seed 1] [--files 8] [--wide] [--keep]
// Random graphs of modules, in workers and in Node itself: the values and the
// order in which files run must be the same. Graphs on which Node itself fails an
// assertion or crashes only must not end the process. Where Node gives several
// answers to one graph, by how its threads read files and by whether a timer of
// the graph ends before a file is read, each of them is right.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');

const { generateGraph } = require('./generate.js');
const { wideGraph } = require('./wide-graph.js');

const LIMIT_MS = 60_000;
// Node's own faults, and files that run each other until the stack ends.
const NOT_COMPARABLE =
  /^crash|FaultOfNode|ERR_INTERNAL_ASSERTION|ERR_VM_|RangeError/;

function writeGraph(folder, { files, entry }) {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  return path.join(folder, entry);
}

function run(script, given, readers = 1) {
  return spawnSync(process.execPath, [path.join(__dirname, script), ...given], {
    encoding: 'utf8',
    timeout: LIMIT_MS,
    maxBuffer: 2 ** 26,
    env: {
      ...process.env,
      NODE_OPTIONS: '--no-warnings',
      // Files are read in the order in which they were asked for: otherwise the
      // order of what several import() do is not even Node's own from run to run.
      UV_THREADPOOL_SIZE: `${readers}`,
    },
  });
}

function inNode(entry, readers, pace = 1) {
  const given = [entry, `${pace}`];
  const { stdout, signal, status } = run('in-node.mjs', given, readers);
  const line = stdout.trim().split('\n').pop();
  return status === 0 && line ? line : `crash ${signal ?? status}`;
}

/** Whether it is one of the answers that Node itself gives in 36 runs. */
function isAnswerOfNode(entry, outcome) {
  for (let i = 0; i < 36; ++i) {
    const readers = [1, 2, 4, 8][i % 4];
    // A busy machine, or a sanitizer, moves a timer of 3 ms to either side of
    // what Node reads meanwhile.
    const pace = [1, 0, 5, 50][(i >> 2) % 4];
    if (inNode(entry, readers, pace) === outcome) return true;
  }
  return false;
}

/** A graph that ends the process is passed over by the next one. */
function inIsolates(entries) {
  const outcomes = [];
  while (outcomes.length < entries.length) {
    const done = outcomes.length;
    const { stdout, stderr, signal, status } = run(
      'in-isolates.mjs',
      entries.slice(done),
    );
    for (const line of stdout.split('\n')) {
      const [, i, outcome] = /^(\d+) (.*)$/.exec(line) ?? [];
      if (i !== undefined && outcome !== 'begins') outcomes.push(outcome);
    }
    if (outcomes.length < entries.length) {
      const why = /^.*(?:Check failed|Fatal).*$/m.exec(stderr)?.[0] ?? '';
      outcomes.push(`crash ${signal ?? status} ${why}`);
    }
  }
  return outcomes;
}

const errorOf = (outcome) => {
  const [kind, what] = outcome.startsWith('[') ? JSON.parse(outcome) : [];
  return kind === 'error' ? what : undefined;
};

/** @returns {number} how many graphs differ */
function compareGraphs(first, count, { files = 8, wide, keep } = {}) {
  const generate = wide ? wideGraph : generateGraph;
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'graphs-'));
  let wrong = 0;
  let crashes = 0;
  let unsteady = 0;
  try {
    const seeds = Array.from({ length: count }, (_, i) => first + i);
    const entries = seeds.map((seed) =>
      writeGraph(path.join(root, `g${seed}`), generate(seed, { files })),
    );
    const ours = inIsolates(entries);
    for (const [i, seed] of seeds.entries()) {
      const wanted = inNode(entries[i]);
      if (NOT_COMPARABLE.test(wanted)) {
        crashes += 1;
        if (!ours[i].startsWith('crash')) continue;
      }
      if (ours[i] === wanted) continue;
      if (errorOf(wanted) && errorOf(wanted) === errorOf(ours[i])) continue;
      if (isAnswerOfNode(entries[i], ours[i])) {
        unsteady += 1;
        continue;
      }
      wrong += 1;
      console.log(`graph ${seed} differs: ${path.dirname(entries[i])}`);
      console.log(`  Node:    ${wanted}\n  workers: ${ours[i]}`);
    }
  } finally {
    if (!keep) fs.rmSync(root, { recursive: true, force: true });
  }
  console.log(
    `${count} graphs, ${wrong} differ, Node crashed on ${crashes}, and gives ` +
      `several answers to ${unsteady}`,
  );
  return wrong;
}

module.exports = { compareGraphs };

if (require.main === module) {
  const { values } = parseArgs({
    options: {
      graphs: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
      files: { type: 'string', default: '8' },
      wide: { type: 'boolean' },
      keep: { type: 'boolean' },
    },
  });
  const wrong = compareGraphs(Number(values.seed), Number(values.graphs), {
    ...values,
    files: Number(values.files),
  });
  process.exitCode = wrong === 0 ? 0 : 1;
}
