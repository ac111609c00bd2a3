'use strict';

const names = require('../lib/builtin-names.json');
const { openToPackage } = require('../lib/package-files.js');
const {
  unknownError,
  unsupported,
  unsupportedError,
} = require('../lib/unsupported.js');

const made = new Map();

function standIn(module, kinds, path, importer) {
  const members = {};
  for (const [name, kind] of Object.entries(kinds)) {
    const member = path ? `${path}.${name}` : name;
    if (kind === 'function') {
      members[name] = unsupported(module, member, importer);
    } else {
      members[name] =
        kind === 'value' ? undefined : standIn(module, kind, member, importer);
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
  const key = `${module}\n${importer}`;
  if (!made.has(key)) {
    const kinds = Object.hasOwn(names, module) ? names[module] : undefined;
    if (!kinds) throw unknownError(module, importer);
    const exports =
      typeof kinds === 'string'
        ? unsupported(module, module, importer)
        : standIn(module, kinds, '', importer);
    if (module === 'fs' || module === 'fs/promises') {
      exports.constants = require('sw:constants').fs;
      openToPackage(exports, importer);
    }
    made.set(key, exports);
  }
  return made.get(key);
}

module.exports = { unsupportedBuiltin, unsupportedError };
