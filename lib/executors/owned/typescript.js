'use strict';
// TypeScript in worker threads, where Node or a loader of the program's leaves
// something to do. A thread that meets no TypeScript loads nothing of it.

const nodeModule = require('node:module');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');

const HOOKS = path.join(__dirname, 'typescript-hooks.js');
const FILE = /^file:[^?#]*\.[mc]?ts([?#]|$)/;
const NAMED = /\.[mc]?ts\b/;

// Bundlers ignore a require made by createRequire. Turbopack takes another one
// of a path for a module that is missing, and builds nothing.
const hooks = () => nodeModule.createRequire(HOOKS)(HOOKS);

let installed = false;

function install() {
  if (installed) return;
  installed = true;
  // The frames of a file that was transformed are those that were written.
  process.setSourceMapsEnabled(true);
  hookRequire();
  if (nodeModule.registerHooks) nodeModule.registerHooks(hooks().sync);
  else nodeModule.register?.(pathToFileURL(HOOKS));
}

// CommonJS of Node 20 knows no hooks, and that of Node 22 does not ask them
// for files that were imported.
function hookRequire() {
  const resolveFilename = nodeModule._resolveFilename;
  nodeModule._resolveFilename = function resolve(name, parent, ...more) {
    try {
      return Reflect.apply(resolveFilename, this, [name, parent, ...more]);
    } catch (error) {
      const file = hooks().requiredSource(name, parent?.filename);
      if (file === undefined) throw error;
      return file;
    }
  };
  if (process.features.typescript) return;
  for (const extension of ['.ts', '.cts']) {
    require.extensions[extension] ??= (module, file) =>
      module._compile(hooks().compileFile(file), file);
  }
}

// tsx and ts-node hook `require` in every thread, and on Node 20 nothing else.
const isRequireHooked = () =>
  !installed &&
  !process.features.typescript &&
  require.extensions['.ts'] !== undefined;

const IMPORTED_HERE = ` imported from ${__filename}`;

/** Node names the file that imports, which is no file of the caller's. */
async function importPlain(url) {
  try {
    return await import(url);
  } catch (error) {
    if (error?.code === 'ERR_MODULE_NOT_FOUND') {
      error.message = `${error.message}`.replace(IMPORTED_HERE, '');
      error.stack = `${error.stack}`.replace(IMPORTED_HERE, '');
    }
    throw error;
  }
}

async function importHooked(url) {
  try {
    return await importPlain(url);
  } catch (error) {
    if (error?.code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error;
  }
  hookRequire();
  const exports = require(fileURLToPath(url));
  return { __proto__: null, ...exports, 'module.exports': exports };
}

/**
 * @param {string} url
 * @returns {Promise<object>} the namespace of the module
 */
function importModule(url) {
  if (!FILE.test(url)) return importPlain(url);
  if (isRequireHooked()) return importHooked(url);
  install();
  return importPlain(url);
}

/** Called before a function runs whose text may import TypeScript. */
function prepareFor(text) {
  if (NAMED.test(text) && !isRequireHooked()) install();
}

module.exports = { importModule, prepareFor };
