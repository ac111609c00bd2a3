'use strict';

const { inFlight } = require('../lib/in-flight.js');

// Answers gather while the owner reads them: what lingering is for.
module.exports = inFlight(16);
