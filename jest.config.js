'use strict';

module.exports = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/js/**/*.test.js'],
  modulePathIgnorePatterns: [
    '<rootDir>/build/',
    '<rootDir>/.nodes/',
    '<rootDir>/examples/',
  ],
  watchman: false,
};
