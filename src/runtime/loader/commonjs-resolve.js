'use strict';

const { append, define, isArray } = require('./builtins.js');
const { moduleError } = require('./module-error.js');

const EXTENSIONS = ['', '.js', '.json', '.cjs'];

/**
 * Where the names lead that CommonJS files say: `require.resolve`.
 *
 * @param {object} natives
 * @param {object} globals
 * @param {object} packages see packages.js
 * @param {object} paths see paths.js
 * @param {() => string[]} addedExtensions that a program has given to require()
 * @param {(module: unknown) => string} fileOf where names of a module count from
 */
function createResolve(
  natives,
  globals,
  packages,
  paths,
  addedExtensions,
  fileOf,
) {
  const { isBuiltin } = globals;
  const { dirname, lookupPaths } = paths;

  // A file right there needs no resolver.
  function nearFile(folder, specifier) {
    if (!paths.isPlace(specifier) || paths.endsAsFolder(specifier)) {
      return undefined;
    }
    const path = paths.resolve(folder, specifier);
    return fileAt(path, EXTENSIONS) ?? fileAt(path, addedExtensions());
  }

  function fileAt(path, extensions) {
    for (let i = 0; i < extensions.length; ++i) {
      const file = path + extensions[i];
      if (natives.stat(file) === 1) return natives.realPath(file);
    }
    return undefined;
  }

  function resolve(specifier, from) {
    const folder = dirname(from);
    return (
      nearFile(folder, specifier) ??
      packages.findFile(folder, specifier, 'require', natives.fileUrl(from))
    );
  }

  /** `Module._resolveFilename` */
  function resolveFilename(request, module, options) {
    needText(request);
    if (isBuiltin(request)) {
      if (!globals.isSupported(request)) needStandIn(request, module);
      return request;
    }
    const folders = options?.paths;
    return folders === undefined
      ? resolveFor(request, module)
      : resolveIn(request, folders, module);
  }

  /** `require.resolve.paths` */
  function lookup(request, module) {
    needText(request);
    if (isBuiltin(request)) return null;
    const folder = dirname(fileOf(module));
    return request[0] === '.' && (request.length === 1 || isDotted(request))
      ? [folder]
      : lookupPaths(folder);
  }

  const isDotted = (request) => request[1] === '.' || request[1] === '/';

  function needText(request) {
    if (typeof request === 'string') return;
    throw moduleError(
      'ERR_INVALID_ARG_TYPE',
      'require.resolve: the module name must be a string',
    );
  }

  // Of a built-in that worker isolates do not offer.
  function needStandIn(specifier, module) {
    try {
      globals.builtin(specifier, fileOf(module));
    } catch {
      throw withStack(
        packages.notFound(
          specifier,
          natives.fileUrl(fileOf(module)),
          'require',
          'no built-in has that name',
        ),
        module,
      );
    }
  }

  function resolveIn(request, folders, module) {
    if (!isArray(folders)) {
      throw moduleError(
        'ERR_INVALID_ARG_VALUE',
        'require.resolve: options.paths must be an array',
      );
    }
    let fault;
    for (let i = 0; i < folders.length; ++i) {
      if (typeof folders[i] !== 'string') {
        throw moduleError(
          'ERR_INVALID_ARG_TYPE',
          `require.resolve: options.paths[${i}] must be a string`,
        );
      }
      try {
        return resolve(request, paths.join(folders[i], 'noop.js'));
      } catch (error) {
        fault = error;
      }
    }
    throw withStack(
      fault ?? packages.notFound(request, natives.fileUrl(fileOf(module))),
      module,
    );
  }

  function resolveFor(specifier, module) {
    try {
      return resolve(specifier, fileOf(module));
    } catch (error) {
      throw withStack(error, module);
    }
  }

  // As in Node: the files that have led there.
  function withStack(error, module) {
    if (error?.code !== 'MODULE_NOT_FOUND') return error;
    const stack = [];
    for (let at = module; isFile(at); at = at.parent) {
      append(stack, at.filename);
      if (stack.length > 1000) break;
    }
    return define(error, 'requireStack', stack);
  }

  const isFile = (module) =>
    typeof module === 'object' && typeof module?.filename === 'string';

  return { lookup, resolve, resolveFilename, resolveFor };
}

module.exports = { createResolve };
