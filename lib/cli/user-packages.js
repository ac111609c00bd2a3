'use strict';

const { createRequire } = require('node:module');
const { join } = require('node:path');

const { CliError, Exit } = require('./exit.js');

// An engine is resolved from the working directory, because the user installs
// it.
const userRequire = createRequire(join(process.cwd(), 'sloppy-workers.js'));

/**
 * @param {string} name of a package
 * @returns {string} path of its entry
 * @throws {CliError} it is not installed
 */
function findPackage(name) {
  try {
    return userRequire.resolve(name);
  } catch {
    throw new CliError(
      'SLOPPY_CLI_MODULE',
      `there is no package ${name} here`,
      {
        exit: Exit.Environment,
        hint: `npm install ${name}, in the folder where this is run`,
      },
    );
  }
}

module.exports = { findPackage, userRequire };
