'use strict';

const { inFlight } = require('../lib/in-flight.js');

// Each worker waits for its next job all the time: what the looks are for.
module.exports = inFlight(2);
