'use strict';

const { createRedactor } = require('./redact.js');
const { readText } = require('./streams.js');

const FEATURE = 'stdlib.workers';
const isObject = (value) => typeof value === 'object' && value !== null;

/**
 * `workers` is an object with `resources`, or an app's list of contributions.
 */
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
    // The message of JSON.parse is dropped, because it quotes the plan.
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

module.exports = { readPlan };
