import { execFile, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Problem } from './fail.mjs';

/** Runs a command; `output` is both streams, `stdout` the first alone. */
export function capture(command, args, options = {}) {
  const result = spawnSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 2 ** 20,
    ...options,
  });
  if (result.error) {
    return { status: -1, stdout: '', output: result.error.message };
  }
  const { stdout, stderr } = result;
  return { status: result.status ?? 128, stdout, output: stdout + stderr };
}

/**
 * @returns {string} what the command wrote to stdout
 * @throws {Problem} with all that it printed
 */
export function must(command, args, cwd) {
  const { status, stdout, output } = capture(command, args, { cwd });
  if (status === 0) return stdout;
  throw new Problem(`${command} ${args.join(' ')} failed\n${output}`);
}

/** Runs a command on this terminal and resolves with its exit code. */
export function passThrough(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      ...options,
    });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 128));
  });
}

/** As `capture`, while others run: resolves with `{ status, output }`. */
export function collect(command, args, options = {}) {
  return new Promise((resolve) => {
    const given = { maxBuffer: 64 * 2 ** 20, ...options };
    const child = execFile(command, args, given, (error, stdout, stderr) => {
      const output = stdout + stderr;
      if (child.pid === undefined) {
        resolve({ status: -1, output: error.message });
      } else resolve({ status: child.exitCode ?? 128, output });
    });
  });
}

/** Runs a command with its output appended to a file; returns the exit code. */
export function logged(command, args, logPath, options = {}) {
  const log = openSync(logPath, 'a');
  try {
    const result = spawnSync(command, args, {
      ...options,
      stdio: ['ignore', log, log],
    });
    if (result.error) throw result.error;
    return result.status ?? 128;
  } finally {
    closeSync(log);
  }
}
