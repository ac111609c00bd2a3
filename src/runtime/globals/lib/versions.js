'use strict';

/* global host */
// Names that only some of the Nodes have: those that this Node's main thread
// lacks, its isolates lack.

let version;

/** Whether this Node is `major.minor` or later. */
function since(major, minor = 0) {
  version ??= host.process.version.slice(1).split('.').map(Number);
  const [ours, ourMinor] = version;
  return ours > major || (ours === major && ourMinor >= minor);
}

/** Whether it has what 24.22 took over of 26. */
const sinceLate24 = () => since(26) || (since(24, 22) && !since(25));

module.exports = { since, sinceLate24 };
