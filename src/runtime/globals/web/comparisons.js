'use strict';

// One deep comparison for `assert` and `util.isDeepStrictEqual`.

module.exports = require('assert/build/internal/util/comparisons.js');
