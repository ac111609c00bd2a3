'use strict';

const { hasOwn, parse } = require('./builtins.js');
const { moduleError } = require('./module-error.js');

// Value of isolate/modules/file_path.h.
const FOLDER = 2;

/**
 * `findPackageJSON` of node:module.
 *
 * @param {object} natives
 * @param {object} packages see packages.js
 * @param {object} paths see paths.js
 * @param {object} texts see texts.js
 */
function createFindManifest(natives, packages, paths, texts) {
  const inFolder = (folder) => paths.resolve(folder, 'package.json');

  // Nearest to a folder, within its package.
  function nearest(folder) {
    for (let at = folder; paths.basename(at) !== 'node_modules'; ) {
      if (natives.readText(inFolder(at)) !== undefined) return inFolder(at);
      const parent = paths.dirname(at);
      if (parent === at) break;
      at = parent;
    }
    return undefined;
  }

  function isOwnName(manifest, name) {
    let json;
    try {
      json = parse(natives.readText(manifest));
    } catch {
      return false;
    }
    return (
      typeof json === 'object' &&
      json !== null &&
      hasOwn(json, 'exports') &&
      json.exports !== null &&
      json.name === name
    );
  }

  function ofPackage(specifier, from) {
    const base = natives.fileUrl(from);
    if (specifier === '') throw packages.notFound(specifier, base, 'import');
    const name = packages.nameOf(specifier, base);
    const folder = paths.dirname(from);
    const own = nearest(folder);
    if (own !== undefined && isOwnName(own, name)) return own;
    const places = paths.lookupPaths(folder);
    for (let i = 0; i < places.length; ++i) {
      const place = paths.resolve(places[i], name);
      if (natives.stat(place) === FOLDER) return inFolder(place);
    }
    throw packages.notFound(name, base, 'import');
  }

  function ofFile(path, isFolder, from) {
    const kind = natives.stat(path);
    if (kind === 0) {
      throw packages.notFound(path, natives.fileUrl(from ?? path), 'import');
    }
    return nearest(
      isFolder ? path : paths.dirname(natives.realPath(path) ?? path),
    );
  }

  const endsInFolder = (name) =>
    paths.endsAsFolder(name) ||
    name === '.' ||
    name === '..' ||
    texts.endsWith(name, '/.') ||
    texts.endsWith(name, '/..');

  /**
   * @param {string} specifier
   * @param {string | undefined} from a path
   * @returns {string | undefined} a path
   */
  return function findManifest(specifier, from) {
    const scheme = packages.schemeOf(specifier);
    if (scheme === 'file') {
      const path = natives.filePath(specifier);
      return ofFile(path, endsInFolder(specifier), from);
    }
    if (scheme !== undefined) {
      throw moduleError(
        'ERR_INVALID_URL_SCHEME',
        `findPackageJSON: '${scheme}:' names no file, which only file: does`,
      );
    }
    if (from === undefined) {
      throw moduleError(
        'ERR_UNSUPPORTED_RESOLVE_REQUEST',
        'findPackageJSON: a name that is no URL needs a base, the path or URL ' +
          'of a file',
      );
    }
    if (specifier[0] !== '.' && !paths.isAbsolute(specifier)) {
      return ofPackage(specifier, from);
    }
    const path = paths.resolve(paths.dirname(from), specifier);
    return ofFile(path, endsInFolder(specifier), from);
  };
}

module.exports = { createFindManifest };
