'use strict';

/* global host */

const PACKAGED = /[\\/]node_modules[\\/]/;
// Value of isolate/modules/file_path.h.
const FILE = 1;
const FOLDER = 2;
const { entries } = Object;

function noSuchFile(call, path) {
  return Object.assign(
    new Error(`ENOENT: no such file or directory, ${call} '${path}'`),
    { errno: -2, code: 'ENOENT', syscall: call, path: `${path}` },
  );
}

/**
 * fs.Dirent and fs.Stats, with the members that are known of a package's file.
 */
class Entry {
  #kind;

  constructor(kind, facts) {
    this.#kind = kind;
    Object.assign(this, facts);
  }

  isFile() {
    return this.#kind === FILE;
  }

  isDirectory() {
    return this.#kind === FOLDER;
  }
}
for (const name of [
  'isBlockDevice',
  'isCharacterDevice',
  'isFIFO',
  'isSocket',
  'isSymbolicLink',
]) {
  Entry.prototype[name] = () => false;
}

const NEVER = new Date(0);

const encodingOf = (options) =>
  typeof options === 'string' ? options : options?.encoding;

/**
 * The node:fs of packages, by the names of the `…Sync` functions. A function
 * that returns `undefined` does not know the path.
 *
 * @param {string} importer
 */
function packageFiles(importer) {
  const { Buffer } = require('node:buffer');

  function stat(path) {
    const entry = host.ownEntry(importer, `${path}`);
    if (entry === undefined) return undefined;
    const [kind, size] = entry;
    return new Entry(kind, { size, mtimeMs: 0, mtime: NEVER });
  }

  return {
    readFile(path, options) {
      const buffer = host.ownFile(importer, `${path}`);
      if (buffer === undefined) return undefined;
      const bytes = Buffer.from(buffer);
      const encoding = encodingOf(options);
      return encoding ? bytes.toString(encoding) : bytes;
    },

    readdir(path, options) {
      const list = host.ownNames(importer, `${path}`);
      if (list === undefined) return undefined;
      const found = [];
      for (let i = 0; i < list.length; i += 2) {
        const facts = { name: list[i], path: `${path}`, parentPath: `${path}` };
        found.push(
          options?.withFileTypes ? new Entry(list[i + 1], facts) : list[i],
        );
      }
      return found;
    },

    realpath: (path) => host.ownEntry(importer, `${path}`)?.[2],
    stat,
    lstat: stat,
  };
}

// Packages ask for these to look for configuration, which is never there.
const LOOKS = new Set(['access', 'lstat', 'stat']);

function looker(call, find) {
  return (path, options) => {
    const found = find(path);
    if (found !== undefined) return call === 'access' ? undefined : found;
    if (options?.throwIfNoEntry === false) return undefined;
    throw noSuchFile(call, path);
  };
}

function reader(find, refuse) {
  return (path, options) => find(path, options) ?? refuse(path, options);
}

function later(work, callback) {
  require('sw:timers').setImmediate(() => {
    let result;
    try {
      result = work();
    } catch (error) {
      callback(error);
      return;
    }
    callback(null, result);
  });
}

/**
 * Opens as much of node:fs to a package as many cannot do without: the files
 * of the packages that it is installed with can be read, as their JavaScript
 * can be imported, and configuration that it looks for is not there. All else,
 * and all of it outside of packages, stays the stand-in that throws.
 *
 * @param {object} fs the stand-in, of `fs` or `fs/promises`; changed
 * @param {string} importer the file that asked for it
 */
function openToPackage(fs, importer) {
  const files = packageFiles(importer);
  const calls = {};
  for (const [name, find] of entries({ ...files, access: files.stat })) {
    calls[name] = LOOKS.has(name)
      ? looker(name, find)
      : reader(find, fs[`${name}Sync`] ?? fs[name]);
  }
  const promises = fs.promises ?? fs;
  for (const [name, call] of entries(calls)) {
    promises[name] = async (path, options) => call(path, options);
  }
  if (promises === fs) return;
  for (const [name, call] of entries(calls)) {
    fs[`${name}Sync`] = call;
    fs[name] = (path, ...rest) =>
      later(
        () => call(path, rest.length > 1 ? rest[0] : undefined),
        rest.at(-1),
      );
  }
  fs.realpathSync.native = fs.realpathSync;
  fs.realpath.native = fs.realpath;
  fs.existsSync = (path) => files.stat(path) !== undefined;
}

/** Whether a file belongs to a package. */
const isPackaged = (path) => PACKAGED.test(path);

module.exports = { isPackaged, openToPackage };
