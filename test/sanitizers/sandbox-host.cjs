'use strict';
// Required before the tests of sandboxes: their processes get the sanitizers'
// runtimes before an instrumented addon, and room for what these map. An end that
// a sanitizer has caused is written to the file SW_SANITIZED_ENDS.

const childProcess = require('node:child_process');
const fs = require('node:fs');

const ARGUMENT = '--sloppy-sandbox-host';
const { SW_SANITIZED_ENDS, SW_SANITIZED_HOST } = process.env;
const { code, env } = JSON.parse(SW_SANITIZED_HOST);
// RLIMIT_DATA counts the shadow memory.
const NO_LIMIT = String(2 ** 60);

const { spawn } = childProcess;
childProcess.spawn = (file, args, options) => {
  if (args?.[0] !== ARGUMENT) return spawn(file, args, options);
  const given = args.with(args.indexOf('data') + 1, NO_LIMIT);
  const child = spawn(file, given, { ...options, env });
  let text = '';
  child.stderr?.on('data', (part) => {
    text += part;
  });
  child.on('exit', (exitCode) => {
    if (exitCode === code) fs.appendFileSync(SW_SANITIZED_ENDS, `${text}\n`);
  });
  return child;
};
