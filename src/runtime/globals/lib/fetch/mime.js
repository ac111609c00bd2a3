'use strict';

// MIME types: reading and writing, from the MIME Sniffing standard.

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const SPACE = /^[\t\n\r ]+|[\t\n\r ]+$/g;

// A quoted text from `at`, which is at its first quote; what follows it up to
// the next semicolon means nothing.
function quoted(text, at) {
  let value = '';
  let index = at + 1;
  for (; index < text.length && text[index] !== '"'; index += 1) {
    if (text[index] === '\\' && index + 1 < text.length) index += 1;
    value += text[index];
  }
  const next = text.indexOf(';', index);
  return [value, next < 0 ? text.length : next];
}

/** @returns {{ essence: string, parameters: Map<string, string> } | undefined} */
function parseMime(input) {
  const text = input.replace(SPACE, '');
  const semicolon = text.indexOf(';');
  const end = semicolon < 0 ? text.length : semicolon;
  const [type, subtype, ...rest] = text.slice(0, end).trimEnd().split('/');
  if (!TOKEN.test(type) || !TOKEN.test(subtype ?? '') || rest.length > 0) {
    return undefined;
  }
  const parameters = new Map();
  let at = end;
  while (at < text.length) {
    const name = /^[\t\n\r ]*([^;=]*)/.exec(text.slice(at + 1));
    at += 1 + name[0].length;
    if (text[at] !== '=') continue;
    let value;
    if (text[at + 1] === '"') {
      [value, at] = quoted(text, at + 1);
    } else {
      const next = text.indexOf(';', at);
      const stop = next < 0 ? text.length : next;
      value = text.slice(at + 1, stop).replace(/[\t\n\r ]+$/, '');
      at = stop;
      if (value === '') continue;
    }
    const key = name[1].toLowerCase();
    if (TOKEN.test(key) && VALUE.test(value) && !parameters.has(key)) {
      parameters.set(key, value);
    }
  }
  return { essence: `${type}/${subtype}`.toLowerCase(), parameters };
}

function writeMime({ essence, parameters }) {
  let text = essence;
  for (const [name, value] of parameters) {
    const shown = TOKEN.test(value)
      ? value
      : `"${value.replace(/["\\]/g, '\\$&')}"`;
    text += `;${name}=${shown}`;
  }
  return text;
}

// A value of a header, at its commas; those in quotes are part of a text.
const PART = /(?:"(?:[^"\\]|\\[\s\S])*"?|[^",])+/g;

/**
 * The MIME type that the values of a Content-Type header mean.
 *
 * @param {string | null} text all of them, with commas between
 */
function extractMime(text) {
  let found;
  let charset;
  for (const part of text?.match(PART) ?? []) {
    const type = parseMime(part);
    if (type === undefined || type.essence === '*/*') continue;
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
