'use strict';

/* global host */

const PACKAGED = /[\\/]node_modules[\\/]/;

function noSuchFile(call, path) {
  return Object.assign(
    new Error(`ENOENT: no such file or directory, ${call} '${path}'`),
    { errno: -2, code: 'ENOENT', syscall: call, path: `${path}` },
  );
}

// As much of fs.Stats as can be said of bytes that were read.
const stat = ({ length }) => ({
  size: length,
  isFile: () => true,
  isDirectory: () => false,
  isSymbolicLink: () => false,
});

const encodingOf = (options) =>
  typeof options === 'string' ? options : options?.encoding;

/**
 * What packages get of node:fs: the files in their own folder can be read, as
 * its JavaScript can be imported, and configuration that they look for is not
 * there. Everything else, and all of it outside of packages, stays the
 * stand-in that throws.
 *
 * @param {object} fs the stand-in; changed
 * @param {string | undefined} importer the file that asked for it
 */
function openToPackage(fs, importer) {
  if (!PACKAGED.test(importer)) return;
  const { Buffer } = require('node:buffer');
  const ownFile = (path) => {
    const buffer = host.ownFile(importer, `${path}`);
    return buffer && Buffer.from(buffer);
  };
  const later = (work, callback) => {
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
  };

  function readerOr(refuse) {
    return function readFileSync(path, options) {
      const bytes = ownFile(path) ?? refuse(path, options);
      const encoding = encodingOf(options);
      return encoding ? bytes.toString(encoding) : bytes;
    };
  }

  function look(call) {
    return (path, options) => {
      const bytes = ownFile(path);
      if (bytes !== undefined)
        return call === 'access' ? undefined : stat(bytes);
      if (options?.throwIfNoEntry === false) return undefined;
      throw noSuchFile(call, path);
    };
  }

  const read = readerOr(fs.readFileSync ?? fs.readFile);
  for (const call of ['access', 'stat', 'lstat']) {
    const sync = look(call);
    if (fs.promises !== undefined) {
      fs[`${call}Sync`] = sync;
      fs[call] = (path, ...rest) => later(() => sync(path), rest.at(-1));
    } else {
      fs[call] = async (path) => sync(path);
    }
  }
  if (fs.promises === undefined) {
    fs.readFile = async (path, options) => read(path, options);
    return;
  }
  fs.existsSync = (path) => ownFile(path) !== undefined;
  fs.readFileSync = read;
  fs.readFile = (path, ...rest) =>
    later(() => read(path, rest.length > 1 ? rest[0] : undefined), rest.at(-1));
  openToPackage(fs.promises, importer);
}

module.exports = { openToPackage };
