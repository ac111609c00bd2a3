'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Answers C++ about
// modules that are not named by path or URL, and about stacks. The answers come
// from a bundle (src/runtime/loader) that is compiled at the first question.
const {
  ERRORS,
  apply,
  charCodeAt,
  defineProperty,
  getOwnPropertyDescriptor,
  hasOwn,
  lastIndexOf,
  ownKeys,
  parse,
  substring,
  textIndexOf,
} = require('./primordials.js');
const {
  defineElement,
  getPrototypeOf,
  isArray,
  stringify,
} = require('../../lib/protocol/codec/captured.js');

const { rare } = runtime;
const { create, getOwnPropertyNames, prototype: ObjectPrototype } = Object;
let loader = null;

function theLoader() {
  if (loader === null) {
    const { globals, host } = runtime;
    // For src/runtime/loader/builtins.js, and `Object` for the bundle's own
    // first lines.
    host.builtins = {
      __proto__: null,
      ERRORS,
      Object: {
        __proto__: null,
        create,
        defineProperty,
        getOwnPropertyDescriptor,
        getOwnPropertyNames,
        getPrototypeOf,
        prototype: ObjectPrototype,
      },
      apply,
      charCodeAt,
      defineElement,
      defineProperty,
      hasOwn,
      isArray,
      lastIndexOf,
      ownKeys,
      parse,
      stringify,
      substring,
      textIndexOf,
    };
    const facts = parse(rare().processFacts());
    const { conditions, cwd, packageFolder, platform } = facts;
    loader = globals.load('loader')({
      __proto__: null,
      natives: rare().loaderNatives(),
      globals,
      platform,
      cwd,
      own: packageFolder,
      conditions,
      memoryLimitMb: native.options.memoryLimitMb,
      promises: runtime.ownPromises(),
      isTurnDue: rare().isTurnDue,
      nextTurn: runtime.setImmediate,
      // Of the channels that a program listens to.
      traceOf(name) {
        const trace = runtime.traces?.[name];
        return trace?.hasSubscribers === true ? trace : undefined;
      },
    });
  }
  return loader;
}

// For src/runtime/globals/node/module.js.
runtime.modules = () => theLoader();

// `module.exports` of a CommonJS file that has run.
runtime.wholeOf = (path) =>
  loader === null ? undefined : loader.wholeOf(path);

runtime.placeInSource = (file, line, column) =>
  theLoader().placeInSource(file, line, column);
// No file was transformed if the loader was not needed.
runtime.placeBeforeTransform = (file, line, column) =>
  loader === null ? '' : loader.placeBeforeTransform(file, line, column);

runtime.moduleHooks = {
  __proto__: null,
  resolve: (specifier, importer) =>
    theLoader().resolveImport(specifier, importer),
  metaResolve: (specifier, importer) =>
    theLoader().metaResolve(specifier, importer),
  importLater: (specifier, importer, isJson, phase) =>
    theLoader().importLater(specifier, importer, isJson, phase),
  foresee: (url) => theLoader().foresee(url),
  isExecuting: (url) => theLoader().isExecuting(url),
  open: (url, format) => theLoader().open(url, format),
  evaluate: (url, names) => theLoader().evaluate(url, names),
  formatStack: (error, sites, hasMaps, global) =>
    runtime.formatStack(error, sites, hasMaps, global),
};
