// The output of the demo: prose, a progress bar where there is a terminal, and
// the comparison.

import util from 'node:util';

const { stdout } = process;
const BAR = 30;
// Node 20 has styleText from 20.12 on.
const styled = (style, text) =>
  stdout.isTTY && util.styleText ? util.styleText(style, text) : text;

export const say = (text) => console.log(text);
export const heading = (text) => console.log(`\n${styled('bold', text)}`);
export const sayCount = (n, noun) => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** A bar that is redrawn in place; without a terminal, one line at the end. */
export function startProgress(label, total) {
  let done = 0;
  const draw = () => {
    const filled = Math.round((done / total) * BAR);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
    stdout.write(`\r  ${label} ${bar} ${done}/${total}`);
  };
  if (stdout.isTTY) draw();
  return {
    step() {
      done += 1;
      if (stdout.isTTY) draw();
    },
    end(ms) {
      const line = `  ${label}: ${sayCount(done, 'job')} in ${formatMs(ms)}`;
      stdout.write(stdout.isTTY ? `\r\x1b[2K${line}\n` : `${line}\n`);
    },
  };
}

export function formatMs(ms) {
  return ms < 100 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

function table(rows) {
  const widths = rows[0].map((_, column) =>
    Math.max(...rows.map((row) => row[column].length)),
  );
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0
        ? cell.padEnd(widths[column])
        : cell.padStart(widths[column]),
    );
    console.log(`  ${cells.join('   ')}`);
  }
}

export function compare(...ways) {
  const row = (text, key) => [text, ...ways.map((way) => formatMs(way[key]))];
  table([
    ['', 'main thread', 'pool, first pass', 'pool, second pass'],
    row('time for all jobs', 'ms'),
    row('event-loop delay of the main thread, longest', 'longestMs'),
    row('event-loop delay of the main thread, median', 'medianMs'),
  ]);
}

/** The conclusion of these measurements: when a pool is worth it. */
export function conclude(here, first, second, workers) {
  const times = (way) => `${(way.ms / here.ms).toFixed(2)} of its time`;
  say(
    `Meanwhile the main thread could not answer for ${formatMs(here.longestMs)}; ` +
      `beside the pool for ${formatMs(second.longestMs)}.`,
  );
  const whole = `${sayCount(workers, 'worker')} took ${times(second)}`;
  if (second.ms >= here.ms) {
    say(`${whole}: worth it for the sake of the main thread alone.`);
  } else if (first.ms >= here.ms) {
    say(
      `${whole} once they knew the code, and ${times(first)} before: worth it in ` +
        'a program that goes on, and in a short one for its main thread only.',
    );
  } else {
    say(
      `${whole}, and ${times(first)} at first: worth it in a single run too.`,
    );
  }
}

/** Prints what a SloppyWorkerError tells, and what the program matches on. */
export function explain(error) {
  console.log(`    code     ${error.code}`);
  console.log(`    message  ${error.message}`);
  console.log(`    hint     ${error.hint}`);
  if (error.cause) console.log(`    cause    ${error.cause}`);
}
