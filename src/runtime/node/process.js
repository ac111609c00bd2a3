'use strict';
// The `process` that Node's library sees. node:process completes it, and is
// loaded when a function of it is first wanted, because most jobs want none.

/* global host, load */
const LATER = [
  'binding',
  'config',
  'emitWarning',
  'exit',
  'hrtime',
  'memoryUsage',
  'nextTick',
  'stderr',
  'stdout',
];

function makeProcess() {
  const facts = host.process;
  // Node's class has no other use than its name.
  function process() {}
  const made = Object.create(
    Object.create(process.prototype, {
      constructor: { value: process, writable: true, configurable: true },
    }),
  );
  Object.assign(made, {
    arch: facts.arch,
    argv: facts.argv ?? [facts.execPath],
    cwd: () => facts.cwd,
    env: facts.env ?? {},
    execArgv: [],
    execPath: facts.execPath,
    features: { inspector: false, ipv6: false, tls: false },
    pid: facts.pid,
    platform: facts.platform,
    release: facts.release ?? { name: 'node' },
    version: facts.version,
    versions: Object.freeze({ ...facts.versions }),
  });
  let isLoading = false;
  host.defineLazy(made, LATER, true, (name) => {
    if (isLoading) return undefined;
    isLoading = true;
    load('node:process');
    return made[name];
  });
  return made;
}

module.exports = { makeProcess };
