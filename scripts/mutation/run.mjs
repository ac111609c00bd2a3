// Runs the tests of one mutant, for as long as they may take.

import { spawn } from 'node:child_process';

export const PASSED = 'passed';
export const FAILED = 'failed';
/** It did not end. */
export const LATE = 'in an endless run';

// The limit on a machine that is so busy that the processor's time says nothing.
const WALL_MS = 300_000;

function kill({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * An endless mutant is known by the processor's time, because that does not
 * depend on what else the machine does. One that waits for ever has the
 * longest time there is.
 *
 * @param {number} cpuSeconds several times what the tests take
 * @returns {Promise<string>} one of the above
 */
export function run(command, args, cwd, cpuSeconds) {
  return new Promise((resolve) => {
    const line = `ulimit -t ${cpuSeconds}; exec "$0" "$@"`;
    const child = spawn('sh', ['-c', line, command, ...args], {
      cwd,
      stdio: 'ignore',
      detached: true,
    });
    const timer = setTimeout(() => kill(child), WALL_MS);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (signal === 'SIGXCPU' || signal === 'SIGKILL') resolve(LATE);
      else resolve(code === 0 ? PASSED : FAILED);
    });
  });
}
