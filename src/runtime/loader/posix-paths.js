'use strict';

/**
 * Paths with slashes, by methods that no program can replace: those of a
 * library are looked up when they are called.
 *
 * @param {object} texts see texts.js
 */
function createPosixPaths({ lastIndexOf, substring }) {
  function withoutSlashes(path) {
    let end = path.length;
    while (end > 1 && path[end - 1] === '/') end -= 1;
    return substring(path, 0, end);
  }

  function dirname(path) {
    const whole = withoutSlashes(path);
    const at = lastIndexOf(whole, '/');
    if (at < 0) return '.';
    return at === 0 ? '/' : withoutSlashes(substring(whole, 0, at));
  }

  function basename(path) {
    const whole = withoutSlashes(path);
    return substring(whole, lastIndexOf(whole, '/') + 1);
  }

  // Of an absolute path.
  function normalize(path) {
    let done = '';
    let part = '';
    for (let i = 0; i <= path.length; ++i) {
      if (i < path.length && path[i] !== '/') {
        part += path[i];
        continue;
      }
      if (part === '..') {
        const at = lastIndexOf(done, '/');
        done = at < 0 ? '' : substring(done, 0, at);
      } else if (part !== '' && part !== '.') {
        done += `/${part}`;
      }
      part = '';
    }
    return done === '' ? '/' : done;
  }

  const isAbsolute = (path) => path[0] === '/';
  const resolve = (folder, path) =>
    normalize(isAbsolute(path) ? path : `${folder}/${path}`);
  const join = (folder, path) => normalize(`${folder}/${path}`);

  return { basename, dirname, isAbsolute, join, resolve };
}

module.exports = { createPosixPaths };
