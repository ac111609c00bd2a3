'use strict';

module.exports = {
  testEnvironment: 'node',
  watchman: false,
  // On a busy machine a pool's first job may take a while.
  testTimeout: 60_000,
  // The default way puts counters into every function, and one that is sent to
  // an isolate would look for them there. V8 counts from outside.
  coverageProvider: 'v8',
  coverageReporters: ['text-summary'],
  collectCoverageFrom: ['thumbnails.cjs'],
};
