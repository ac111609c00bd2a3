'use strict';

const { availableParallelism } = require('node:os');

// Files of test/ (scripts/lib/spread-tests.mjs).
const leftOut = process.env.SW_LEFT_OUT?.split(' ').filter(Boolean) ?? [];
const ignored = ['/node_modules/', ...leftOut.map((name) => `/test/${name}$`)];

const suite = {
  testEnvironment: 'node',
  // The files are what Node runs.
  transform: {},
  modulePathIgnorePatterns: [
    '<rootDir>/build/',
    '<rootDir>/.nodes/',
    '<rootDir>/examples/',
  ],
  testPathIgnorePatterns: ignored,
};

// For Nodes whose threads are those of others (scripts/test-matrix.mjs).
const onlyIsolates = Boolean(process.env.SW_ONLY_ISOLATES);

module.exports = {
  watchman: false,
  // More than cores, because a file often waits: for a process, a server, an
  // end of time.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // A limit for what hangs, not for what a busy machine holds up.
  testTimeout: Number(process.env.SW_TEST_TIMEOUT_MS ?? 120_000),
  projects: [
    { ...suite, testMatch: ['<rootDir>/test/js/**/*.test.js'] },
    // Tests that fit isolates and Node's threads run on both.
    {
      ...suite,
      displayName: 'runtime: thread',
      setupFiles: ['<rootDir>/test/js/support/on-threads.js'],
      testMatch: [
        '<rootDir>/test/js/conformance/**/*.test.js',
        '<rootDir>/test/js/adapters/**/*.test.js',
        '<rootDir>/test/js/exporters/**/*.test.js',
        '<rootDir>/test/js/message-worker/**/*.test.js',
        '<rootDir>/test/js/observe/**/*.test.js',
      ],
      // V8's profiles and snapshots of isolates; jobs that share one.
      testPathIgnorePatterns: [...ignored, 'inspect.test.js', 'pool-shared'],
    },
  ].slice(0, onlyIsolates ? 1 : undefined),
};
