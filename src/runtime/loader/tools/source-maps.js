'use strict';

// Runs in a context of its own: see isolate/modules/tool_context.h. Finds the
// source of a file's code. A missing or bad map gives ''.

const { FlattenMap, originalPositionFor } =
  require('@jridgewell/trace-mapping');

const { fromBase64 } = require('./base64.js');

/* global natives */
const MAX_MAPS = 8;
const COMMENT = /\/\/[#@] sourceMappingURL=(\S+)[ \t]*$/gm;
const DATA_URL = /^data:application\/json[^,]*?(;base64)?,/;

/** path -> map or null; the first one is the oldest. */
const known = new Map();

function inlineMap(comment, maxBytes) {
  const data = DATA_URL.exec(comment);
  if (data === null) return undefined;
  const body = comment.slice(data[0].length);
  if (body.length > maxBytes) return undefined;
  return data[1]
    ? natives.host.utf8Decode(fromBase64(body), false, true)
    : decodeURIComponent(body);
}

// V8 reports an inline map; its text is the end of the file's.
function commentOf(text) {
  let last = '';
  for (const [, url] of text.matchAll(COMMENT)) last = url;
  return last;
}

function load(path, url, text, maxBytes) {
  if (url.startsWith('data:')) {
    const json = inlineMap(commentOf(text), maxBytes);
    return json && new FlattenMap(JSON.parse(json), natives.fileUrl(path));
  }
  const near = /^(\/|[a-z]+:)/i.test(url) ? url : `./${url}`;
  const mapPath = natives.filePath(near, path);
  const json = mapPath && natives.readText(mapPath, maxBytes);
  return json && new FlattenMap(JSON.parse(json), natives.fileUrl(mapPath));
}

function mapOf(path, ...parts) {
  let map = known.get(path);
  if (map !== undefined) return map;
  try {
    map = load(path, ...parts) || null;
  } catch {
    map = null;
  }
  known.set(path, map);
  if (known.size > MAX_MAPS) known.delete(known.keys().next().value);
  return map;
}

module.exports = function place(path, url, text, maxBytes, line, column) {
  const map = mapOf(path, url, text, +maxBytes);
  if (map === null) return '';
  // Columns of maps count from 0.
  const at = originalPositionFor(map, { line: +line, column: column - 1 });
  return at.source === null ? '' : `${at.source}:${at.line}:${at.column + 1}`;
};
