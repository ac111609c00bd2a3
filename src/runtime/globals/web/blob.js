'use strict';

/* global host */
const { bytesOf } = require('../lib/buffer-source.js');
const {
  invalidArgument,
  nativeError,
  nodeError,
} = require('../lib/node-error.js');
const { wellFormed } = require('../lib/usv-string.js');
const { since } = require('../lib/versions.js');
const {
  enumerable,
  inspectable,
  isObject,
  sequence,
  tag,
} = require('../lib/webidl.js');

const READ_SIZE = 65_536;
const printable = /^[\x20-\x7e]*$/;
// The first argument of those that are made in here.
const MADE = {};

// Bytes of a part, or its text until the line endings are known.
const partOf = (part) =>
  isBlob(part) ? bytesIn(part) : (bytesOf(part) ?? `${part}`);

function partBytes(part, endings) {
  if (typeof part !== 'string') return part;
  return host.utf8Encode(
    endings === 'native' ? part.replace(/\r\n?/g, '\n') : part,
  );
}

function join(pieces) {
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

function partsOf(parts) {
  if (parts === undefined) return [];
  if (!isObject(parts) || typeof parts[Symbol.iterator] !== 'function') {
    throw since(24)
      ? nativeError(
          TypeError,
          'ERR_INVALID_ARG_TYPE',
          'Value cannot be converted to sequence.',
        )
      : invalidArgument('sources', 'a sequence', parts);
  }
  return sequence(parts, 'Blob', partOf);
}

/** A property bag's members, asked for in the standard's order. */
function readBag(options) {
  if (options === undefined || options === null) {
    return { endings: 'transparent', type: '' };
  }
  if (!isObject(options)) {
    throw invalidArgument('options', 'a dictionary', options);
  }
  const { endings: given = 'transparent' } = options;
  const endings = `${given}`;
  if (endings !== 'transparent' && endings !== 'native') {
    throw nodeError(
      TypeError,
      'ERR_INVALID_ARG_VALUE',
      `The property 'options.endings' is invalid. Received '${endings}'`,
    );
  }
  const { type } = options;
  return { endings, type: type === undefined ? '' : normalType(type) };
}

const bytesFrom = (pieces, { endings }) =>
  join(pieces.map((piece) => partBytes(piece, endings)));

// Web IDL's conversion to `long long`.
function wholeNumber(value) {
  const number = Math.trunc(Number(value));
  if (!Number.isFinite(number)) return 0;
  return Number(BigInt.asIntN(64, BigInt(number)));
}

// Rounds to a whole number, of two as near to the even one (Web IDL's [Clamp]).
function rounded(value) {
  const number = Number(value);
  if (Number.isNaN(number)) return 0;
  const low = Math.floor(number);
  const rest = number - low;
  if (rest === 0.5) return low % 2 === 0 ? low : low + 1;
  return rest < 0.5 ? low : low + 1;
}

function clamp(value, size, otherwise) {
  if (value === undefined) return otherwise;
  const at = rounded(value);
  return at < 0 ? Math.max(size + at, 0) : Math.min(at, size);
}

class Blob {
  #bytes;
  #type;

  constructor(parts = undefined, options = undefined) {
    if (parts === MADE) {
      [, this.#bytes, this.#type] = arguments;
      return;
    }
    const pieces = partsOf(parts);
    const bag = readBag(options);
    this.#bytes = bytesFrom(pieces, bag);
    this.#type = bag.type;
  }

  static isBlob(value) {
    return typeof value === 'object' && value !== null && #bytes in value;
  }

  static bytesIn(blob) {
    return blob.#bytes;
  }

  get size() {
    return ownBytes(this).length;
  }

  get type() {
    ownBytes(this);
    return this.#type;
  }

  slice(start = undefined, end = undefined, contentType = '') {
    const { length: size } = ownBytes(this);
    const from = clamp(start, size, 0);
    const to = clamp(end, size, size);
    const bytes = this.#bytes.subarray(from, Math.max(from, to));
    return made(bytes, normalType(contentType));
  }

  async arrayBuffer() {
    return ownBytes(this).slice().buffer;
  }

  async bytes() {
    return ownBytes(this).slice();
  }

  async text() {
    return host.utf8Decode(ownBytes(this), false, false);
  }

  stream() {
    const { ReadableStream } = require('sw:internal/webstreams/readablestream');
    const bytes = ownBytes(this);
    let at = 0;
    return new ReadableStream({
      __proto__: null,
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
const { bytesIn, isBlob } = Blob;

// Outside of the class, which has another name while it is named in itself.
const made = (bytes, type) => new Blob(MADE, bytes, type);

const noInstance = (name) =>
  nodeError(
    TypeError,
    'ERR_INVALID_THIS',
    `Value of "this" must be of type ${name}`,
  );

function ownBytes(value) {
  if (!isBlob(value)) throw noInstance('Blob');
  return bytesIn(value);
}

delete Blob.bytesIn;
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
if (since(24, 22)) {
  const { textStream } = {
    textStream() {
      ownBytes(this);
      const { TextDecoderStream } = require('sw:internal/webstreams/encoding');
      return this.stream().pipeThrough(new TextDecoderStream());
    },
  };
  Object.assign(Blob.prototype, { textStream });
}
tag(Blob);
inspectable(Blob, ['size', 'type']);

class File extends Blob {
  #name;
  #lastModified;

  constructor(parts, name, options = undefined) {
    if (arguments.length < 2) {
      throw nodeError(
        TypeError,
        'ERR_MISSING_ARGS',
        'The "fileBits" and "fileName" arguments must be specified',
      );
    }
    const pieces = partsOf(parts);
    const shown = wellFormed(`${name}`);
    const bag = readBag(options);
    super(MADE, bytesFrom(pieces, bag), bag.type);
    const { lastModified = Date.now() } = options ?? {};
    this.#name = shown;
    this.#lastModified = wholeNumber(lastModified);
  }

  get name() {
    if (!(#name in this)) throw noInstance('File');
    return this.#name;
  }

  get lastModified() {
    if (!(#name in this)) throw noInstance('File');
    return this.#lastModified;
  }
}
enumerable(File, ['name', 'lastModified']);
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

// Blobs that have a URL, by its id, until that is revoked.
const stored = new Map();

function idOf(url) {
  const { URL } = require('sw:internal/url');
  if (!URL.canParse(url)) return undefined;
  return /^nodedata:([^:]*)$/.exec(new URL(url).pathname)?.[1];
}

/** The blob that a URL stands for, if there is one; of node:buffer. */
function resolveObjectURL(url) {
  const blob = stored.get(idOf(`${url}`));
  return blob && made(bytesIn(blob), blob.type);
}

module.exports = {
  Blob,
  File,
  bytesIn,
  cloneBlob,
  isBlob,
  join,
  resolveObjectURL,
  revokeBlob: (url) => void stored.delete(idOf(url)),
  storeBlob: (id, blob) => void stored.set(id, blob),
};
