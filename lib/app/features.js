'use strict';

/** Feature gate and plan metadata of the workers module. */

const WORKERS_FEATURE = 'stdlib.workers';

/**
 * Workers are available unless the app's options or its plan say otherwise: a
 * plan that lists its required features must list this one.
 *
 * @param {{ features?: { workers?: boolean }, plan?: object }} options
 * @returns {boolean}
 */
function areWorkersEnabled({ features, plan }) {
  if (features?.workers === false || plan?.features?.workers === false) {
    return false;
  }
  const required = plan?.requiredFeatures;
  return !Array.isArray(required) || required.includes(WORKERS_FEATURE);
}

/**
 * @param {boolean} enabled
 * @param {readonly object[]} workers metadata of the registered resources
 * @returns {object} deeply frozen
 */
function planContributions(enabled, workers) {
  return Object.freeze({
    requiredFeatures: Object.freeze(enabled ? [WORKERS_FEATURE] : []),
    features: Object.freeze({ workers: enabled }),
    strongPlan: Object.freeze({
      evidence: Object.freeze({ workers: enabled }),
    }),
    workers,
  });
}

module.exports = { areWorkersEnabled, planContributions };
