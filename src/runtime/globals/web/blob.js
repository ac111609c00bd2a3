'use strict';

/* global host */
const { enumerable, inspectable, need, tag } = require('../lib/webidl.js');

const { types } = require('sw:inspect');

const READ_SIZE = 65_536;
const printable = /^[\x20-\x7e]*$/;
const KEY = Symbol('slice');

function partBytes(part, endings) {
  if (isBlob(part)) return bytesOf(part);
  if (ArrayBuffer.isView(part)) {
    return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
  }
  if (types.isAnyArrayBuffer(part)) return new Uint8Array(part);
  const text = `${part}`;
  const native = endings === 'native' ? text.replace(/\r\n?/g, '\n') : text;
  return host.utf8Encode(native);
}

function join(parts, endings) {
  const pieces = parts.map((part) => partBytes(part, endings));
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function normalType(type) {
  const text = `${type}`;
  return printable.test(text) ? text.toLowerCase() : '';
}

// Without lone surrogates; older V8s have no method for it.
function wellFormed(text) {
  return text.toWellFormed?.() ?? host.utf8Decode(host.utf8Encode(text));
}

function clamp(value, size, otherwise) {
  if (value === undefined) return otherwise;
  const at = Math.trunc(Number(value)) || 0;
  return at < 0 ? Math.max(size + at, 0) : Math.min(at, size);
}

class Blob {
  #bytes;
  #type;

  constructor(parts = [], options = {}) {
    if (parts?.[0] === KEY) {
      [, this.#bytes, this.#type] = parts;
      return;
    }
    const iterable = typeof parts === 'object' && parts?.[Symbol.iterator];
    if (!iterable) {
      throw new TypeError('Blob: the parts are no sequence');
    }
    if (options !== null && !/^(?:object|function)$/.test(typeof options)) {
      throw new TypeError('Blob: the options are no object');
    }
    const endings = options?.endings ?? 'transparent';
    if (endings !== 'transparent' && endings !== 'native') {
      throw new TypeError(`Blob: '${endings}' is no EndingType`);
    }
    this.#bytes = join([...parts], endings);
    const type = options?.type;
    this.#type = type === undefined ? '' : normalType(type);
  }

  static isBlob(value) {
    return typeof value === 'object' && value !== null && #bytes in value;
  }

  static bytesOf(blob) {
    return blob.#bytes;
  }

  get size() {
    return this.#bytes.length;
  }

  get type() {
    return this.#type;
  }

  slice(start = undefined, end = undefined, contentType = '') {
    const from = clamp(start, this.size, 0);
    const to = clamp(end, this.size, this.size);
    const bytes = this.#bytes.subarray(from, Math.max(from, to));
    return new Blob([KEY, bytes, normalType(contentType)]);
  }

  async arrayBuffer() {
    return this.#bytes.slice().buffer;
  }

  async bytes() {
    return this.#bytes.slice();
  }

  async text() {
    return host.utf8Decode(this.#bytes, false, false);
  }

  stream() {
    const { ReadableStream } = require('sw:streams');
    const bytes = this.#bytes;
    let at = 0;
    return new ReadableStream({
      type: 'bytes',
      pull(controller) {
        if (at >= bytes.length) {
          controller.close();
          controller.byobRequest?.respond(0);
          return;
        }
        controller.enqueue(bytes.slice(at, at + READ_SIZE));
        at += READ_SIZE;
      },
    });
  }
}

// Only this file may look at the bytes without a copy.
const { bytesOf, isBlob } = Blob;
delete Blob.bytesOf;
delete Blob.isBlob;
enumerable(Blob, [
  'size',
  'type',
  'slice',
  'arrayBuffer',
  'bytes',
  'text',
  'stream',
]);
tag(Blob);
inspectable(Blob, ['size', 'type']);

class File extends Blob {
  #name;
  #lastModified;

  constructor(parts, name, options = {}) {
    need(2, arguments.length, 'File');
    super(parts, options);
    this.#name = wellFormed(`${name}`);
    const { lastModified = Date.now() } = options ?? {};
    this.#lastModified = Math.trunc(Number(lastModified)) || 0;
  }

  get name() {
    return this.#name;
  }

  get lastModified() {
    return this.#lastModified;
  }

  get webkitRelativePath() {
    return '';
  }
}
enumerable(File, ['name', 'lastModified', 'webkitRelativePath']);
tag(File);
inspectable(File, ['size', 'type', 'name', 'lastModified']);

/** A copy with the same bytes; they never change, so they are shared. */
function cloneBlob(blob) {
  if (!(blob instanceof File)) return blob.slice(0, blob.size, blob.type);
  return new File([blob], blob.name, {
    type: blob.type,
    lastModified: blob.lastModified,
  });
}

module.exports = { Blob, File, cloneBlob, isBlob, wellFormed };
