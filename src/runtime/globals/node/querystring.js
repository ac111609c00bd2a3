'use strict';

/* global host */
const { nodeError } = require('../lib/node-error.js');

function unescapeBuffer(text) {
  const bytes = host.utf8Encode(`${text}`);
  const out = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const digits = String.fromCharCode(bytes[at + 1], bytes[at + 2]);
    if (bytes[at] === 37 && /^[0-9a-f]{2}$/i.test(digits)) {
      out.push(Number.parseInt(digits, 16));
      at += 2;
    } else {
      out.push(bytes[at]);
    }
  }
  return require('node:buffer').Buffer.from(out);
}

function unescape(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return unescapeBuffer(text).toString();
  }
}

function escape(value) {
  const text = typeof value === 'object' ? String(value) : `${value}`;
  try {
    return encodeURIComponent(text);
  } catch {
    throw nodeError(URIError, 'ERR_INVALID_URI', 'URI malformed');
  }
}

function printable(value) {
  const type = typeof value;
  if (type === 'string') return value;
  if (type === 'number') return Number.isFinite(value) ? `${value}` : '';
  return type === 'bigint' || type === 'boolean' ? `${value}` : '';
}

function stringify(object, separator, equals, options) {
  const sep = separator || '&';
  const eq = equals || '=';
  const encode = options?.encodeURIComponent ?? exports_.escape;
  if (typeof object !== 'object' || object === null) return '';
  const pairs = [];
  for (const key of Object.keys(object)) {
    const start = encode(printable(key)) + eq;
    const values = Array.isArray(object[key]) ? object[key] : [object[key]];
    for (const value of values) pairs.push(start + encode(printable(value)));
  }
  return pairs.join(sep);
}

function parse(text, separator, equals, options) {
  const result = { __proto__: null };
  if (typeof text !== 'string' || text === '') return result;
  const sep = `${separator || '&'}`;
  const eq = `${equals || '='}`;
  const decode = options?.decodeURIComponent ?? exports_.unescape;
  const limit = options?.maxKeys ?? 1000;
  const read = (part) => safely(decode, part.replaceAll('+', ' '));
  let pieces = text.split(sep).filter((piece) => piece !== '');
  if (limit > 0) pieces = pieces.slice(0, limit);
  for (const piece of pieces) {
    const at = piece.indexOf(eq);
    const key = read(at < 0 ? piece : piece.slice(0, at));
    const value = at < 0 ? '' : read(piece.slice(at + eq.length));
    if (!(key in result)) result[key] = value;
    else if (Array.isArray(result[key])) result[key].push(value);
    else result[key] = [result[key], value];
  }
  return result;
}

function safely(decode, text) {
  try {
    return decode(text);
  } catch {
    return unescape(text);
  }
}

const exports_ = {
  decode: parse,
  encode: stringify,
  escape,
  parse,
  stringify,
  unescape,
  unescapeBuffer,
};

module.exports = exports_;
