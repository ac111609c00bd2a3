'use strict';

const { readFile } = require('node:fs/promises');
const { text } = require('node:stream/consumers');

const { Option } = require('commander');

const { fileError, usageError } = require('./exit.js');
const { createRedactor } = require('./redact.js');
const { print } = require('./terminal.js');

const FEATURE = 'stdlib.workers';
const isObject = (value) => typeof value === 'object' && value !== null;

async function readText(path) {
  if (path === '-') return text(process.stdin);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw fileError('read', path, error);
  }
}

/** `workers` is an object with `resources`, or what an app contributes. */
function workersOf({ workers }) {
  if (Array.isArray(workers)) return { resources: workers, policy: {} };
  const { resources, policy } = isObject(workers) ? workers : {};
  return {
    resources: Array.isArray(resources) ? resources : [],
    policy: isObject(policy) ? policy : {},
  };
}

/**
 * @param {string} path of a plan's JSON, `-` for stdin
 * @returns {Promise<object | null>} null if it is no plan; `usesWorkers`,
 *   `workers: { resources, policy }`, `checks` and `redact`
 * @throws {CliError} the file cannot be read
 */
async function readPlan(path) {
  const source = await readText(path);
  let plan;
  try {
    plan = JSON.parse(source.replace(/^\uFEFF/, ''));
  } catch {
    // What JSON.parse says quotes the plan.
    return null;
  }
  if (!isObject(plan) || Array.isArray(plan)) return null;
  const { requiredFeatures, doctorChecks } = plan;
  return {
    usesWorkers:
      Array.isArray(requiredFeatures) && requiredFeatures.includes(FEATURE),
    workers: workersOf(plan),
    checks: Array.isArray(doctorChecks) ? doctorChecks.filter(isObject) : [],
    redact: createRedactor(plan),
  };
}

/** The plan's path, as an argument or as `--plan`. */
function planPath(argument, options) {
  if (argument !== undefined && options.plan !== undefined) {
    throw usageError('the plan is named twice');
  }
  return argument ?? options.plan;
}

const FORMATS = ['text', 'json'];

/** Adds what doctor and audit have in common. */
function addReportOptions(command) {
  return command
    .option('--plan <file>', 'the same as the argument')
    .addOption(new Option('--format <format>', 'how to print').choices(FORMATS))
    .option('--json', 'the same as --format json');
}

/** Prints rows as JSON under `key`, or as lines under a title. */
function printReport(options, { title, key, rows, line, none }) {
  if (options.json || options.format === 'json') {
    return print(`${JSON.stringify({ [key]: rows }, null, 2)}\n`);
  }
  const lines = rows.length > 0 ? rows.map(line) : [none];
  return print(`${title}\n\n${lines.join('\n')}\n`);
}

module.exports = { addReportOptions, planPath, printReport, readPlan };
