'use strict';

const { moduleError } = require('./module-error.js');
const { isTypeScript } = require('./paths.js');
const { MAP } = require('./transformed.js');

const SCHEME = /^[a-z][a-z\d+.-]+:/i;
// Values of isolate/modules/file_path.h.
const FILE = 1;
const FOLDER = 2;
// Node's codes for what the resolver says of a manifest.
const CODES = [
  [' is not exported under the conditions ', 'ERR_PACKAGE_PATH_NOT_EXPORTED'],
  [' is not imported from package ', 'ERR_PACKAGE_IMPORT_NOT_DEFINED'],
  ['Invalid "exports" target ', 'ERR_INVALID_PACKAGE_TARGET'],
  ['Invalid "imports" target ', 'ERR_INVALID_PACKAGE_TARGET'],
  ['Request should have at least 2 ', 'ERR_INVALID_MODULE_SPECIFIER'],
];
const NAMELESS = 'a function sent to the worker';

/**
 * Finds where names lead. The resolver itself and the other libraries run in a
 * context of their own (`natives.callTool`), out of reach of user code; texts
 * go in and out.
 *
 * @param {object} natives isolate/modules/loader_natives.cc
 * @param {object} globals the api of src/runtime/globals/install.js
 * @param {object} paths see paths.js
 * @param {string} cwd what functions without a file count from
 * @param {string} own the folder of this package
 * @param {string[]} conditions of `exports`, besides those there always are
 */
