'use strict';

// UTF-8 in one piece is V8's, and so is Windows-1252 where it is Latin 1;
// streaming and the legacy encodings are the library's.

/* global host */
const { bytesOf, typedArrayKind } = require('../lib/buffer-source.js');
const { latinOf } = require('../lib/byte-codecs.js');
const { enumerable, inspectable, need, tag } = require('../lib/webidl.js');

class TextEncoder {
  // An object that this class did not make has no encoding.
  #encoding = 'utf-8';

  get encoding() {
    return this.#encoding;
  }

  encode(input = '') {
    void this.#encoding;
    return host.utf8Encode(`${input}`);
  }

  encodeInto(source, destination) {
    need(2, arguments.length, 'TextEncoder.encodeInto');
    void this.#encoding;
    const text = `${source}`;
    if (typedArrayKind(destination) !== 'Uint8Array') {
      throw new TypeError('TextEncoder.encodeInto: not a Uint8Array');
    }
    const [read, written] = host.utf8EncodeInto(text, destination);
    return { read, written };
  }
}
enumerable(TextEncoder, ['encoding', 'encode', 'encodeInto']);
tag(TextEncoder);
inspectable(TextEncoder, ['encoding']);

// The host finds the bytes of a Uint8Array whatever its prototype is.
function inputOf(input) {
  if (typedArrayKind(input) === 'Uint8Array') return input;
  return input === undefined ? new Uint8Array(0) : bytesOf(input, true);
}

function invalidData(encoding) {
  const error = new TypeError(
    `The encoded data was not valid for encoding ${encoding}`,
  );
  error.code = 'ERR_ENCODING_INVALID_ENCODED_DATA';
  return error;
}

const UTF8 = new Set([
  'utf-8',
  'utf8',
  'unicode-1-1-utf-8',
  'unicode11utf8',
  'unicode20utf8',
  'x-unicode20utf8',
]);
// All labels of Windows-1252.
const LATIN1 = new Set([
  'ansi_x3.4-1968',
  'ascii',
  'cp1252',
  'cp819',
  'csisolatin1',
  'ibm819',
  'iso-8859-1',
  'iso-ir-100',
  'iso8859-1',
  'iso88591',
  'iso_8859-1',
  'iso_8859-1:1987',
  'l1',
  'latin1',
  'us-ascii',
  'windows-1252',
  'x-cp1252',
]);
const edges = /^[\t\n\f\r ]+|[\t\n\f\r ]+$/g;

function libraryDecoder(label, options) {
  const library = require('sw:encoding-library');
  try {
    return new library.TextDecoder(label, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const unknown = new RangeError(`The "${label}" encoding is not supported`);
    unknown.code = 'ERR_ENCODING_NOT_SUPPORTED';
    throw unknown;
  }
}

function checkOptions(options, where) {
  if (options === undefined || options === null) return;
  if (typeof options === 'object' || typeof options === 'function') return;
  throw new TypeError(`${where}: the options are no object`);
}

class TextDecoder {
  #encoding = 'utf-8';
  #fatal;
  #ignoreBOM;
  #decoder;
  // Something of an earlier piece may still be inside the library's decoder.
  #streaming = false;

  constructor(label = 'utf-8', options = undefined) {
    const name = `${label}`;
    checkOptions(options, 'TextDecoder');
    this.#fatal = Boolean(options?.fatal);
    this.#ignoreBOM = Boolean(options?.ignoreBOM);
    const plain = name.replace(edges, '').toLowerCase();
    if (LATIN1.has(plain)) {
      this.#encoding = 'windows-1252';
    } else if (!UTF8.has(plain)) {
      this.#encoding = this.#library(name).encoding;
    }
  }

  #library(label) {
    this.#decoder ??= libraryDecoder(label, {
      fatal: this.#fatal,
      ignoreBOM: this.#ignoreBOM,
    });
    return this.#decoder;
  }

  get encoding() {
    return this.#encoding;
  }

  get fatal() {
    return this.#fatal;
  }

  get ignoreBOM() {
    return this.#ignoreBOM;
  }

  decode(input = undefined, options = undefined) {
    checkOptions(options, 'TextDecoder.decode');
    const stream = Boolean(options?.stream);
    const bytes = inputOf(input);
    if (bytes === undefined) {
      throw new TypeError(
        'TextDecoder.decode: not an ArrayBuffer or a view of one',
      );
    }
    if (this.#encoding === 'utf-8' && !stream && !this.#streaming) {
      const text = host.utf8Decode(bytes, this.#fatal, this.#ignoreBOM);
      if (text === undefined) throw invalidData('utf-8');
      return text;
    }
    if (this.#encoding === 'windows-1252') {
      // A byte is a character, so that nothing is left of an earlier piece.
      const text = latinOf(bytes);
      if (text !== undefined) return text;
    }
    this.#streaming = stream;
    try {
      return this.#library(this.#encoding).decode(bytesOf(bytes, true), {
        stream,
      });
    } catch (error) {
      if (!this.#fatal) throw error;
      throw invalidData(this.#encoding);
    }
  }
}
enumerable(TextDecoder, ['encoding', 'fatal', 'ignoreBOM', 'decode']);
tag(TextDecoder);
inspectable(TextDecoder, ['encoding', 'fatal', 'ignoreBOM']);

// For streams: whatever user code does to the prototypes.
const { call } = Function.prototype;
const decode = call.bind(TextDecoder.prototype.decode);

module.exports = { TextDecoder, TextEncoder, decode };
