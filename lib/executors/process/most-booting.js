'use strict';

const { availableParallelism } = require('node:os');

/**
 * How many processes of a pool boot at once. Of a hundred each would have too small
 * a part of the processor for its limit of time, and none would take a job before
 * nearly all of them can.
 */
const MOST_BOOTING = Math.max(4, 2 * availableParallelism());

module.exports = { MOST_BOOTING };
