'use strict';

/* global load */
const { enumerable, inspectable, need, tag } = require('../webidl.js');
const { bodyMixin, extractBody } = require('./body.js');
const { parseUrl } = require('./location.js');
const {
  Headers,
  byteString,
  copyHeaders,
  freezeHeaders,
  readHeader,
} = require('./headers.js');

const WITHOUT_BODY = new Set([101, 103, 204, 205, 304]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const REASON = /^[\t\x20-\x7e\x80-\xff]*$/;

function readInit(init) {
  if (init === undefined || init === null) return {};
  if (typeof init === 'object' || typeof init === 'function') return init;
  throw new TypeError('Response: the options are no object');
}

class Response {
  #type = 'default';
  #status;
  #statusText;
  #headers;
  #body = null;

  constructor(body = null, init = undefined) {
    const { headers, status = 200, statusText = '' } = readInit(init);
    const text = byteString(statusText, 'Response: statusText');
    this.#headers = new Headers(headers);
    this.#status = Math.trunc(Number(status)) & 0xffff;
    if (this.#status < 200 || this.#status > 599) {
      throw new RangeError('Response: the status is not in 200 to 599');
    }
    if (!REASON.test(text)) {
      throw new TypeError('Response: statusText is no reason phrase');
    }
    this.#statusText = text;
    if (body === null || body === undefined) return;
    const extracted = extractBody(body);
    if (WITHOUT_BODY.has(this.#status)) {
      throw new TypeError(`Response: status ${this.#status} has no body`);
    }
    this.#body = extracted.body;
    if (extracted.type !== undefined && !this.#headers.has('content-type')) {
      this.#headers.append('content-type', extracted.type);
    }
  }

  static error() {
    const response = new Response();
    response.#type = 'error';
    response.#status = 0;
    freezeHeaders(response.#headers);
    return response;
  }

  static json(data, init = undefined) {
    need(1, arguments.length, 'Response.json');
    const { headers: given, status, statusText } = readInit(init);
    const text = JSON.stringify(data);
    if (text === undefined) {
      throw new TypeError('Response.json: the value has no JSON');
    }
    const headers = new Headers(given);
    if (!headers.has('content-type')) {
      headers.set('content-type', 'application/json');
    }
    return new Response(text, { status, statusText, headers });
  }

  static redirect(url, status = 302) {
    need(1, arguments.length, 'Response.redirect');
    const location = parseUrl(url).href;
    const code = Math.trunc(Number(status)) & 0xffff;
    if (!REDIRECTS.has(code)) {
      throw new RangeError('Response.redirect: no redirect status');
    }
    const response = new Response(null, { status: code });
    response.#headers.set('location', location);
    freezeHeaders(response.#headers);
    return response;
  }

  get type() {
    return this.#type;
  }

  get url() {
    void this.#type;
    return '';
  }

  get redirected() {
    void this.#type;
    return false;
  }

  get status() {
    return this.#status;
  }

  get ok() {
    return this.#status >= 200 && this.#status <= 299;
  }

  get statusText() {
    return this.#statusText;
  }

  get headers() {
    return this.#headers;
  }

  clone() {
    if (this.#body?.isUnusable) {
      throw new TypeError('Response.clone: the body was read, or is locked');
    }
    const copy = new Response();
    copy.#type = this.#type;
    copy.#status = this.#status;
    copy.#statusText = this.#statusText;
    copy.#headers = copyHeaders(this.#headers);
    if (this.#body !== null) copy.#body = this.#body.tee();
    return copy;
  }

  static internals = {
    inside: (response) => ({
      body: response.#body,
      headers: response.#headers,
    }),

    isResponse: (value) =>
      typeof value === 'object' && value !== null && #statusText in value,
  };
}
const { inside, isResponse } = Response.internals;
delete Response.internals;
for (const name of ['error', 'json', 'redirect']) {
  Object.defineProperty(Response, name, { enumerable: true });
}
bodyMixin(Response, inside);
enumerable(Response, [
  'type',
  'url',
  'redirected',
  'status',
  'ok',
  'statusText',
  'headers',
  'clone',
]);
tag(Response);
inspectable(Response, [
  'status',
  'statusText',
  'headers',
  'body',
  'bodyUsed',
  'ok',
  'redirected',
  'type',
  'url',
]);

/** The bytes of a module, for WebAssembly's streaming functions. */
async function wasmBytes(source) {
  const response = await source;
  if (!isResponse(response)) throw new TypeError('Not a Response');
  const { headers } = inside(response);
  const type = readHeader(headers, 'content-type')?.trim().toLowerCase();
  if (type !== 'application/wasm') {
    throw new TypeError("The response's type is not application/wasm");
  }
  if (!response.ok) throw new TypeError('The response is not ok');
  return response.arrayBuffer();
}

module.exports = { Response, wasmBytes };
