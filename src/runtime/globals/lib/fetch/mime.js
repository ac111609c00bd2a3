'use strict';

// MIME types, read and written by whatwg-mimetype. Its parser and serializer
// are taken by file, because its entry brings the sniffing of contents along.

const parse = require('whatwg-mimetype/lib/parser.js');
const writeMime = require('whatwg-mimetype/lib/serializer.js');

// A value of a header, at its commas; those in quotes are part of a text.
const PART = /(?:"(?:[^"\\]|\\[\s\S])*"?|[^",])+/g;

/**
 * The MIME type of a Content-Type header's values (Fetch, "extract a MIME
 * type").
 *
 * @param {string | null} text all values, with commas between
 * @returns {{ essence: string, type: string, subtype: string,
 *   parameters: Map<string, string> } | undefined}
 */
function extractMime(text) {
  let found;
  let charset;
  for (const part of text?.match(PART) ?? []) {
    const type = parse(part);
    if (type === null) continue;
    type.essence = `${type.type}/${type.subtype}`;
    if (type.essence === '*/*') continue;
    if (type.essence !== found?.essence) charset = undefined;
    if (type.parameters.has('charset')) {
      charset = type.parameters.get('charset');
    } else if (charset !== undefined) {
      type.parameters.set('charset', charset);
    }
    found = type;
  }
  return found;
}

module.exports = { extractMime, writeMime };
