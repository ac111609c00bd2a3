'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. The parts that most
// jobs never need run when something of theirs is first called: a function
// costs a new realm, and the code cache that a new isolate reads, whether
// anybody calls it or not. Which parts those are says
// scripts/lib/bootstrap-bundle.mjs, which makes a function of each and a table
// of those; with `runtime: 'thread'` they run at once, as the others.
const { H, options } = native;
const { makeParts } = require('./parts.js');
const { Header } = require('../../lib/protocol/wire.gen.js');

// The parts that have run, as bits: the code cache is to have them too
// (isolate/bootstrap_code.h).
let parts;

// Run twice if the stack ended in the middle.
function need(name) {
  parts ??= makeParts();
  const part = parts[name];
  if (part === undefined) return;
  part.run();
  parts[name] = undefined;
  H[Header.Parts] |= part.bit;
}

/** What stands for a function of a part until that has run. */
function later(part, name) {
  return (a, b, c) => {
    need(part);
    return runtime[name](a, b, c);
  };
}

runtime.need = need;
runtime.formatStack = later('stacks', 'formatStack');
runtime.codedError = later('errors', 'codedError');
runtime.encodeThrown = later('errors', 'encodeThrown');
runtime.onRejection = later('errors', 'onRejection');
runtime.placeOfRefusal = later('errors', 'placeOfRefusal');
runtime.report = later('errors', 'report');
runtime.emit = later('channels', 'emit');
runtime.hostOf = later('channels', 'hostOf');
runtime.onMail = later('channels', 'onMail');
runtime.streamResult = later('channels', 'streamResult');
runtime.streamedInput = later('channels', 'streamedInput');
runtime.seesParameter = later('parameters', 'seesParameter');
runtime.setImmediate = later('host', 'setImmediate');
runtime.workerThreads = later('port', 'workerThreads');

// Message workers have one from the start.
runtime.onIdle = () => {
  if (runtime.online !== true) return;
  need('port');
  runtime.onIdle();
};

// Nothing is to be prepared, or to end but what a module exports.
runtime.state = undefined;
runtime.prepared = () => true;
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
if (options.init !== undefined) need('lifecycle');
