'use strict';

/* global host */
const { bytesOf } = require('../lib/buffer-source.js');
const {
  invalidArgument,
  nativeError,
  nodeError,
} = require('../lib/node-error.js');
const {
  bytesOfPieces,
  join,
  readAll,
  sizeOf,
  slicePieces,
  streamOf,
} = require('../lib/blob-pieces.js');
const { wellFormed } = require('../lib/usv-string.js');
const { since } = require('../lib/versions.js');
const {
  enumerable,
  inspectable,
  isObject,
  sequence,
  tag,
} = require('../lib/webidl.js');

const printable = /^[\x20-\x7e]*$/;
// The first argument of those that are made in here.
const MADE = {};

// A part's bytes or pieces, or its text until the line endings are known.
const partOf = (part) =>
  isBlob(part) ? piecesOf(part) : (bytesOf(part) ?? `${part}`);

function pieceOf(part, endings) {
  if (Array.isArray(part)) return part;
  if (typeof part !== 'string') return join([part]);
  return host.utf8Encode(
    endings === 'native' ? part.replace(/\r\n?/g, '\n') : part,
  );
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

const piecesFrom = (parts, { endings }) =>
  parts.map((part) => pieceOf(part, endings));

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
  #pieces;
  #size;
  #type;

  constructor(parts = undefined, options = undefined) {
    if (parts === MADE) {
      [, this.#pieces, this.#type] = arguments;
    } else {
      const given = partsOf(parts);
      const bag = readBag(options);
      this.#pieces = piecesFrom(given, bag);
      this.#type = bag.type;
    }
    this.#size = sizeOf(this.#pieces);
  }

  static isBlob(value) {
    return typeof value === 'object' && value !== null && #pieces in value;
  }

  static piecesOf(blob) {
    return blob.#pieces;
  }

  get size() {
    ownPieces(this);
    return this.#size;
  }

  get type() {
    ownPieces(this);
    return this.#type;
  }

  slice(start = undefined, end = undefined, contentType = '') {
    const pieces = ownPieces(this);
    const from = clamp(start, this.#size, 0);
    const to = clamp(end, this.#size, this.#size);
    return made(slicePieces(pieces, from, to), normalType(contentType));
  }

  arrayBuffer() {
    return bufferOf(this);
  }

  bytes() {
    if (!since(22)) ownPieces(this);
    return bufferOf(this).then((buffer) => new Uint8Array(buffer));
  }

  text() {
    return bufferOf(this).then((buffer) =>
      host.utf8Decode(new Uint8Array(buffer), false, false),
    );
  }

  stream() {
    return streamOf(ownPieces(this));
  }
}

// Only this file may look at the pieces, which never change.
const { isBlob, piecesOf } = Blob;

// Outside of the class, which has another name while it is named in itself.
const made = (pieces, type) => new Blob(MADE, pieces, type);

const noInstance = (name) =>
  nodeError(
    TypeError,
    'ERR_INVALID_THIS',
    `Value of "this" must be of type ${name}`,
  );

function ownPieces(value) {
  if (!isBlob(value)) throw noInstance('Blob');
  return piecesOf(value);
}

const bufferOf = (value) =>
  new Promise((resolve) => readAll(ownPieces(value), resolve));

/** Its bytes, which nobody may change. */
const bytesIn = (blob) => bytesOfPieces(piecesOf(blob));

delete Blob.isBlob;
delete Blob.piecesOf;
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
      ownPieces(this);
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
    const given = partsOf(parts);
    const bag = readBag(options);
    super(MADE, piecesFrom(given, bag), bag.type);
    const { lastModified = Date.now() } = options ?? {};
    // Not made whole by Node, unlike in the standard.
    this.#lastModified = +lastModified || 0;
    this.#name = wellFormed(`${name}`);
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
  if (!(blob instanceof File)) return made(piecesOf(blob), blob.type);
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
  return blob && made(piecesOf(blob), blob.type);
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
