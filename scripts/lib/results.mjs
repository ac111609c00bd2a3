// Every suite reports its counts here. With SW_RESULTS set they are also
// appended to that file, one JSON line each, so that a caller can add them up.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** A caller that runs a suite again elsewhere says where. */
const fullName = (name) => `${name}${process.env.SW_SUITE_SUFFIX ?? ''}`;

const counted = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;

/** Prints and records the outcome; a failure sets the exit code. */
export function report(name, { passed = 0, failed = 0, skipped = 0 }) {
  const suite = fullName(name);
  const row = { suite, passed, failed, skipped };
  console.log(`${suite}: ${counted(row)}`);
  if (process.env.SW_RESULTS) {
    appendFileSync(process.env.SW_RESULTS, `${JSON.stringify(row)}\n`);
  }
  if (failed > 0) process.exitCode = 1;
}

/** Says that a suite did not run; this is never counted as passed. */
export function skip(suite, reason) {
  console.log(`${fullName(suite)}: SKIPPED (${reason})`);
}

export function readResults(path) {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

export function total(rows) {
  const sum = (key) => rows.reduce((count, row) => count + row[key], 0);
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
  };
}

/** The plain closing line of a whole run. */
export const closingLine = (rows) => {
  const { passed, failed } = total(rows);
  return `${passed} passed, ${failed} failed`;
};
