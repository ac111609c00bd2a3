'use strict';
// Another checkout of this library can be measured by the same questions.
const root = process.env.SLOPPY_BENCH_ROOT ?? '../..';

module.exports = { library: require(root) };
