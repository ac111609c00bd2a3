'use strict';
// Maps stacks of errors from workers back to their sources. This is done on the
// owner's side and only for errors, so workers pay nothing. A missing or bad
// source map leaves the stack unchanged.

const { readFileSync, statSync } = require('node:fs');
const { isAbsolute } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { now } = require('../base/primordials.js');

const MAX_FILE_BYTES = 32 * 1024 * 1024;
const MAX_MAPS = 64;
// Milliseconds for which a file is not checked again.
const FRESH_MS = 1000;

const FRAME =
  /^(\s+at .*?)((?:file:\/\/\/?|\/|[A-Za-z]:[\\/])[^\n]*?):(\d+):(\d+)(\)?)$/gm;
// The last such comment of a file counts.
const COMMENT = /\/\/[#@] sourceMappingURL=(\S+)[ \t]*$/gm;
// A file of another host, which Windows would ask in the name of the user.
const OF_HOST = /^[\\/]{2}/;
const DATA_URL = /^data:application\/json[^,]*?(;base64)?,/;

// Loaded for the first map.
const library = () => require('@jridgewell/trace-mapping');

/** path -> { stamp, map, checkedAt }; the first one is the oldest. */
const known = new Map();

function pathOf(name) {
  try {
    const path = name.startsWith('file:')
      ? fileURLToPath(name.replace(/[?#].*$/, ''))
      : name;
    return isAbsolute(path) && !OF_HOST.test(path) ? path : null;
  } catch {
    return null;
  }
}

function readText(path) {
  const status = statSync(path);
  if (!status.isFile() || status.size > MAX_FILE_BYTES) return null;
  return readFileSync(path, 'utf8');
}

function commentOf(text) {
  let last = null;
  for (const [, url] of text.matchAll(COMMENT)) last = url;
  return last;
}

/** @returns {{ text: string, url: string } | null} the map and its own URL */
function findMap(path) {
  const text = readText(path);
  const comment = text === null ? null : commentOf(text);
  if (comment === null) return null;
  const fileUrl = pathToFileURL(path).href;
  const data = DATA_URL.exec(comment);
  if (data !== null) {
    const body = comment.slice(data[0].length);
    const json = data[1]
      ? Buffer.from(body, 'base64').toString('utf8')
      : decodeURIComponent(body);
    return { text: json, url: fileUrl };
  }
  const url = new URL(comment, fileUrl);
  const mapPath = url.protocol === 'file:' ? pathOf(url.href) : null;
  const json = mapPath === null ? null : readText(mapPath);
  return json === null ? null : { text: json, url: url.href };
}

function loadMap(path) {
  try {
    const found = findMap(path);
    if (found === null) return null;
    return new (library().FlattenMap)(JSON.parse(found.text), found.url);
  } catch {
    return null;
  }
}

function stampOf(path) {
  try {
    const { mtimeMs, size } = statSync(path);
    return `${mtimeMs}:${size}`;
  } catch {
    return '';
  }
}

function mapOf(path) {
  const at = now();
  const entry = known.get(path);
  if (entry !== undefined && at - entry.checkedAt < FRESH_MS) return entry.map;
  const stamp = stampOf(path);
  if (entry?.stamp === stamp) {
    entry.checkedAt = at;
    return entry.map;
  }
  const map = loadMap(path);
  known.delete(path);
  known.set(path, { stamp, map, checkedAt: at });
  if (known.size > MAX_MAPS) known.delete(known.keys().next().value);
  return map;
}

function place(name, line, column) {
  const path = pathOf(name);
  const map = path === null ? null : mapOf(path);
  if (map === null) return null;
  // Columns of maps count from 0.
  const at = library().originalPositionFor(map, { line, column: column - 1 });
  if (at.source === null) return null;
  return `${at.source}:${at.line}:${at.column + 1}`;
}

/**
 * @param {string} stack as V8 formats it
 * @returns {string} with the frames of files that have a source map at their
 *   places in the sources. Never throws.
 */
function mapStack(stack) {
  try {
    return stack.replace(FRAME, (frame, head, name, line, column, tail) => {
      try {
        const mapped = place(name, +line, +column);
        return mapped === null ? frame : `${head}${mapped}${tail}`;
      } catch {
        return frame;
      }
    });
  } catch {
    return stack;
  }
}

module.exports = { mapStack };
