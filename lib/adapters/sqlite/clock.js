'use strict';

// The functions of the time at which this is loaded: tests of a program may
// replace the global ones, and a transaction must not wait for theirs.
const { clearTimeout, setImmediate, setTimeout } = globalThis;
const monotonic = performance.now.bind(performance);

module.exports = { clearTimeout, monotonic, setImmediate, setTimeout };
