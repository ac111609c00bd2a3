'use strict';

const { define, parse, stringify } = require('./builtins.js');
const { moduleError } = require('./module-error.js');
const { MAP } = require('./transformed.js');

// Values of isolate/modules/file_path.h.
const FILE = 1;
// Node's codes for what the resolver says of a manifest.
const CODES = [
  [' is not exported under the conditions ', 'ERR_PACKAGE_PATH_NOT_EXPORTED'],
  [' is not imported from package ', 'ERR_PACKAGE_IMPORT_NOT_DEFINED'],
  ['Invalid "exports" target ', 'ERR_INVALID_PACKAGE_TARGET'],
  ['Invalid "imports" target ', 'ERR_INVALID_PACKAGE_TARGET'],
  ['Request should have at least 2 ', 'ERR_INVALID_MODULE_SPECIFIER'],
  ['Invalid package config ', 'ERR_INVALID_PACKAGE_CONFIG'],
  ['Exports field key should', 'ERR_INVALID_PACKAGE_CONFIG'],
];
// How the resolver is asked: see tools/resolver.js.
// Node 20: see imports.js.
const WAITS_FOR_FILES = 2;
const DEPTH_FIRST = 0;
const TYPESCRIPT = 'typescript';
const MISSING = 'missing';
const NAMELESS = 'a function sent to the worker';

/**
 * Finds where names lead. The resolver itself and the other libraries run in a
 * context of their own (`natives.callTool`), out of reach of user code; texts
 * go in and out.
 *
 * @param {object} natives isolate/modules/loader_natives.cc
 * @param {object} globals the api of src/runtime/globals/install.js
 * @param {object} paths see paths.js
 * @param {object} texts see texts.js
 * @param {string} cwd what functions without a file count from
 * @param {string} own the folder of this package
 * @param {string[]} conditions of `exports`, besides those there always are
 */
