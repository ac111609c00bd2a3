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

module.exports = { since };
