'use strict';

const { createCommonJs } = require('./commonjs.js');
const { createImports } = require('./imports.js');
const { createPackages } = require('./packages.js');
const { createPaths } = require('./paths.js');
const { Format } = require('./format.js');
const { moduleError } = require('./module-error.js');
const { createSourceMaps } = require('./source-maps.js');

// Value of isolate/modules/file_path.h.
const FILE = 1;

/**
 * The loader of one realm: what src/runtime/loader.js hands to C++.
 *
 * @param {{ natives: object, globals: object, platform: string, cwd: string,
 *   own: string, conditions: string[], memoryLimitMb: number,
 *   promises: object }} parts
 */
module.exports = function createLoader({
  natives,
  globals,
  platform,
  cwd,
  own,
  conditions = [],
  memoryLimitMb,
  promises,
}) {
  const paths = createPaths(platform);
  const packages = createPackages(
    natives,
    globals,
    paths,
    cwd,
    own,
    conditions,
  );
  const imports = createImports(natives, paths, promises);
  const commonJs = createCommonJs(natives, globals, packages, paths, imports);
  // Modules made by open(), until evaluate() takes them.
  const opened = { __proto__: null };

  function openBuiltin(url) {
    const at = url.indexOf('#');
    const exports =
      at < 0
        ? globals.builtin(url)
        : globals.builtin(url.slice(0, at), url.slice(at + 1));
    const values = { __proto__: null };
    for (const name in exports) values[name] = exports[name];
    values.default = exports;
    return synthetic(url, Format.Builtin, values);
  }

  function synthetic(url, format, values) {
    opened[url] = { values };
    return [format, Object.keys(values)];
  }

  function jsonIn(url, text) {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw Object.assign(new SyntaxError(`${url}: ${error.message}`), {
        cause: error,
      });
    }
  }

  function openJson(url, value) {
    return synthetic(url, Format.Json, { __proto__: null, default: value });
  }

  function openData(url) {
    const { type, text } = packages.readDataUrl(url);
    if (type === 'application/json') return openJson(url, jsonIn(url, text));
    if (type === 'text/javascript') return [Format.Module, text];
    throw moduleError(
      'ERR_UNKNOWN_MODULE_FORMAT',
      `data: URLs of type ${type} are no modules: ${url.slice(0, 64)}`,
    );
  }

  function openFile(url, format) {
    const path = natives.filePath(url);
    if (format === Format.Json) {
      const shared = !/[?#]/.test(url);
      return openJson(
        url,
        shared ? commonJs.jsonOf(path) : jsonIn(url, natives.readSource(path)),
      );
    }
    if (format === Format.TypeScript) {
      const text = packages.toJavaScript(path, natives.readSource(path));
      if (natives.formatOf(path, text) === Format.Module) {
        return [Format.Module, text];
      }
    }
    const { module, names } = commonJs.open(path);
    opened[url] = { module, path };
    return [Format.CommonJs, names];
  }

  // URL of an existing file, as its own module sees it.
  function urlOfFile({ href, protocol, search, hash }) {
    const path = protocol === 'file:' ? natives.filePath(href) : undefined;
    if (path === undefined || natives.stat(path) !== FILE) return href;
    return natives.fileUrl(natives.realPath(path)) + search + hash;
  }

  return {
    __proto__: null,
    createRequire: commonJs.createRequire,
    wholeOf: (path) => commonJs.wholeOf(natives.filePath(path)),
    ...createSourceMaps(natives, packages, memoryLimitMb),

    /** @returns {string} the URL of what `specifier` names */
    resolveImport(specifier, importer) {
      const url = packages.resolve(specifier, importer, 'import');
      // A stand-in names its importer, so each importer gets its own.
      return url.startsWith('node:') && !globals.isSupported(url)
        ? `${url}#${importer.replaceAll('#', '%23')}`
        : url;
    },

    metaResolve(specifier, importer) {
      const name = `${specifier}`;
      if (/^(\.{0,2}\/|\.{1,2}$|file:)/.test(name)) {
        return urlOfFile(
          new (globals.load('internal/url').URL)(name, importer),
        );
      }
      try {
        return packages.resolve(name, importer, 'import');
      } catch (error) {
        const url =
          error?.code === 'ERR_MODULE_NOT_FOUND'
            ? packages.urlOfMissing(name, importer)
            : undefined;
        if (url === undefined) throw error;
        return url;
      }
    },

    importLater: imports.importLater,

    /** Whether the code of a CommonJS file that was opened is running. */
    isExecuting: (url) => commonJs.isExecuting(opened[url].module),

    /** @returns {[number, string | string[]]} format and text, or names */
    open(url, format) {
      if (url.startsWith('node:')) return openBuiltin(url);
      if (url.startsWith('data:')) return openData(url);
      return openFile(url, format);
    },

    /** @returns {unknown[]} the values of a module's names, in their order */
    evaluate(url, names) {
      const {
        module,
        path,
        values = commonJs.valuesOf(module, path, names),
      } = opened[url];
      const list = [];
      for (let i = 0; i < names.length; ++i) list[i] = values[names[i]];
      return list;
    },
  };
};
