'use strict';

const { stringify } = JSON;

let text;

/**
 * What `process` tells inside a worker, as JSON text: parsed there by whoever
 * asks. Of the environment only what libraries choose their build by.
 *
 * @returns {string}
 */
function processFacts() {
  const { NODE_ENV } = process.env;
  text ??= stringify({
    pid: process.pid,
    ppid: process.ppid,
    platform: process.platform,
    arch: process.arch,
    version: process.version,
    versions: process.versions,
    release: { name: 'node' },
    execPath: process.execPath,
    cwd: process.cwd(),
    packageFolder: __dirname,
    env: NODE_ENV === undefined ? {} : { NODE_ENV },
  });
  return text;
}

module.exports = { processFacts };
