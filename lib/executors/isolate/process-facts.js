'use strict';

const { resolveConditions } = require('./resolve-conditions.js');

const { stringify } = JSON;

const self = process;
const workingFolder = self.cwd;

let text;

/**
 * What `process` tells inside a worker, as JSON text: parsed there by whoever
 * asks. Of the environment only what libraries choose their build by.
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
