'use strict';

const { hrtime } = require('./own-time.js');

/**
 * @param {bigint} at an instant of `hrtime`, of any thread or process
 * @returns {number} milliseconds since then
 */
const sinceMs = (at) => Number(hrtime() - at) / 1e6;

module.exports = { sinceMs };
