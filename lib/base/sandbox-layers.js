'use strict';

/** The layers of a sandbox, in the order of their bits (src/sandbox/lockdown.h). */
const LAYERS = Object.freeze([
  'user',
  'namespaces',
  'landlock',
  'capabilities',
  'limits',
  'seccomp',
]);

module.exports = { LAYERS };
