// Runs the tests of one mutant, for as long as they may take, and ends them with
// this process.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Problem } from '../lib/fail.mjs';

export const PASSED = 'passed';
export const FAILED = 'failed';
/** It did not end. */
export const LATE = 'in an endless run';

// The limit on a machine that is so busy that the processor's time says nothing.
const WALL_MS = 300_000;
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'];

const groups = new Set();
let stoppedBy;

function kill({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

function stop(signal) {
  stoppedBy = signal;
  for (const child of groups) kill(child);
}

// A second one finds no listener, and ends this process at once.
for (const signal of SIGNALS) process.once(signal, stop);

function throwIfStopped() {
  if (stoppedBy !== undefined) throw new Problem(`stopped by ${stoppedBy}`);
}

/**
 * Starts a process as the first of a group: a terminal's Ctrl-C does not reach it,
 * and a kill reaches all that it has started.
 *
 * @param {object} options for `spawn`
 * @returns {{ child: ChildProcess, ended: Promise<[number, string]> }} its exit
 *   code and signal; a Problem when a signal has stopped this process meanwhile
 */
export function start(command, args, options) {
  throwIfStopped();
  const child = spawn(command, args, { ...options, detached: true });
  groups.add(child);
  const ended = once(child, 'close')
    .finally(() => groups.delete(child))
    .finally(throwIfStopped);
  return { child, ended };
}

/**
 * An endless mutant is known by the processor's time, because that does not
 * depend on what else the machine does. One that waits for ever has the
 * longest time there is.
 *
 * @param {number} cpuSeconds several times what the tests take
 * @returns {Promise<string>} one of the above
 */
export async function run(command, args, cwd, cpuSeconds) {
  const line = `ulimit -t ${cpuSeconds}; exec "$0" "$@"`;
  const options = { cwd, stdio: 'ignore' };
  const { child, ended } = start('sh', ['-c', line, command, ...args], options);
  const timer = setTimeout(() => kill(child), WALL_MS);
  try {
    const [code, signal] = await ended;
    if (signal === 'SIGXCPU' || signal === 'SIGKILL') return LATE;
    return code === 0 ? PASSED : FAILED;
  } finally {
    clearTimeout(timer);
  }
}