function createPackages(natives, globals, paths, texts, cwd, own, conditions) {
  const { fileUrl, filePath } = natives;
  const more = stringify(conditions);
  // Node 24 has another lexer, as it has another way to load.
  const lexer = natives.loadStyle() === 0 ? 'newer' : '';
  // The texts, because the process remembers none of a file that has just
  // changed, and a file may change while the realm runs what it was.
  const transformed = { __proto__: null };
  let compiler;
  let parser;

  // Out of reach of what a program has put on all objects.
  const plain = (json) => ({ __proto__: null, ...parse(json) });

  function folderOf(importer) {
    const path = importer === '' ? undefined : filePath(importer);
    if (path === undefined) return cwd;
    return paths.dirname(path);
  }

  function shown(importer) {
    return importer === '' ? NAMELESS : (filePath(importer) ?? importer);
  }

  function hasImports(folder) {
    const manifest = natives.readText(paths.resolve(folder, 'package.json'));
    if (manifest !== undefined) return texts.includes(manifest, '"imports"');
    const parent = paths.dirname(folder);
    return parent !== folder && hasImports(parent);
  }

  function codeOf(why) {
    if (typeof why !== 'string') return undefined;
    for (let i = 0; i < CODES.length; ++i) {
      if (texts.includes(why, CODES[i][0])) return CODES[i][1];
    }
    return undefined;
  }

  // What is no name of an import at all.
  const isNoImport = (specifier) =>
    specifier[0] === '#' &&
    (specifier === '#' ||
      texts.endsWith(specifier, '/') ||
      (specifier[1] === '/' && !hasRootImports));

  function notFound(specifier, importer, kind, why, given = undefined) {
    const first = specifier[0];
    const bare = !paths.isPlace(specifier) && first !== '.' && first !== '#';
    const what = bare ? 'package' : 'module';
    // The resolver says that a file is missing of a package without imports.
    const code =
      (isNoImport(specifier)
        ? 'ERR_INVALID_MODULE_SPECIFIER'
        : (given ?? codeOf(why))) ??
      (kind === 'import' && first === '#' && !hasImports(folderOf(importer))
        ? 'ERR_PACKAGE_IMPORT_NOT_DEFINED'
        : undefined);
    const error = moduleError(
      code ?? (kind === 'import' ? 'ERR_MODULE_NOT_FOUND' : 'MODULE_NOT_FOUND'),
      `Cannot find ${what} '${specifier}' imported from ${shown(importer)}` +
        (why ? ` (${why})` : ''),
    );
    const url = kind === 'import' ? urlOfPlace(specifier, importer) : undefined;
    return url === undefined ? error : define(error, 'url', url);
  }

  // Names of imports begin with `#/` since Node 24.
  const hasRootImports = natives.loadStyle() === DEPTH_FIRST;
  // A boolean or a number exports nothing on Node 20, and counts as
  // absent later.
  const odd = natives.loadStyle() === WAITS_FOR_FILES ? 'none' : 'absent';
  const answerOf = (folder, specifier, kind, mode) =>
    plain(
      natives.callTool('resolver', folder, specifier, kind, more, mode, odd),
    );

  /**
   * @param {string} folder
   * @param {string} specifier
   * @param {'import' | 'require'} kind
   * @returns {string} a path without symbolic links, or the URL of a built-in
   *   that a package names by its imports
   */
  function findFile(folder, specifier, kind, importer) {
    // Answers are the process's; another thread may have other conditions.
    const mode = paths.isTypeScript(importer) ? TYPESCRIPT : '';
    const question = `${kind} ${mode} ${more}`;
    const known = natives.recall(question, folder, specifier);
    if (known !== undefined) return natives.realPath(known) ?? known;
    const answer = answerOf(folder, specifier, kind, mode);
    const { path, touched, why, code, builtin } = answer;
    if (path === undefined) {
      const isNodes = builtin !== undefined && globals.isBuiltin(builtin);
      if (isNodes && kind === 'require') {
        throw moduleError(
          'ERR_INVALID_URL_SCHEME',
          `Cannot require '${specifier}', which stands for ${builtin}: only ` +
            'import can',
        );
      }
      if (isNodes) {
        return texts.startsWith(builtin, 'node:') ? builtin : `node:${builtin}`;
      }
      throw notFound(specifier, importer, kind, why, code);
    }
    natives.remember(question, folder, specifier, path, touched);
    return natives.realPath(path) ?? path;
  }

  // A file right there needs no resolver.
  function nearFile(folder, specifier) {
    const isUrl = texts.startsWith(specifier, 'file:');
    if (!isUrl && (specifier[0] !== '.' || !paths.isPlace(specifier))) {
      return undefined;
    }
    for (let i = 0; i < specifier.length; ++i) {
      const c = specifier[i];
      if (c === '?' || c === '#' || c === '%') return undefined;
    }
    const path = isUrl ? filePath(specifier) : paths.resolve(folder, specifier);
    return natives.stat(path) === FILE ? natives.realPath(path) : undefined;
  }

  function compile(path, text) {
    compiler ??= findFile(own, 'amaro', 'require', '');
    const answer = plain(
      natives.callTool('typescript', text, compiler, fileUrl(path), path),
    );
    if (answer.text === undefined) {
      throw moduleError('ERR_INVALID_TYPESCRIPT_SYNTAX', answer.why);
    }
    natives.remember('typescript', '', path, answer.text, [path]);
    return answer.text;
  }

  // The URL of what is not there, where the name tells it.
  function urlOfPlace(specifier, importer) {
    if (schemeOf(specifier) === 'file') return specifier;
    return paths.isPlace(specifier)
      ? fileUrl(paths.resolve(folderOf(importer), specifier))
      : undefined;
  }

  // `stripTypeScriptTypes` of node:module.
  function stripTypes(text, options) {
    compiler ??= findFile(own, 'amaro', 'require', '');
    const asked = stringify({ __proto__: null, ...options });
    const answer = plain(
      natives.callTool('typescript', text, compiler, '', '', asked),
    );
    if (answer.text !== undefined) return answer;
    throw moduleError(
      answer.isUnsupported
        ? 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'
        : 'ERR_INVALID_TYPESCRIPT_SYNTAX',
      answer.why,
    );
  }

  // For failed assertions: see tools/calls.js.
  function askParser(text, position) {
    parser ??= findFile(own, 'acorn', 'require', '');
    return parse(
      position === undefined
        ? natives.callTool('calls', parser, text)
        : natives.callTool('calls', parser, text, `${position}`),
    );
  }

  // A letter is a drive where there are drives.
  function schemeOf(specifier) {
    const scheme = texts.schemeOf(specifier);
    return scheme?.length === 1 && paths.isAbsolute(specifier)
      ? undefined
      : scheme;
  }

  // The name of a package, which refuses what none can have, and an import
  // likewise.
  function nameOf(specifier, importer) {
    const first = specifier[0];
    if (paths.isPlace(specifier) || specifier === '.' || specifier === '..') {
      return undefined;
    }
    if (first === '#') {
      if (!isNoImport(specifier)) return specifier;
    } else {
      let slash = texts.indexOf(specifier, '/');
      const isScoped = first === '@';
      const isWhole = !isScoped || slash > 0;
      if (isScoped && slash > 0) {
        const inner = texts.substring(specifier, slash + 1);
        const next = texts.indexOf(inner, '/');
        slash = next < 0 ? -1 : slash + 1 + next;
      }
      const name = slash < 0 ? specifier : texts.substring(specifier, 0, slash);
      if (
        isWhole &&
        first !== '.' &&
        !texts.includes(name, '%') &&
        !texts.includes(name, '\\')
      ) {
        return name;
      }
    }
    throw moduleError(
      'ERR_INVALID_MODULE_SPECIFIER',
      `Invalid module '${specifier}' in ${shown(importer)}: ` +
        'nothing can have that name',
    );
  }

  return {
    /** Whether the package.json says what a file is. */
    isUntold: (path) => texts.endsWith(path, '.js') || !paths.hasEnding(path),
    shown,
    notFound,
    nameOf,
    schemeOf,
    findFile,
    stripTypes,
    callAt: askParser,
    tokensOf: (text) => askParser(text),

    /**
     * @param {string} specifier
     * @param {string} importer a URL, '' for functions without a file
     * @param {'import' | 'require'} kind
     * @returns {string} a URL
     */
    resolve(specifier, importer, kind) {
      const scheme = schemeOf(specifier);
      if (scheme === 'data') return natives.dataUrl(specifier);
      if (globals.isBuiltin(specifier)) {
        return scheme === 'node' ? specifier : `node:${specifier}`;
      }
      // As in Node, it is refused when it is loaded.
      if (scheme !== undefined && scheme !== 'file') return specifier;
      if (scheme === undefined && texts.startsWith(importer, 'data:')) {
        throw moduleError(
          'ERR_UNSUPPORTED_RESOLVE_REQUEST',
          `Cannot import '${specifier}' in a data: URL, which has no folder`,
        );
      }
      if (kind === 'import') nameOf(specifier, importer);
      const folder = folderOf(importer);
      const path =
        nearFile(folder, specifier) ??
        findFile(folder, specifier, kind, importer);
      return texts.startsWith(path, 'node:') ? path : fileUrl(path);
    },

    /**
     * Tells where a package would have a file that is not there.
     *
     * @returns {string | undefined} a URL
     */
    urlOfMissing(specifier, importer) {
      if (specifier === '') return undefined;
      const folder = folderOf(importer);
      const path = answerOf(folder, specifier, 'import', MISSING).path;
      return path === undefined ? undefined : fileUrl(path);
    },

    /** The exports of a CommonJS file with that text, as JSON. */
    lex(path, text) {
      const known = natives.recall('lexer', '', path);
      if (known !== undefined) return known;
      const answer = natives.callTool('lexer', text, lexer);
      natives.remember('lexer', '', path, answer, [path]);
      return answer;
    },

    /** A TypeScript file as JavaScript: its lines and columns stay if they can. */
    toJavaScript(path, text) {
      const compiled =
        natives.recall('typescript', '', path) ?? compile(path, text);
      if (texts.includes(compiled, MAP)) {
        transformed[path] = compiled;
        return compiled;
      }
      // Editors compare a script with its file, and show a copy where they
      // differ, unless the script names the file itself.
      return natives.isDebugged()
        ? `${compiled}\n//# sourceURL=${fileUrl(path)}`
        : compiled;
    },

    isTransformed: (path) => transformed[path] !== undefined,

    /** The text that a file runs as, with its map. */
    mappedText: (path) => transformed[path] ?? natives.readSource(path),
  };
}

module.exports = { createPackages };
