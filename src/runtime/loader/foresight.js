'use strict';

const { append } = require('./builtins.js');

const MAX_FILES = 10_000;
const FILE_URL = 'file:';
const TYPESCRIPT = ['.ts', '.mts', '.cts'];
const NO_CODE = ['.json', '.node', '.wasm'];
// The words before the name of another module, and how its place is found.
const WORDS = [
  ['require', 'require'],
  ['import', 'import'],
  ['from', 'import'],
];

const isQuote = (c) => c === "'" || c === '"' || c === '`';

/**
 * Finds the files that modules name in their text, and that only their code
 * asks for when it runs: `require('./a')`, `import('./b')`. All are read, so
 * that whoever answers knows them. What a comment names is found as well.
 *
 * @param {object} natives isolate/modules/loader_natives.cc
 * @param {object} globals the api of src/runtime/globals/install.js
 * @param {object} packages see packages.js
 * @param {object} paths see paths.js
 * @param {object} texts see texts.js
 * @param {(specifier: string, from: string) => string} resolve of CommonJS
 */
function createForesight(natives, globals, packages, paths, texts, resolve) {
  const { charCodeAt, substring } = texts;

  function isInName(text, at) {
    if (at < 0 || at >= text.length) return false;
    const code = charCodeAt(text, at);
    const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
    const isDigit = code >= 0x30 && code <= 0x39;
    return isLetter || isDigit || text[at] === '_' || text[at] === '$';
  }

  function afterSpace(text, from) {
    let at = from;
    while (at < text.length && charCodeAt(text, at) <= 0x20) at += 1;
    return at;
  }

  // The text in quotes there, of one line and without escapes.
  function literalAt(text, at) {
    const quote = text[at];
    if (!isQuote(quote)) return undefined;
    for (let end = at + 1; end < text.length; ++end) {
      const c = text[end];
      if (c === quote) return substring(text, at + 1, end);
      if (c === '\\' || c === '$' || charCodeAt(text, end) < 0x20) break;
    }
    return undefined;
  }

  // The name that follows each `word`, perhaps in parentheses.
  function addNames(text, word, kind, names) {
    let from = 0;
    for (;;) {
      const found = texts.indexOf(substring(text, from), word);
      if (found < 0) return;
      const begin = from + found;
      from = begin + word.length;
      if (isInName(text, begin - 1) || isInName(text, from)) continue;
      let at = afterSpace(text, from);
      const isCall = text[at] === '(';
      if (isCall) at = afterSpace(text, at + 1);
      // `import 'a'` and `import('a')`, but `from 'a'` and `require('a')`.
      if (word !== 'import' && isCall !== (word === 'require')) continue;
      const name = literalAt(text, at);
      if (name !== undefined && name !== '') append(names, { name, kind });
    }
  }

  function namesIn(text) {
    const names = [];
    for (let i = 0; i < WORDS.length; ++i) {
      addNames(text, WORDS[i][0], WORDS[i][1], names);
    }
    return names;
  }

  // undefined for what is not there, as for a package that need not be.
  function placeOf({ name, kind }, from) {
    try {
      if (globals.isBuiltin(name)) return undefined;
      if (kind === 'require') return resolve(name, from);
      const url = packages.resolve(name, natives.fileUrl(from), kind);
      return texts.startsWith(url, FILE_URL)
        ? natives.filePath(url)
        : undefined;
    } catch {
      return undefined;
    }
  }

  // The manifests that tell which kind of module a file is.
  function readManifests(path, seen) {
    for (let folder = paths.dirname(path); seen[folder] === undefined; ) {
      seen[folder] = true;
      const manifest = paths.resolve(folder, 'package.json');
      if (natives.readText(manifest) !== undefined) return;
      folder = paths.dirname(folder);
    }
  }

  // The library that compiles TypeScript is WebAssembly.
  function readCompiler(path, text) {
    if (typeof WebAssembly === 'undefined') return;
    try {
      packages.toJavaScript(path, text);
    } catch {
      // The module that needs it will say so.
    }
  }

  function readOne(path, seen) {
    const text = natives.readText(path);
    if (text === undefined || texts.endsWithAny(path, NO_CODE)) return [];
    readManifests(path, seen);
    if (texts.endsWithAny(path, TYPESCRIPT)) readCompiler(path, text);
    return namesIn(text);
  }

  /** @param {string} url of a module that will be loaded */
  return function foresee(url) {
    if (!texts.startsWith(url, FILE_URL)) return;
    const files = [natives.filePath(url)];
    const seen = { __proto__: null };
    const folders = { __proto__: null };
    seen[files[0]] = true;
    for (let i = 0; i < files.length; ++i) {
      const names = readOne(files[i], folders);
      for (let j = 0; j < names.length; ++j) {
        const path = placeOf(names[j], files[i]);
        if (path === undefined || seen[path] || files.length >= MAX_FILES) {
          continue;
        }
        seen[path] = true;
        append(files, path);
      }
    }
  };
}

module.exports = { createForesight };
