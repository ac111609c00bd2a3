'use strict';

const fs = require('node:fs');
const os = require('node:os');

const { resolveConditions } = require('./resolve-conditions.js');

const { stringify } = JSON;

const self = process;
const workingFolder = self.cwd;

// Members that not every Node has.
const SOME = ['assert', 'execve', 'finalization', 'ref', 'threadCpuUsage'];

let text;

/**
 * The facts of `process` inside a worker, as JSON text that is parsed at its
 * first use. Of the environment it has only the variables by which libraries
 * choose their build.
 *
 * @returns {string}
 */
function processFacts() {
  text ??= readFacts();
  return text;
}

// As on the main thread; Windows has none.
const ids = () => ({
  uid: self.getuid?.(),
  euid: self.geteuid?.(),
  gid: self.getgid?.(),
  egid: self.getegid?.(),
  groups: self.getgroups?.(),
});

function readFacts() {
  const { NODE_ENV } = self.env;
  return stringify({
    pid: self.pid,
    ppid: self.ppid,
    platform: self.platform,
    arch: self.arch,
    version: self.version,
    versions: self.versions,
    release: { name: 'node' },
    execPath: self.execPath,
    cwd: workingFolder(),
    debugPort: self.debugPort,
    ids: ids(),
    has: SOME.filter((name) => name in self),
    // A text in the text, which few jobs need.
    constants: stringify({ fs: fs.constants, os: os.constants }),
    packageFolder: __dirname,
    conditions: resolveConditions(self.execArgv, self.env.NODE_OPTIONS),
    env: NODE_ENV === undefined ? {} : { NODE_ENV },
  });
}

module.exports = { processFacts };
