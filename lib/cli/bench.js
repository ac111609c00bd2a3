'use strict';

const { spawn } = require('node:child_process');
const os = require('node:os');
const { join, resolve } = require('node:path');
const { text } = require('node:stream/consumers');

const { loadNative } = require('../addon/load.js');
const { openToolFile } = require('../base/tool-file.js');
const { drawChart } = require('./bench/chart.js');
const { subjectNames } = require('./bench/subjects.js');
const { CliError, Exit, fileError } = require('./exit.js');
const { onStop } = require('./interrupt.js');
const { print, styled } = require('./terminal.js');
const { count } = require('./values.js');

const script = join(__dirname, 'bench', 'measure.js');
const DEFAULT_ROUNDS = 3;

const EXAMPLES = `
Measures this package beside worker_threads, and piscina if it is installed
here, each in a process of its own, and prints the medians of all rounds. The
numbers are those of this machine as busy as it is now.

Examples:
  $ sloppy-workers bench
  $ sloppy-workers bench --rounds 9 --svg bench.svg
  $ npm install piscina && sloppy-workers bench --json

Exit codes: 0 done, 1 a measurement failed, 2 wrong use, 3 the addon is
missing or the SVG cannot be written, 130 Ctrl-C.
`;

const MEASURES = [
  {
    key: 'start',
    title: 'start to first answer',
    note: 'ms, lower is better',
    show: (value) => `${value.toFixed(2)} ms`,
  },
  {
    key: 'roundTrip',
    title: 'round trip of a tiny job',
    note: 'µs, lower is better',
    show: (value) => `${value.toFixed(1)} µs`,
  },
  {
    key: 'throughput',
    title: 'tiny jobs',
    note: 'per second, higher is better',
    show: (value) => `${Math.round(value / 1000)} k/s`,
  },
  {
    key: 'memory',
    title: 'memory of a worker',
    note: 'MiB, lower is better',
    show: (value) => `${value.toFixed(1)} MiB`,
  },
];

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? sorted[middle]
    : (sorted[middle - 1] + sorted[middle]) / 2;
}

async function measure(name, workers, signal) {
  const child = spawn(process.execPath, [script, name, String(workers)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const exited = new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', resolve);
  });
  const texts = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code, [stdout, stderr]] = await Promise.all([exited, texts]);
  if (code === 0) return JSON.parse(stdout);
  throw new CliError('SLOPPY_CLI_BENCH', `measuring ${name} failed`, {
    exit: Exit.JobFailed,
    hint: stderr.trim().split('\n').at(-1) || 'its process ended early',
  });
}

function tableText(names, results) {
  const rows = [
    ['', ...names],
    ...MEASURES.map(({ key, title, show }) => [
      title,
      ...names.map((name) => show(results[name][key])),
    ]),
  ];
  const widths = rows[0].map((_, column) =>
    Math.max(...rows.map((row) => row[column].length)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0
          ? cell.padEnd(widths[column])
          : cell.padStart(widths[column]),
      )
      .join('   '),
  );
  lines[0] = styled(process.stdout, 'bold', lines[0]);
  return `${lines.join('\n')}\n`;
}

async function writeChart(path, title, names, results) {
  const measures = MEASURES.map(({ key, title: heading, note, show }) => ({
    title: heading,
    note,
    rows: names.map((name) => {
      const value = results[name][key];
      return { name, value, text: show(value) };
    }),
  }));
  let file;
  try {
    file = await openToolFile(resolve(path));
    await file.write(Buffer.from(drawChart({ title, measures })));
    await file.keep();
  } catch (error) {
    await file?.discard();
    throw fileError('write', path, error);
  }
}

/**
 * All subjects take turns, so that a busy moment of the machine affects all.
 */
async function measureAll(names, { rounds, workers }, signal) {
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  const { stderr } = process;
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of names) {
      if (stderr.isTTY) {
        stderr.write(`\r\x1b[2Kround ${round} of ${rounds}: ${name}`);
      }
      samples[name].push(await measure(name, workers, signal));
    }
  }
  if (stderr.isTTY) stderr.write('\r\x1b[2K');
  const medians = (list) =>
    Object.fromEntries(
      MEASURES.map(({ key }) => [key, median(list.map((one) => one[key]))]),
    );
  return Object.fromEntries(
    names.map((name) => [name, medians(samples[name])]),
  );
}

async function bench({ svg, json, ...options }) {
  loadNative();
  const settings = {
    rounds: DEFAULT_ROUNDS,
    workers: os.availableParallelism(),
    ...options,
  };
  const stop = onStop();
  try {
    const names = subjectNames();
    const results = await measureAll(names, settings, stop.signal);
    const cpu = os.cpus()[0]?.model.trim() ?? process.arch;
    const { rounds, workers } = settings;
    const title =
      `Node ${process.version}, ${workers} workers on ${cpu}, ` +
      `${rounds} rounds`;
    if (svg !== undefined) await writeChart(svg, title, names, results);
    const { version: node } = process;
    await print(
      json
        ? `${JSON.stringify({ node, cpu, workers, rounds, results }, null, 2)}\n`
        : `${title}\n\n${tableText(names, results)}`,
    );
    return Exit.Done;
  } catch (error) {
    if (stop.exit !== undefined) return stop.exit;
    throw error;
  } finally {
    stop.end();
  }
}

function addBenchCommand(program, end) {
  program
    .command('bench')
    .summary('compare with worker_threads and piscina on this machine')
    .description('Compare with worker_threads and piscina on this machine.')
    .option('--rounds <count>', 'default 3', count)
    .option('-w, --workers <count>', 'default one for each core', count)
    .option('--svg <file>', 'draw the result')
    .option('--json', 'the numbers as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (options) => end(await bench(options)));
}

module.exports = { addBenchCommand };
