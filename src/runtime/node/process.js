'use strict';
// The `process` that Node's library sees. node:process completes it, and is
// loaded when a function of it is first wanted, because most jobs want none.

/* global host, load */
const { since } = require('../globals/lib/versions.js');
const { makeEnv } = require('./env.js');

const LATER = [
  'binding',
  'config',
  'emitWarning',
  'exit',
  'hrtime',
  'memoryUsage',
  'nextTick',
];

// No emitter is loaded for the process until one of these is wanted.
const OF_EMITTERS = [
  'addListener',
  'emit',
  'eventNames',
  'getMaxListeners',
  'listenerCount',
  'listeners',
  'off',
  'on',
  'once',
  'prependListener',
  'prependOnceListener',
  'rawListeners',
  'removeAllListeners',
  'removeListener',
  'setMaxListeners',
];

// A prototype that has an emitter's methods, and loads them at the first use.
function lateEmitter(moduleOf) {
  const methods = {};
  host.defineLazy(
    methods,
    OF_EMITTERS,
    true,
    (name) => moduleOf('events').prototype[name],
  );
  return methods;
}

// What an isolate has of this Node's; it has no debugger of Node's and no I/O.
const FEATURES = {
  __proto__: null,
  cached_builtins: true,
  require_module: true,
  typescript: 'transform',
  uv: true,
};

function featuresOf(names = []) {
  const features = {};
  for (let i = 0; i < names.length; i += 1) {
    features[names[i]] = FEATURES[names[i]] ?? false;
  }
  return features;
}

/**
 * @param {object} methods from lateEmitter
 * @param {(fd: number) => object} output
 */
function makeProcess(methods, output) {
  const facts = host.process;
  // Node's class has no other use than its name.
  function process() {}
  const prototype = Object.create(methods, {
    constructor: { value: process, writable: true, configurable: true },
  });
  // The name that is shown is of what it is an instance of.
  process.prototype = prototype;
  let isLoading = false;
  const made = Object.create(prototype);
  // The prototype has them: node:process defines the object's meanwhile, and V8
  // ends the process when a lazy property is replaced while it is resolved.
  host.defineLazy(prototype, LATER, true, (name) => {
    if (isLoading) return undefined;
    isLoading = true;
    load('node:process');
    return made[name];
  });
  host.defineLazy(prototype, ['stdout', 'stderr'], true, (name) =>
    output(name === 'stdout' ? 1 : 2),
  );
  Object.assign(made, {
    arch: facts.arch,
    argv: facts.argv ?? [facts.execPath],
    cwd: () => facts.cwd,
    env: makeEnv(facts.env ?? {}),
    execArgv: [],
    execPath: facts.execPath,
    features: featuresOf(facts.features),
    pid: facts.pid,
    platform: facts.platform,
    release: facts.release ?? { name: 'node' },
    version: facts.version,
    versions: Object.freeze({ ...facts.versions }),
  });
  return made;
}

// V8 tells of it only as long as there are listeners.
function hearMultipleResolves(process) {
  const event = 'multipleResolves';
  process.on('newListener', (name) => {
    if (name === event) host.hearAgain?.(true);
  });
  process.on('removeListener', (name) => {
    if (name === event) host.hearAgain?.(process.listenerCount(event) > 0);
  });
}

/** Called once node:events is loaded, whoever has loaded it. */
function becomeEmitter(process, EventEmitter) {
  Object.setPrototypeOf(Object.getPrototypeOf(process), EventEmitter.prototype);
  EventEmitter.call(process);
  if (!since(26)) hearMultipleResolves(process);
  // A listener as others, which a program may remove.
  process.on('warning', function onWarning(warning) {
    if (!(warning instanceof Error)) return;
    const { code, detail, message, name } = warning;
    if (name === 'DeprecationWarning' && process.noDeprecation) return;
    const label = code ? `[${code}] ` : '';
    const more = detail ? `\n${detail}` : '';
    const text = `(node:${process.pid}) ${label}${name}: ${message}${more}`;
    process.stderr.write(`${text}\n`);
  });
}

module.exports = { becomeEmitter, lateEmitter, makeProcess };
