'use strict';

const { resolveConditions } = require('./resolve-conditions.js');

const { stringify } = JSON;

const self = process;
const workingFolder = self.cwd;

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
    packageFolder: __dirname,
    conditions: resolveConditions(self.execArgv, self.env.NODE_OPTIONS),
    env: NODE_ENV === undefined ? {} : { NODE_ENV },
  });
}

module.exports = { processFacts };
