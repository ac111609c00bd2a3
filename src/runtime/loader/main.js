'use strict';

const builtins = require('./builtins.js');
const { createCommonJs } = require('./commonjs.js');
const { createDataUrls } = require('./data-urls.js');
const { createFindManifest } = require('./find-manifest.js');
const { createForesight } = require('./foresight.js');
const { createImports } = require('./imports.js');
const { createPackages } = require('./packages.js');
const { createPaths } = require('./paths.js');
const { Format } = require('./format.js');
const { moduleError, textError } = require('./module-error.js');
const { createSourceMaps } = require('./source-maps.js');
const { createTexts } = require('./texts.js');
const { createTurns } = require('./turns.js');

// Value of isolate/modules/file_path.h.
const FILE = 1;

/**
 * The loader of one realm: what src/runtime/loader.js hands to C++.
 *
 * @param {{ natives: object, globals: object, platform: string, cwd: string,
 *   own: string, conditions: string[], memoryLimitMb: number,
 *   promises: object, isTurnDue: () => boolean,
 *   nextTurn: (callback: () => void) => unknown,
 *   traceOf: (name: string) => object | undefined }} parts
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
  isTurnDue,
  nextTurn,
  traceOf,
}) {
  const texts = createTexts(builtins);
  const paths = createPaths(platform, texts, builtins.append);
  const packages = createPackages(
    natives,
    globals,
    paths,
    texts,
    cwd,
    own,
    conditions,
  );
  const readDataUrl = createDataUrls(natives, texts, natives.loadStyle() !== 2);
  const turns = createTurns(promises, isTurnDue, nextTurn);
  const imports = createImports(
    natives,
    texts,
    promises,
    turns,
    packages,
    traceOf,
  );
  const commonJs = createCommonJs(
    natives,
    globals,
    packages,
    paths,
    texts,
    imports,
    cwd,
    traceOf,
  );
  const { ownKeys, parse } = builtins;
  // Modules made by open(), until evaluate() takes them.
  const opened = { __proto__: null };
  // The file that has asked last for a built-in that there is not.
  const askers = { __proto__: null };

  function openBuiltin(url) {
    const at = texts.indexOf(url, '#');
    const exports = globals.builtin(
      at < 0 ? url : texts.substring(url, 0, at),
      askers[url],
    );
    const values = { __proto__: null };
    for (const name in exports) values[name] = exports[name];
    values.default = exports;
    return synthetic(url, Format.Builtin, values);
  }

  function synthetic(url, format, values) {
    opened[url] = { values };
    return [format, ownKeys(values)];
  }

  function jsonIn(url, text) {
    try {
      return parse(text);
    } catch (error) {
      throw textError(`${url}: ${error.message}`, error);
    }
  }

  function openJson(url, value) {
    return synthetic(url, Format.Json, { __proto__: null, default: value });
  }

  function openData(url) {
    const { format, type, text } = readDataUrl(url);
    if (format === Format.Json) return openJson(url, jsonIn(url, text));
    if (format === Format.Module) return [Format.Module, text];
    throw moduleError(
      'ERR_UNKNOWN_MODULE_FORMAT',
      `data: URLs of type ${type} are no modules: ${texts.substring(url, 0, 64)}`,
    );
  }

  function openFile(url, format) {
    const path = natives.filePath(url);
    if (format === Format.Json) {
      const shared = texts.withoutSuffix(url) === url;
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

  // The same without a parser of URLs, for names that need none.
  function nearUrl(name, importer) {
    if (!texts.isPlain(name)) return undefined;
    const path = natives.filePath(name, natives.filePath(importer) ?? '');
    if (path === undefined || natives.stat(path) !== FILE) return undefined;
    return natives.fileUrl(natives.realPath(path));
  }

  // Node asks for the format of each file that it finds, which throws where the
  // package.json is broken.
  function withFormat(url) {
    const path = natives.filePath(url);
    if (path === undefined || natives.stat(path) !== FILE) return url;
    if (packages.isUntold(path)) natives.formatOf(path, '');
    return url;
  }

  // URL of an existing file, as its own module sees it.
  function urlOfFile({ href, protocol, host, pathname, search, hash }) {
    if (protocol === 'file:') checkFileUrl(href, host, pathname);
    const path = protocol === 'file:' ? natives.filePath(href) : undefined;
    if (path === undefined || natives.stat(path) !== FILE) return href;
    return natives.fileUrl(natives.realPath(path)) + search + hash;
  }

  function checkFileUrl(href, host, pathname) {
    if (host !== '' && platform !== 'win32') {
      throw moduleError(
        'ERR_INVALID_FILE_URL_HOST',
        `Cannot resolve ${href}: a file's URL has no host here`,
      );
    }
    if (texts.hasEncodedSlash(pathname)) {
      throw moduleError(
        'ERR_INVALID_MODULE_SPECIFIER',
        `Invalid module '${pathname}': a file's name cannot have an encoded / ` +
          'or \\ in it',
      );
    }
  }

  return {
    __proto__: null,
    Module: commonJs.Module,
    createRequire: commonJs.createRequire,
    findManifest: createFindManifest(natives, packages, paths, texts),
    stripTypes: packages.stripTypes,
    callAt: packages.callAt,
    tokensOf: packages.tokensOf,
    wholeOf: (path) => commonJs.wholeOf(natives.filePath(path)),
    ...createSourceMaps(natives, packages, texts, memoryLimitMb),

    /** @returns {string} the URL of what `specifier` names */
    resolveImport(specifier, importer) {
      const url = packages.resolve(specifier, importer, 'import');
      if (!texts.startsWith(url, 'node:') || globals.isSupported(url)) {
        return url;
      }
      const asker = packages.shown(importer);
      const one = globals.isOfFile(url, asker)
        ? `${url}#${texts.replaceAll(importer, '#', '%23')}`
        : url;
      askers[one] = asker;
      return one;
    },

    metaResolve(specifier, importer) {
      const name = `${specifier}`;
      const scheme = packages.schemeOf(name);
      const isPlace = name === '.' || name === '..' || paths.isPlace(name);
      const isOther =
        scheme !== undefined && scheme !== 'data' && scheme !== 'node';
      const hasFolder = !texts.startsWith(importer, 'data:');
      if (isOther || (isPlace && hasFolder)) {
        return withFormat(
          nearUrl(name, importer) ??
            urlOfFile(new (globals.load('internal/url').URL)(name, importer)),
        );
      }
      try {
        return withFormat(packages.resolve(name, importer, 'import'));
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

    foresee: createForesight(
      natives,
      globals,
      packages,
      paths,
      texts,
      commonJs.resolve,
    ),

    /** Whether the code of a CommonJS file that was opened is running. */
    isExecuting: (url) => commonJs.isExecuting(opened[url].module),

    /** @returns {[number, string | string[]]} format and text, or names */
    open(url, format) {
      if (texts.startsWith(url, 'node:')) return openBuiltin(url);
      if (texts.startsWith(url, 'data:')) return openData(url);
      if (!texts.startsWith(url, 'file:')) {
        throw moduleError(
          'ERR_UNSUPPORTED_ESM_URL_SCHEME',
          `Cannot import '${url}': worker isolates load file:, data: and ` +
            'node: URLs',
        );
      }
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
      for (let i = 0; i < names.length; ++i) {
        builtins.append(list, values[names[i]]);
      }
      return list;
    },
  };
};
