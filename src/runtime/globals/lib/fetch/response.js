'use strict';

/* global load */
const { enumerable, tag } = require('../webidl.js');
const { bodyMixin, extractBody } = require('./body.js');
const { inspectableMembers } = require('./inspected.js');
const { parseUrl } = require('./location.js');
const {
  copyHeaders,
  freezeHeaders,
  headersInit,
  makeHeaders,
  readHeader,
} = require('./headers.js');
const {
  byteString,
  illegal,
  isLate,
  need,
  noSymbol,
  optionsOf,
  wrong,
} = require('./refusals.js');

const WITHOUT_BODY = new Set([101, 103, 204, 205, 304]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const REASON = /^[\t\x20-\x7e\x80-\xff]*$/;

// In the order in which the library asks for them.
function readInit(init) {
  const given = optionsOf(init, undefined);
  const read = {};
  const names = isLate()
    ? ['headers', 'status', 'statusText']
    : ['status', 'statusText', 'headers'];
  for (const name of names) read[name] = convert(name, given[name]);
  return read;
}

function convert(name, value) {
  if (name === 'headers') {
    if (value === undefined) return undefined;
    return headersInit(value, ['undefined', 'undefined.headers']);
  }
  if (name === 'status') {
    return value === undefined ? 200 : Math.trunc(Number(value)) & 0xffff;
  }
  return value === undefined ? '' : byteString(value, OF_INIT);
}

function checkStatus(status, statusText) {
  if (status < 200 || status > 599) {
    throw new RangeError(
      'init["status"] must be in the range of 200 to 599, inclusive.',
    );
  }
  if (!REASON.test(statusText)) throw wrong('Invalid statusText');
}

// The library does not say of what it reads the options.
const OF_INIT = 'undefined: undefined.statusText';

class Response {
  #type = 'default';
  #status;
  #statusText;
  #headers;
  #body = null;

  constructor(body = null, init = undefined) {
    noSymbol(
      body,
      isLate() ? 'Response: body' : 'undefined: undefined',
      'DOMString',
    );
    const { headers, status, statusText } = readInit(init);
    const extracted =
      body === null || body === undefined ? undefined : extractBody(body);
    checkStatus(status, statusText);
    this.#status = status;
    this.#statusText = statusText;
    this.#headers = makeHeaders(headers);
    if (extracted === undefined) return;
    if (WITHOUT_BODY.has(status)) {
      throw wrong(
        `Response constructor: Invalid response status code ${status}`,
      );
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
      throw wrong('Value is not JSON serializable');
    }
    checkStatus(status, statusText);
    const headers = makeHeaders(given);
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
      throw new RangeError(`Invalid status code ${code}`);
    }
    const response = new Response(null, { status: code });
    response.#headers.set('location', location);
    freezeHeaders(response.#headers);
    return response;
  }

  get type() {
    if (!(#type in this)) throw illegal();
    return this.#type;
  }

  get url() {
    if (!(#type in this)) throw illegal();
    return '';
  }

  get redirected() {
    if (!(#type in this)) throw illegal();
    return false;
  }

  get status() {
    if (!(#type in this)) throw illegal();
    return this.#status;
  }

  get ok() {
    if (!(#type in this)) throw illegal();
    return this.#status >= 200 && this.#status <= 299;
  }

  get statusText() {
    if (!(#type in this)) throw illegal();
    return this.#statusText;
  }

  get headers() {
    if (!(#type in this)) throw illegal();
    return this.#headers;
  }

  clone() {
    if (!(#type in this)) throw illegal();
    if (this.#body?.isUnusable) {
      throw wrong('Response.clone: Body has already been consumed.');
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
    inside(response) {
      if (!isResponse(response)) throw illegal();
      return { body: response.#body, headers: response.#headers };
    },

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
inspectableMembers(Response, [
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
