'use strict';
// The option of `run` and `map` that counts the code that runs.

const { mkdirSync } = require('node:fs');
const { join, resolve } = require('node:path');

const { Option } = require('commander');

const { debugCalls } = require('../addon/load.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { fileError, usageError } = require('./exit.js');

const FLAG = '--coverage';
// The folder in which `c8 report` looks.
const DEFAULT_FOLDER = join('coverage', 'tmp');

/** Adds the option to a command. */
const addCoverageOption = (command) =>
  command.addOption(
    new Option(
      `${FLAG} <folder>`,
      `count the code that runs, for c8, default ${DEFAULT_FOLDER}`,
    ),
  );

/**
 * Isolates that start from now on write their counts there when they end, in
 * V8's form.
 *
 * @param {{ coverage?: string, inspect?: object, inspectBrk?: object }} options
 * @throws {CliError} what is wrong with the folder
 * @throws SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE if this Node cannot
 */
function coverIfAsked({ coverage: folder, inspect, inspectBrk }) {
  if (folder === undefined) return;
  if (folder === '') throw usageError('--coverage needs a folder');
  if (inspect !== undefined || inspectBrk !== undefined) {
    throw usageError('--coverage and --inspect exclude each other');
  }
  const path = resolve(folder);
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw fileError('make', folder, error);
  }
  const flaw = process.features.inspector
    ? debugCalls().cover(path)
    : 'it is left out';
  if (flaw !== '') {
    throw workerError(
      Code.FeatureUnavailable,
      `coverage needs V8's inspector, which this Node does not have: ${flaw}`,
    );
  }
}

module.exports = {
  COVERAGE: { flag: FLAG, value: DEFAULT_FOLDER },
  addCoverageOption,
  coverIfAsked,
};
