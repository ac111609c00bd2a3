'use strict';

// Bodies of requests and responses: what they may be made of, and the methods
// that read them.

/* global host, load */
const { accessor } = require('../webidl.js');
const { FormData, isFormData } = require('./form-data.js');
const { parseMime, writeMime } = require('./mime.js');
const { readMultipart, writeMultipart } = require('./multipart.js');

const { Blob, isBlob } = require('sw:blob');

const FORM = 'application/x-www-form-urlencoded';
const streams = () => require('sw:streams');

/** A body; its stream is made when somebody looks at it. */
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
      const blob = this.#blob ?? new Blob([this.#bytes]);
      this.#stream = blob.stream();
    }
    return this.#stream;
  }

  get isStream() {
    return this.#bytes === undefined && this.#blob === undefined;
  }

  get isUsed() {
    if (this.#stream === undefined) return this.#isUsed;
    return this.#isUsed || streams().isDisturbed(this.#stream);
  }

  get isUnusable() {
    return this.isUsed || (this.#stream?.locked ?? false);
  }

  /** Uses it up. */
  async read() {
    this.#isUsed = true;
    if (this.#stream === undefined) {
      return this.#bytes ?? (await this.#blob.bytes());
    }
    const reader = this.#stream.getReader();
    const pieces = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!(value instanceof Uint8Array)) {
        const error = new TypeError('A chunk of the body is no Uint8Array');
        reader.cancel(error).catch(() => {});
        throw error;
      }
      pieces.push(value);
    }
    return new Blob(pieces).bytes();
  }

  /** Two bodies with the same content, in the place of this one. */
  tee() {
    if (this.#stream === undefined) {
      return new Body({ bytes: this.#bytes, blob: this.#blob });
    }
    const [own, other] = this.#stream.tee();
    this.#stream = own;
    return new Body({ stream: other });
  }

  /** A body that takes this one over. */
  move() {
    const moved = new Body({
      bytes: this.#bytes,
      blob: this.#blob,
      stream: this.#stream?.pipeThrough(new (streams().TransformStream)()),
    });
    this.#isUsed = true;
    return moved;
  }
}

function bufferBytes(value) {
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  const { types } = require('sw:inspect');
  return types.isAnyArrayBuffer(value) ? new Uint8Array(value) : undefined;
}

/**
 * @param {unknown} value anything that a body can be made of
 * @returns {{ body: Body, type: string | undefined }}
 */
function extractBody(value) {
  const loaded = load.loaded('streams');
  if (loaded && value instanceof loaded.ReadableStream) {
    if (value.locked || loaded.isDisturbed(value)) {
      throw new TypeError('The stream is locked or was read from');
    }
    return { body: new Body({ stream: value }), type: undefined };
  }
  if (isBlob(value)) {
    return { body: new Body({ blob: value }), type: value.type || undefined };
  }
  const given = bufferBytes(value);
  if (given) {
    return { body: new Body({ bytes: given.slice() }), type: undefined };
  }
  if (isFormData(value)) {
    const { blob, boundary } = writeMultipart(value);
    const type = `multipart/form-data; boundary=${boundary}`;
    return { body: new Body({ blob }), type };
  }
  const url = load.loaded('url');
  const isParams = url && value instanceof url.URLSearchParams;
  const bytes = host.utf8Encode(`${value}`);
  const type = isParams ? `${FORM};charset=UTF-8` : 'text/plain;charset=UTF-8';
  return { body: new Body({ bytes }), type };
}

function formOf(bytes, type) {
  if (type?.essence === 'multipart/form-data')
    return readMultipart(bytes, type);
  if (type?.essence !== FORM) {
    throw new TypeError('The type of the body is none of a form');
  }
  const { URLSearchParams } = require('sw:url');
  const form = new FormData();
  const text = host.utf8Decode(bytes, false, false);
  for (const [name, value] of new URLSearchParams(text)) {
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
  async function read(instance) {
    const { body, headers } = inside(instance);
    const text = headers.get('content-type');
    const type = text === null ? undefined : parseMime(text.split(',').at(-1));
    if (body === null) return { bytes: new Uint8Array(0), type };
    if (body.isUnusable) {
      throw new TypeError('The body was read already, or is locked');
    }
    return { bytes: await body.read(), type };
  }
  const decode = (bytes) => host.utf8Decode(bytes, false, false);

  const methods = {
    async arrayBuffer() {
      return (await read(this)).bytes.slice().buffer;
    },
    async blob() {
      const { bytes, type } = await read(this);
      return new Blob([bytes], { type: type ? writeMime(type) : '' });
    },
    async bytes() {
      return (await read(this)).bytes.slice();
    },
    async formData() {
      const { bytes, type } = await read(this);
      return formOf(bytes, type);
    },
    async json() {
      return JSON.parse(decode((await read(this)).bytes));
    },
    async text() {
      return decode((await read(this)).bytes);
    },
  };
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
