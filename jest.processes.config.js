'use strict';
// The conformance tests on processes: node scripts/run-js-tests.mjs --config
// jest.processes.config.js [paths]. They take as long as those of both other
// runtimes together, so that each change runs test/js/executors/process alone.

const { projects, ...rest } = require('./jest.config.js');

const [{ testMatch: _all, ...suite }] = projects;

module.exports = {
  ...rest,
  ...suite,
  displayName: 'runtime: process',
  setupFiles: ['<rootDir>/test/js/support/on-processes.js'],
  testMatch: ['<rootDir>/test/js/conformance/**/*.test.js'],
  // The output of processes is Node's own, not written by the addon.
  testPathIgnorePatterns: ['inspect.test.js', 'output.test.js', 'pool-shared'],
};
