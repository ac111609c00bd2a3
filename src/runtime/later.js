'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Runs parts that most
// jobs never need at the first call of one of their functions, because every
// function costs a new realm and its code cache.
// scripts/lib/bootstrap-bundle.mjs lists these parts, and makes a function of
// each and a table of them. With `runtime: 'thread'` they run at once, as the
// others.
const { H, options } = native;
const { makeParts } = require('./parts.js');
const { Header } = require('../../lib/protocol/wire.gen.js');

// The parts that have run, as bits: the code cache must have them too
// (isolate/bootstrap_code.h).
let parts;

// A part runs again if the stack overflowed in the middle.
function need(name) {
  parts ??= makeParts();
  const part = parts[name];
  if (part === undefined) return;
  part.run();
  parts[name] = undefined;
  H[Header.Parts] |= part.bit;
}

/** A stand-in for a function of a part until that has run. */
function later(part, name) {
  return (a, b, c, d) => {
    need(part);
    return runtime[name](a, b, c, d);
  };
}

runtime.need = need;
runtime.formatStack = later('stacks', 'formatStack');
runtime.codedError = later('errors', 'codedError');
runtime.encodeThrown = later('errors', 'encodeThrown');
runtime.noFunction = later('missing-export', 'noFunction');
runtime.onRejection = later('uncaught', 'onRejection');
runtime.placeOfRefusal = later('errors', 'placeOfRefusal');
runtime.report = later('uncaught', 'report');
runtime.emit = later('channels', 'emit');
runtime.hostOf = later('channels', 'hostOf');
runtime.onMail = later('channels', 'onMail');
runtime.streamResult = later('channels', 'streamResult');
runtime.streamedInput = later('channels', 'streamedInput');
runtime.seesParameter = later('parameters', 'seesParameter');
runtime.sharedOf = later('shared', 'sharedOf');
runtime.workerOf = later('identity', 'workerOf');
runtime.move = later('moves', 'move');
runtime.setImmediate = later('host', 'setImmediate');
runtime.workerThreads = later('port', 'workerThreads');

// Message workers set it from the start.
runtime.onIdle = () => {
  if (runtime.online !== true) return;
  need('port');
  runtime.onIdle();
};

// Defaults without `init` and module: nothing to prepare, and only the module's
// `dispose` to run.
runtime.state = undefined;
runtime.prepared = () => true;
runtime.sharesGone = () => {};
runtime.stalled = () => {};
runtime.endRealm = (exports) => {
  if (exports === null) {
    native.realmEnded();
    return;
  }
  need('lifecycle');
  runtime.endRealm(exports);
};

if (options.port === true) need('port');
if (options.init !== undefined || options.moduleMs !== undefined) {
  need('lifecycle');
}
