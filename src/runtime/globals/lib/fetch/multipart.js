'use strict';

// multipart/form-data: from a FormData and back.

/* global host */
const { FormData, formPairs } = require('./form-data.js');
const { TOKEN } = require('./headers.js');
const { extractMime, writeMime } = require('./mime.js');
const { isLate, wrong } = require('./refusals.js');

const { File, Blob } = require('sw:blob');

const utf8 = (text) => host.utf8Encode(text);
const escaped = (text) =>
  text.replace(/\n/g, '%0A').replace(/\r/g, '%0D').replace(/"/g, '%22');
const newlines = (text) => text.replace(/\r\n?|\n/g, '\r\n');

// As long as Node's, because a body's length is seen.
function makeBoundary() {
  const random = new BigUint64Array(1);
  host.randomFill(new Uint8Array(random.buffer));
  const digits = `${random[0] % 100_000_000_000n}`.padStart(11, '0');
  return `----formdata-undici-0${digits}`;
}

/** @returns {{ blob: Blob, boundary: string }} */
function writeMultipart(form) {
  const boundary = makeBoundary();
  const parts = [];
  for (const [name, value] of formPairs(form)) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(newlines(name))}"`;
    if (typeof value === 'string') {
      parts.push(`${head}\r\n\r\n${newlines(value)}\r\n`);
      continue;
    }
    const type = value.type || 'application/octet-stream';
    parts.push(
      `${head}; filename="${escaped(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`,
      value,
      '\r\n',
    );
  }
  parts.push(`--${boundary}--\r\n`);
  return { blob: new Blob(parts), boundary };
}

function find(bytes, wanted, from) {
  const first = wanted[0];
  let at = bytes.indexOf(first, from);
  while (at >= 0) {
    let same = 1;
    while (same < wanted.length && bytes[at + same] === wanted[same]) same += 1;
    if (same === wanted.length) return at;
    at = bytes.indexOf(first, at + 1);
  }
  return -1;
}

const TAB = 0x09;
const SPACE = 0x20;

// The library tells the reason since Node 24.
const broken = (reason) =>
  wrong(
    'Failed to parse body as FormData.',
    isLate() ? { cause: wrong(reason) } : undefined,
  );
const NO_NAME = 'header name does not match the field-name token production';

// The value of `name="…"`. Escapes are kept, because percent signs are not
// escaped and so cannot be distinguished.
function parameter(line, name) {
  const match = new RegExp(`;[\\t ]*${name}="([^"]*)"`, 'i').exec(line);
  return match?.[1];
}

// Around a name, and at the ends of a value, there may be space.
const LINE = /^[\t ]*([^:\t ]*)[\t ]*:[\t ]*([^\0\r\n]*?)[\t ]*$/;

function readHead(text) {
  const head = { name: undefined, filename: undefined };
  const types = [];
  for (const line of text.split('\r\n')) {
    const [, name, value] = LINE.exec(line) ?? [];
    if (name === undefined && TOKEN.test(line)) throw broken('expected :');
    if (name === undefined || !TOKEN.test(name)) throw broken(NO_NAME);
    if (/^content-disposition$/i.test(name)) {
      if (!/^form-data\s*(?:;|$)/i.test(value)) {
        throw broken('expected form-data for content-disposition header');
      }
      head.name = parameter(value, 'name');
      head.filename = parameter(value, 'filename');
    } else if (/^content-type$/i.test(name)) {
      types.push(value);
    }
  }
  if (head.name === undefined) {
    throw broken('name attribute is required in content-disposition header');
  }
  const type = extractMime(types.join(','));
  head.type = type === undefined ? '' : writeMime(type);
  return types.length === 0 ? { ...head, type: 'text/plain' } : head;
}

/** @returns {FormData} of `bytes`, by the parameters of their MIME type */
function readMultipart(bytes, { parameters }) {
  const boundary = parameters.get('boundary');
  if (boundary === undefined || boundary === '') {
    throw broken('missing boundary in content-type header');
  }
  const form = new FormData();
  const line = utf8(`--${boundary}`);
  const endOfPart = utf8(`\r\n--${boundary}`);
  const endOfHead = utf8('\r\n\r\n');
  const text = (from, to) =>
    host.utf8Decode(bytes.subarray(from, to), false, true);
  let at = find(bytes, line, 0);
  if (at !== 0 && !(at === 2 && text(0, 2) === '\r\n')) {
    throw broken('no boundary found in multipart body');
  }
  for (;;) {
    at += line.length;
    const isLast = text(at, at + 2) === '--';
    if (isLast) at += 2;
    while (bytes[at] === TAB || bytes[at] === SPACE) at += 1;
    if (isLast && at === bytes.length) return form;
    if (text(at, at + 2) !== '\r\n') throw broken('expected CRLF');
    if (isLast) return form;
    const head = find(bytes, endOfHead, at);
    const end = find(bytes, endOfPart, head < 0 ? bytes.length : head + 2);
    if (head < 0) throw broken(NO_NAME);
    const { name, filename, type } = readHead(text(at + 2, head));
    if (end < 0) throw broken('expected boundary after body');
    const from = head + 4;
    if (filename === undefined) {
      form.append(
        name,
        host.utf8Decode(bytes.subarray(from, end), false, false),
      );
    } else {
      const init = { type, lastModified: 0 };
      form.append(name, new File([bytes.subarray(from, end)], filename, init));
    }
    at = end + 2;
  }
}

module.exports = { readMultipart, writeMultipart };
