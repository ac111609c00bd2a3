'use strict';

const names = require('../lib/builtin-names.json');
const { isPackaged, openToPackage } = require('../lib/package-files.js');
const {
  unknownError,
  unsupported,
  unsupportedError,
} = require('../lib/unsupported.js');

const made = new Map();
const FILES = ['fs', 'fs/promises'];

/**
 * Whether a file has the stand-in of a module for itself, because it may read
 * the files of its own package. All others share one, whose errors name the
 * first file that asked.
 *
 * @param {string} module without `node:`
 * @param {string | undefined} importer a path
 */
const isOfFile = (module, importer) =>
  FILES.includes(module) && isPackaged(importer);

function standIn(module, kinds, path, asker) {
  const members = {};
  for (const [name, kind] of Object.entries(kinds)) {
    const member = path ? `${path}.${name}` : name;
    if (kind === 'function') {
      members[name] = unsupported(module, member, asker);
    } else {
      members[name] =
        kind === 'value' ? undefined : standIn(module, kind, member, asker);
    }
  }
  return members;
}

/**
 * The stand-in for a built-in that needs Node: an object with the module's
 * members, whose functions throw when they are called. Packages that only load
 * the module keep working.
 *
 * @param {string} module without `node:`
 * @param {string} [importer]
 * @throws ERR_UNKNOWN_BUILTIN_MODULE for an unknown name
 */
function unsupportedBuiltin(module, importer = undefined) {
  const ofFile = isOfFile(module, importer);
  const key = ofFile ? `${module}\n${importer}` : module;
  let known = made.get(key);
  if (known === undefined) {
    known = newStandIn(module, importer, ofFile);
    made.set(key, known);
  }
  // Node's library may have been first, and is no file.
  known.asker.path ??= importer;
  return known.exports;
}

// A module that is a function itself has its own kind by the name ''.
function wholeOf(module, kinds, asker) {
  if (typeof kinds === 'string') return unsupported(module, module, asker);
  const { '': own, ...members } = kinds;
  const exports = standIn(module, members, '', asker);
  return own === undefined
    ? exports
    : Object.assign(unsupported(module, module, asker), exports);
}

function newStandIn(module, importer, ofFile) {
  const kinds = Object.hasOwn(names, module) ? names[module] : undefined;
  if (!kinds) throw unknownError(module, importer);
  const asker = { __proto__: null, path: undefined };
  const exports = wholeOf(module, kinds, asker);
  if (FILES.includes(module)) {
    exports.constants = require('sw:constants').fs;
    if (ofFile) openToPackage(exports, importer);
  }
  return { asker, exports };
}

module.exports = { isOfFile, unsupportedBuiltin, unsupportedError };
