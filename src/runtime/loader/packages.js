'use strict';

const { moduleError } = require('./module-error.js');

const SCHEME = /^[a-z][a-z\d+.-]+:/i;
const NAMELESS = 'a function sent to the worker';

/**
 * Where names lead. The resolver itself and the other libraries run in a
 * context of their own (`natives.callTool`), out of reach of user code; texts
 * go in and out.
 *
 * @param {object} natives isolate/modules/loader_natives.cc
 * @param {object} globals the api of src/runtime/globals/install.js
 * @param {string} cwd what functions without a file count from
 * @param {string} own the folder of this package
 */
function createPackages(natives, globals, cwd, own) {
  const { fileUrl, filePath } = natives;
  let stripper;

  function folderOf(importer) {
    const path = importer === '' ? undefined : filePath(importer);
    if (path === undefined) return cwd;
    return path.slice(0, path.lastIndexOf('/')) || '/';
  }

  function shown(importer) {
    return importer === '' ? NAMELESS : (filePath(importer) ?? importer);
  }

  function notFound(specifier, importer, kind, why) {
    const bare = !/^[./#]/.test(specifier);
    const what = bare ? 'package' : 'module';
    return moduleError(
      kind === 'import' ? 'ERR_MODULE_NOT_FOUND' : 'MODULE_NOT_FOUND',
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
    const answer = JSON.parse(
      natives.callTool('resolver', folder, specifier, kind),
    );
    if (answer.path === undefined) {
      throw notFound(specifier, importer, kind, answer.why);
    }
    return natives.realPath(answer.path) ?? answer.path;
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
      if (specifier.startsWith('node:') || globals.isBuiltin(specifier)) {
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
      return fileUrl(findFile(folderOf(importer), specifier, kind, importer));
    },

    /** @returns {{ type: string, text: string }} */
    readDataUrl(url) {
      const match = /^data:([^,;]*)((?:;[^,;]*)*),(.*)$/s.exec(url);
      if (match === null) {
        throw moduleError('ERR_INVALID_URL', `Invalid URL: ${url}`);
      }
      const [, type, parameters, body] = match;
      if (!/;base64$/.test(parameters)) {
        return { type, text: decodeURIComponent(body) };
      }
      const { atob } = globals.load('base64');
      const { TextDecoder } = globals.load('encoding');
      const bytes = Uint8Array.from(atob(decodeURIComponent(body)), (c) =>
        c.charCodeAt(0),
      );
      return { type, text: new TextDecoder().decode(bytes) };
    },

    stripTypes(path, text) {
      stripper ??= findFile(own, 'amaro', 'require', '');
      const answer = JSON.parse(natives.callTool('typescript', text, stripper));
      if (answer.text !== undefined) return answer.text;
      throw Object.assign(new SyntaxError(`${path}: ${answer.why}`), {
        code: 'ERR_INVALID_TYPESCRIPT_SYNTAX',
      });
    },
  };
}

module.exports = { createPackages };
