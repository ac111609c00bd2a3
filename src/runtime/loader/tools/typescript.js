'use strict';

// Runs in a context of its own: see isolate/modules/tool_context.h. The
// stripper is the library that Node uses, read from its package when the first
// TypeScript file is met: it is too large to be part of the addon.

const { fromBase64 } = require('./base64.js');
const loadFile = require('./package-file.js');
const { MAP } = require('../transformed.js');
const { placedMessage } = require('./typescript-error.js');

/* global natives */
const { utf8Decode, utf8Encode } = natives.host;

class TextDecoder {
  decode(bytes) {
    return bytes === undefined ? '' : utf8Decode(bytes, false, true);
  }
}

class TextEncoder {
  encode(text) {
    return utf8Encode(text);
  }

  encodeInto(text, bytes) {
    // The stripper makes room for all of it.
    const all = utf8Encode(text);
    bytes.set(all);
    return { read: text.length, written: all.length };
  }
}

const NODE = {
  util: { TextDecoder, TextEncoder },
  'node:buffer': { Buffer: { from: fromBase64 } },
};

let stripper;

// The map goes with the text, because the file has none of it.
function transform(text, url) {
  const options = { mode: 'transform', sourceMap: true, filename: url };
  const { code, map } = stripper.transformSync(text, options);
  return `${code}${MAP}${encodeURIComponent(map)}\n`;
}

function toJavaScript(text, url) {
  try {
    return stripper.transformSync(text).code;
  } catch (error) {
    if (!/strip-only/.test(`${error?.message ?? error}`)) throw error;
    return transform(text, url);
  }
}

// For a program that asks for it, rather than of a file.
function asAsked(text, options) {
  try {
    const { code, map } = stripper.transformSync(text, options);
    return { text: code, map };
  } catch (error) {
    // A line, then a picture of it.
    const [line] = `${error?.message ?? error}`.split('\n');
    return {
      why: line.replace(/^\s*x\s+/, ''),
      isUnsupported: /not supported in (strip-only|type strip) mode/.test(line),
    };
  }
}

/**
 * @param {string} text
 * @param {string} library where the stripper is
 * @param {string} url of the file, for its map
 * @param {string} path of the file, for errors
 * @param {string} [asked] options of a program's own, as JSON
 * @returns {string} `{ text }`, or `{ why }` that is not possible, as JSON
 */
module.exports = function compile(text, library, url, path, asked) {
  stripper ??= loadFile(library, (name) => NODE[name]);
  if (asked) return JSON.stringify(asAsked(text, JSON.parse(asked)));
  try {
    return JSON.stringify({ text: toJavaScript(text, url) });
  } catch (error) {
    return JSON.stringify({
      why: placedMessage(path, `${error?.message ?? error}`),
    });
  }
};
