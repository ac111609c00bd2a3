// Runs the tests of one mutant, for as long as they may take.

import { spawn } from 'node:child_process';

export const PASSED = 'passed';
export const FAILED = 'failed';
/** It did not end: an endless mutant, or a machine that is too busy. */
export const LATE = 'in an endless run';

function kill({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** @returns {Promise<string>} one of the above */
export function run(command, args, cwd, limitMs) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      stdio: 'ignore',
      detached: true,
    });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      kill(child);
    }, limitMs);
    child.on('close', (code) => {
      clearTimeout(timer);
      if (isLate) resolve(LATE);
      else resolve(code === 0 ? PASSED : FAILED);
    });
  });
}
