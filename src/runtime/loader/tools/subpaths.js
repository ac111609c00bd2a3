'use strict';

// Why a package does not give what was asked of it, as Node says it: the
// resolver tells no code.

const PARTS = /[\\/]/;
const NO_PART = ['.', '..', 'node_modules'];

function plainPart(part) {
  try {
    return decodeURIComponent(part).toLowerCase();
  } catch {
    return part;
  }
}

// Parts by which a name would leave the folder that it stands for.
const leaves = (match) =>
  match.split(PARTS).some((part) => NO_PART.includes(plainPart(part)));

/**
 * @param {unknown} field `exports` or `imports` of a package.json
 * @param {string} name `./sub` or `#sub`
 * @returns {string | undefined} what stands for the `*` of its key, '' for a
 *   key without one, undefined if it has none
 */
function matchOf(field, name) {
  if (typeof field !== 'object' || field === null) return undefined;
  const keys = Object.keys(field);
  if (!name.includes('*') && !name.endsWith('/') && keys.includes(name)) {
    return '';
  }
  let best = '';
  let match;
  for (const key of keys) {
    const at = key.indexOf('*');
    if (at < 0 || at < best.indexOf('*')) continue;
    const end = key.slice(at + 1);
    const fits =
      name.length >= key.length &&
      name.startsWith(key.slice(0, at)) &&
      name.endsWith(end);
    if (!fits) continue;
    best = key;
    match = name.slice(at, name.length - end.length);
  }
  return match;
}

/**
 * @param {unknown} exports of a package
 * @param {string} subpath `./sub`
 * @returns {string | undefined} Node's code, if it has one
 */
function codeOfExport(exports, subpath) {
  const match = matchOf(exports, subpath);
  if (match === undefined) {
    return subpath === '.' ? undefined : 'ERR_PACKAGE_PATH_NOT_EXPORTED';
  }
  return leaves(match) ? 'ERR_INVALID_MODULE_SPECIFIER' : undefined;
}

/** The same of an `#import`. */
function codeOfImport(imports, name) {
  const match = matchOf(imports, name);
  return match !== undefined && leaves(match)
    ? 'ERR_INVALID_MODULE_SPECIFIER'
    : undefined;
}

/**
 * What a target of `imports` is under some conditions.
 *
 * @param {unknown} target
 * @param {string[]} conditions
 * @returns {string | undefined} none if it is no text
 */
function targetOf(target, conditions) {
  if (typeof target === 'string') return target;
  if (typeof target !== 'object' || target === null) return undefined;
  const inner = Array.isArray(target)
    ? target
    : Object.keys(target)
        .filter((key) => conditions.includes(key))
        .map((key) => target[key]);
  for (const one of inner) {
    const found = targetOf(one, conditions);
    if (found !== undefined) return found;
  }
  return undefined;
}

module.exports = { codeOfExport, codeOfImport, targetOf };