function createPackages(natives, globals, paths, cwd, own, conditions) {
  const { fileUrl, filePath } = natives;
  const more = JSON.stringify(conditions);
  // Node 24 has another lexer, as it has another way to load.
  const lexer = natives.loadStyle() === 0 ? 'newer' : '';
  // The texts, because the process remembers none of a file that has just
  // changed, and a file may change while the realm runs what it was.
  const transformed = new Map();
  let compiler;

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
    if (manifest !== undefined) return manifest.includes('"imports"');
    const parent = paths.dirname(folder);
    return parent !== folder && hasImports(parent);
  }

  function notFound(specifier, importer, kind, why) {
    const bare = !paths.isPlace(specifier) && !/^[.#]/.test(specifier);
    const what = bare ? 'package' : 'module';
    // The resolver says that a file is missing of a package without imports.
    const code =
      CODES.find((entry) => why?.includes(entry[0]))?.[1] ??
      (kind === 'import' &&
      specifier.startsWith('#') &&
      !hasImports(folderOf(importer))
        ? 'ERR_PACKAGE_IMPORT_NOT_DEFINED'
        : undefined);
    return moduleError(
      code ?? (kind === 'import' ? 'ERR_MODULE_NOT_FOUND' : 'MODULE_NOT_FOUND'),
      `Cannot find ${what} '${specifier}' imported from ${shown(importer)}` +
        (why ? ` (${why})` : ''),
    );
  }

  /**
   * @param {string} folder
   * @param {string} specifier
   * @param {'import' | 'require'} kind
   * @returns {string} a path without symbolic links
   */
  function findFile(folder, specifier, kind, importer) {
    // Answers are the process's; another thread may have other conditions.
    const mode = isTypeScript(importer) ? 'typescript' : '';
    const question = `${kind} ${mode} ${more}`;
    const known = natives.recall(question, folder, specifier);
    if (known !== undefined) return natives.realPath(known) ?? known;
    const { path, touched, why } = JSON.parse(
      natives.callTool('resolver', folder, specifier, kind, more, mode),
    );
    if (path === undefined) throw notFound(specifier, importer, kind, why);
    natives.remember(question, folder, specifier, path, touched);
    return natives.realPath(path) ?? path;
  }

  // A file right there needs no resolver.
  function nearFile(folder, specifier) {
    if (!/^(\.{1,2}\/|file:)[^?#%]*$/.test(specifier)) return undefined;
    const path = specifier.startsWith('file:')
      ? filePath(specifier)
      : paths.resolve(folder, specifier);
    return natives.stat(path) === FILE ? natives.realPath(path) : undefined;
  }

  function compile(path, text) {
    compiler ??= findFile(own, 'amaro', 'require', '');
    const answer = JSON.parse(
      natives.callTool('typescript', text, compiler, fileUrl(path), path),
    );
    if (answer.text === undefined) {
      throw Object.assign(new SyntaxError(answer.why), {
        code: 'ERR_INVALID_TYPESCRIPT_SYNTAX',
      });
    }
    natives.remember('typescript', '', path, answer.text, [path]);
    return answer.text;
  }

  return {
    shown,
    notFound,
    findFile,

    /**
     * @param {string} specifier
     * @param {string} importer a URL, '' for functions without a file
     * @param {'import' | 'require'} kind
     * @returns {string} a URL
     */
    resolve(specifier, importer, kind) {
      if (specifier.startsWith('data:')) return specifier;
      if (globals.isBuiltin(specifier)) {
        return specifier.startsWith('node:') ? specifier : `node:${specifier}`;
      }
      if (SCHEME.test(specifier) && !specifier.startsWith('file:')) {
        throw moduleError(
          'ERR_UNSUPPORTED_ESM_URL_SCHEME',
          `Cannot import '${specifier}' in ${shown(importer)}: worker ` +
            'isolates load file:, data: and node: URLs',
        );
      }
      if (importer.startsWith('data:')) {
        throw notFound(specifier, importer, kind, 'data: URLs have no folder');
      }
      const folder = folderOf(importer);
      const path =
        nearFile(folder, specifier) ??
        findFile(folder, specifier, kind, importer);
      return fileUrl(path);
    },

    /**
     * Tells where a file that is not there would be, in a package that does not say
     * what it exports.
     *
     * @returns {string | undefined} a URL
     */
    urlOfMissing(specifier, importer) {
      const { 1: name, 2: inside } =
        /^((?:@[^/]+\/)?[^/@.][^/]*)(\/.+)$/.exec(specifier) ?? {};
      if (name === undefined) return undefined;
      const folder = paths
        .lookupPaths(folderOf(importer))
        .map((parent) => paths.resolve(parent, name))
        .find((at) => natives.stat(at) === FOLDER);
      if (folder === undefined) return undefined;
      const manifest = natives.readText(paths.resolve(folder, 'package.json'));
      return manifest?.includes('"exports"')
        ? undefined
        : fileUrl(paths.resolve(folder, `.${inside}`));
    },

    /** @returns {{ type: string, text: string }} */
    readDataUrl(url) {
      const match = /^data:([^,;]*)((?:;[^,;]*)*),(.*)$/s.exec(url);
      if (match === null) {
        throw moduleError('ERR_INVALID_URL', `Invalid URL: ${url}`);
      }
      const { 1: type, 2: parameters, 3: body } = match;
      if (!/;base64$/.test(parameters)) {
        return { type, text: decodeURIComponent(body) };
      }
      const { atob } = globals.load('node:buffer');
      const { TextDecoder } = globals.load('internal/encoding');
      const bytes = Uint8Array.from(atob(decodeURIComponent(body)), (c) =>
        c.charCodeAt(0),
      );
      return { type, text: new TextDecoder().decode(bytes) };
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
      if (compiled.includes(MAP)) {
        transformed.set(path, compiled);
        return compiled;
      }
      // Editors compare a script with its file, and show a copy where they
      // differ, unless the script names the file itself.
      return natives.isDebugged()
        ? `${compiled}\n//# sourceURL=${fileUrl(path)}`
        : compiled;
    },

    isTransformed: (path) => transformed.has(path),

    /** The text that a file runs as, with its map. */
    mappedText: (path) => transformed.get(path) ?? natives.readSource(path),
  };
}

module.exports = { createPackages };
