'use strict';

// node run.cjs <addon> [gtest arguments]: one process, so that a crash or a
// hang in a native test cannot take the test runner with it.
const [addon, ...gtestArguments] = process.argv.slice(2);
process.exitCode = require(addon).run(gtestArguments);
