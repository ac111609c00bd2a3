'use strict';

// Bodies of requests and responses: what they may be made of, and the methods
// that read them.

/* global host, load */
const { bytesOf } = require('../buffer-source.js');
const { since } = require('../versions.js');
const { accessor } = require('../webidl.js');
const { FormData, isFormData } = require('./form-data.js');
const { readHeader } = require('./headers.js');
const { extractMime, writeMime } = require('./mime.js');
const { readMultipart, writeMultipart } = require('./multipart.js');

const { Blob, bytesIn, isBlob, join } = require('sw:blob');

const FORM = 'application/x-www-form-urlencoded';
const streams = () => require('sw:streams');

const unusable = () =>
  new TypeError('Body is unusable: Body has already been read');

/** The stream of a body that was read without one: read to its end, locked. */
function usedUp() {
  const { ReadableStream } = require('sw:internal/webstreams/readablestream');
  const stream = new ReadableStream({
    type: 'bytes',
    start: (controller) => controller.close(),
  });
  streams().readAll(
    stream,
    () => {},
    () => {},
  );
  return stream;
}

/** A body; its stream is made at its first use. */
class Body {
  #bytes;
  #blob;
  #stream;
  #isUsed = false;

  constructor({ bytes, blob, stream }) {
    this.#bytes = bytes;
    this.#blob = blob;
    this.#stream = stream;
  }

  get stream() {
    if (this.#stream === undefined) {
      this.#stream = this.#isUsed ? usedUp() : this.#makeStream();
    }
    return this.#stream;
  }

  #makeStream() {
    const blob = this.#blob ?? new Blob([this.#bytes]);
    return blob.stream();
  }

  get isStream() {
    return this.#bytes === undefined && this.#blob === undefined;
  }

  get isUsed() {
    if (this.#stream === undefined) return this.#isUsed;
    return this.#isUsed || streams().isDisturbed(this.#stream);
  }

  get isUnusable() {
    if (this.isUsed) return true;
    return this.#stream !== undefined && streams().isLocked(this.#stream);
  }

  /** Uses it up. */
  read(onBytes, onError) {
    this.#isUsed = true;
    if (this.#stream === undefined) {
      onBytes(this.#bytes ?? bytesIn(this.#blob));
    } else {
      const { readAll } = streams();
      readAll(this.#stream, (pieces) => onBytes(join(pieces)), onError);
    }
  }

  /** Two bodies with the same content, in the place of this one. */
  tee() {
    if (this.#stream === undefined) {
      return new Body({ bytes: this.#bytes, blob: this.#blob });
    }
    const [own, other] = streams().tee(this.#stream);
    this.#stream = own;
    return new Body({ stream: other });
  }

  /** A body that takes this one over. */
  move() {
    const moved = new Body({
      bytes: this.#bytes,
      blob: this.#blob,
      stream: this.#stream && streams().through(this.#stream),
    });
    this.#isUsed = true;
    return moved;
  }
}

/**
 * @param {unknown} value anything that a body can be made of
 * @param {boolean} [isKeptAlive] whether no stream may be one
 * @returns {{ body: Body, type: string | undefined }}
 */
function extractBody(value, isKeptAlive = false) {
  const loaded = load.loaded('internal/webstreams/readablestream');
  if (loaded?.isReadableStream(value)) {
    if (isKeptAlive) throw new TypeError('keepalive');
    if (streams().isLocked(value) || streams().isDisturbed(value)) {
      throw new TypeError(
        'Response body object should not be disturbed or locked',
      );
    }
    return { body: new Body({ stream: value }), type: undefined };
  }
  if (isBlob(value)) {
    return { body: new Body({ blob: value }), type: value.type || undefined };
  }
  const given = bytesOf(value);
  if (given) {
    return { body: new Body({ bytes: given.slice() }), type: undefined };
  }
  if (isFormData(value)) {
    const { blob, boundary } = writeMultipart(value);
    const type = `multipart/form-data; boundary=${boundary}`;
    return { body: new Body({ blob }), type };
  }
  const url = load.loaded('internal/url');
  const isParams = url && value instanceof url.URLSearchParams;
  const bytes = host.utf8Encode(`${value}`);
  const type = isParams ? `${FORM};charset=UTF-8` : 'text/plain;charset=UTF-8';
  return { body: new Body({ bytes }), type };
}

function formOf(bytes, type) {
  if (type?.essence === 'multipart/form-data')
    return readMultipart(bytes, type);
  if (type?.essence !== FORM) {
    throw new TypeError(
      'Content-Type was not one of "multipart/form-data" or "application/x-www-form-urlencoded".',
    );
  }
  const { URLSearchParams } = require('sw:internal/url');
  const form = new FormData();
  // A mark at the start is part of a name, and so is a question mark: the
  // constructor takes away one.
  const text = host.utf8Decode(bytes, false, true);
  for (const [name, value] of new URLSearchParams(`?${text}`)) {
    form.append(name, value);
  }
  return form;
}

/**
 * Gives a class the members that read a body.
 *
 * @param {Function} Class
 * @param {(instance: object) => { body: Body | null, headers: object }} inside
 */
function bodyMixin(Class, inside) {
  const decode = (bytes) => host.utf8Decode(bytes, false, false);
  const typeOf = (headers) => extractMime(readHeader(headers, 'content-type'));
  const conversions = {
    arrayBuffer: (bytes) => bytes.slice().buffer,
    blob(bytes, headers) {
      const type = typeOf(headers);
      return new Blob([bytes], { type: type ? writeMime(type) : '' });
    },
    bytes: (bytes) => bytes.slice(),
    formData: (bytes, headers) => formOf(bytes, typeOf(headers)),
    json: (bytes) => JSON.parse(decode(bytes)),
    text: decode,
  };

  // The bytes are passed to callbacks, because a promise would look up `then`
  // on an object.
  const read = (instance, convert) =>
    new Promise((resolve, reject) => {
      const { body, headers } = inside(instance);
      if (body === null) {
        resolve(convert(new Uint8Array(0), headers));
        return;
      }
      if (body.isUnusable) {
        throw unusable();
      }
      const onBytes = (bytes) => {
        try {
          resolve(convert(bytes, headers));
        } catch (error) {
          reject(error);
        }
      };
      body.read(onBytes, reject);
    });

  const methods = {};
  for (const [name, convert] of Object.entries(conversions)) {
    const { [name]: method } = {
      [name]() {
        return read(this, convert);
      },
    };
    methods[name] = method;
  }
  if (since(26)) {
    methods.textStream = {
      textStream() {
        const { body } = inside(this);
        if (body?.isUnusable) throw unusable();
        const { stream } = body ?? new Body({ bytes: new Uint8Array(0) });
        const { TextDecoderStream } =
          require('sw:internal/webstreams/encoding');
        return stream.pipeThrough(new TextDecoderStream());
      },
    }.textStream;
  }
  Object.assign(Class.prototype, methods);
  const members = {
    get body() {
      return inside(this).body?.stream ?? null;
    },
    get bodyUsed() {
      return inside(this).body?.isUsed ?? false;
    },
  };
  for (const name of ['body', 'bodyUsed']) {
    const { get } = Object.getOwnPropertyDescriptor(members, name);
    accessor(Class.prototype, name, get);
  }
}

module.exports = { bodyMixin, extractBody };
