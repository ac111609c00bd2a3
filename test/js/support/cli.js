'use strict';

const { spawn } = require('node:child_process');
const os = require('node:os');
const path = require('node:path');

// The user's own cache stays as it is.
const XDG_CACHE_HOME = path.join(os.tmpdir(), 'sw-cli-cache');
const bin = path.join(__dirname, '../../../bin/sloppy-workers.js');

/**
 * Starts the command line in a process of its own.
 *
 * @returns {{ child: ChildProcess, ended: Promise<{ code: number | null,
 *   signal: string | null, stdout: string, stderr: string }> }}
 */
function startCli(args, { cwd, input, env } = {}) {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { ...process.env, FORCE_COLOR: undefined, XDG_CACHE_HOME, ...env },
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      texts[name] += text;
    });
  }
  child.stdin.on('error', () => {});
  if (input !== 'open') child.stdin.end(input);
  const ended = new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, ...texts }));
  });
  return { child, ended };
}

/** Resolves once the child's `stderr` has had this text. */
function told(child, text) {
  let all = '';
  return new Promise((resolve) => {
    child.stderr.on('data', (part) => {
      all += part;
      if (all.includes(text)) resolve();
    });
  });
}

const runCli = (args, options) => startCli(args, options).ended;

module.exports = { bin, runCli, startCli, told };
