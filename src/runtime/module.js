'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. The module of a worker
// or of a pool, whose exports jobs name.
const { options, checkpoint } = native;
const { createOwnPromises } = require('./own-promises.js');
const {
  RealmPromise,
  defineProperty,
  hasOwn,
  then,
} = require('./primordials.js');
const { Detail } = require('../../lib/protocol/wire.gen.js');

const { rare, sendThrown, succeed } = runtime;
const { status: STATUS } = options;

let promises = null;
let exports = null;
let moduleError = null;
let moduleLoading = null;
let moduleStarted = options.module === undefined;

// Made when the first one is needed.
function ownPromises() {
  promises ??= createOwnPromises({ RealmPromise, defineProperty, then });
  return promises;
}

// then() of a promise of importModule(), and of what this gives.
function follow(promise, done, failed) {
  return ownPromises().follow(promise, done, failed);
}

// A promise of a file's namespace, for all that a program replaces.
function importModule(path, isMain) {
  return ownPromises().attempt(() => rare().importModule(path, isMain));
}

// Resolves when its top level has run. Also as a stage of a realm's start: see
// lifecycle.js.
function loadModule() {
  moduleStarted = true;
  return follow(importModule(options.module, true), (namespace) => {
    exports = namespace;
  });
}

// The module of a message worker loads as part of the first job.
function beginModule() {
  moduleLoading = follow(
    loadModule(),
    () => {
      moduleLoading = null;
    },
    (error) => {
      moduleError = { error };
      moduleLoading = null;
    },
  );
  checkpoint(true);
}

// The next job loads the modules in another realm, because they would fail
// again here.
function failModule(seq) {
  rare().spoil();
  sendThrown(seq, STATUS.StartupFailed, Detail.None, moduleError.error);
}

// A module that awaits messages at its top level is up as soon as it listens.
function goOnline(seq) {
  if (moduleLoading === null) return;
  runtime.online = true;
  succeed(seq, undefined);
}

function startWhenLoaded(seq, context, start) {
  if (!moduleStarted) {
    if (options.port) runtime.workerData = context.input[0];
    beginModule();
  }
  if (moduleLoading !== null) {
    follow(moduleLoading, () => {
      if (moduleError === null) start();
      else if (runtime.online === true) runtime.report(moduleError.error);
      else failModule(seq);
    });
    checkpoint(true);
    if (moduleLoading !== null) runtime.whenListening?.(() => goOnline(seq));
  } else if (moduleError !== null) {
    failModule(seq);
  } else {
    start();
  }
}

// CommonJS may make its exports when it runs, so importers may not know their
// names.
function exportOf(name) {
  if (exports === null) return undefined;
  const value = exports[name];
  if (value !== undefined) return value;
  const whole = wholeOfModule();
  return hasOwn(whole, name) ? whole[name] : undefined;
}

const wholeOfModule = () =>
  exports['module.exports'] ?? runtime.wholeOf?.(options.module) ?? {};

runtime.ownPromises = ownPromises;
runtime.follow = follow;
runtime.importModule = importModule;
runtime.loadModule = loadModule;
runtime.exportOf = exportOf;
runtime.wholeOfModule = wholeOfModule;
runtime.moduleExports = () => exports;
runtime.isModuleReady = () =>
  moduleStarted && moduleLoading === null && moduleError === null;
runtime.startWhenLoaded = startWhenLoaded;
