'use strict';

const { execFileSync } = require('node:child_process');
const path = require('node:path');

/** The text that a script prints in a process of its own, in the package. */
function runNode(args) {
  return execFileSync(process.execPath, args, {
    cwd: path.join(__dirname, '../../..'),
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

module.exports = { runNode };
