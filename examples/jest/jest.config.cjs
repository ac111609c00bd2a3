'use strict';

module.exports = {
  testEnvironment: 'node',
  watchman: false,
  // The default way puts counters into every function, and one that is sent to
  // an isolate would look for them there. V8 counts from outside.
  coverageProvider: 'v8',
  coverageReporters: ['text-summary'],
  collectCoverageFrom: ['thumbnails.cjs'],
};
