'use strict';

const {
  enumerable,
  inspectable,
  isObject,
  need,
  tag,
} = require('../webidl.js');
const { bodyMixin, extractBody } = require('./body.js');
const { Headers, TOKEN, copyHeaders } = require('./headers.js');
const { baseUrl, parseUrl } = require('./location.js');

const FORBIDDEN = new Set(['CONNECT', 'TRACE', 'TRACK']);
const UPPER = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']);
const WITHOUT_BODY = new Set(['GET', 'HEAD']);

// Allowed values; the first is the default.
const CHOICES = {
  cache: 'default no-store reload no-cache force-cache only-if-cached'.split(
    ' ',
  ),
  credentials: 'same-origin omit include'.split(' '),
  mode: 'cors same-origin no-cors navigate'.split(' '),
  priority: 'auto high low'.split(' '),
  redirect: 'follow error manual'.split(' '),
  referrerPolicy: [
    '',
    'no-referrer',
    'no-referrer-when-downgrade',
    'same-origin',
    'origin',
    'strict-origin',
    'origin-when-cross-origin',
    'strict-origin-when-cross-origin',
    'unsafe-url',
  ],
};

const wrong = (text) => new TypeError(`Request: ${text}`);

const MEMBERS = [
  'body',
  'cache',
  'credentials',
  'duplex',
  'headers',
  'integrity',
  'keepalive',
  'method',
  'mode',
  'priority',
  'redirect',
  'referrer',
  'referrerPolicy',
  'signal',
  'window',
];

/** Each member is asked for once, in the order of the names. */
function readInit(init) {
  const read = { __proto__: null };
  if (init === undefined || init === null) return read;
  if (!isObject(init)) throw wrong('the options are no object');
  for (const name of MEMBERS) read[name] = init[name];
  return read;
}

function addressOf(input) {
  const url = parseUrl(input);
  if (url.username !== '' || url.password !== '') {
    throw wrong('the URL holds credentials');
  }
  return url.href;
}

function methodOf(value) {
  const method = `${value}`;
  const upper = method.toUpperCase();
  if (!TOKEN.test(method) || FORBIDDEN.has(upper)) {
    throw wrong('no such method');
  }
  return UPPER.has(upper) ? upper : method;
}

function choose(name, given, otherwise) {
  if (given === undefined) return otherwise;
  const value = `${given}`;
  if (CHOICES[name].includes(value)) return value;
  throw wrong(`'${name}' has no such value`);
}

function referrerOf(given, otherwise) {
  if (given === undefined) return otherwise;
  const text = `${given}`;
  if (text === '') return '';
  const { href, origin } = parseUrl(text);
  if (href === 'about:client') return href;
  const base = baseUrl();
  const isForeign = base !== undefined && parseUrl(base).origin !== origin;
  return isForeign ? 'about:client' : href;
}

class Request {
  #fields;
  #headers;
  #body = null;
  #signal;

  constructor(input, init = undefined) {
    need(1, arguments.length, 'Request');
    const options = readInit(init);
    const from = Request.#is(input) ? input : undefined;
    this.#fields = Request.#read(from, input, options);
    this.#headers =
      options.headers === undefined && from
        ? copyHeaders(from.#headers)
        : new Headers(options.headers);
    this.#signal = Request.#signalOf(from, options.signal);
    this.#takeBody(from, options);
  }

  static #is(value) {
    return typeof value === 'object' && value !== null && #fields in value;
  }

  static #read(from, input, options) {
    const base = from?.#fields ?? {
      url: addressOf(input),
      method: 'GET',
      referrer: 'about:client',
      integrity: '',
      keepalive: false,
    };
    const fields = { ...base };
    if (options.window !== undefined && options.window !== null) {
      throw wrong("'window' is not null");
    }
    fields.referrer = referrerOf(options.referrer, base.referrer);
    for (const name of Object.keys(CHOICES)) {
      const otherwise = base[name] ?? CHOICES[name][0];
      fields[name] = choose(name, options[name], otherwise);
    }
    if (options.mode !== undefined && fields.mode === 'navigate') {
      throw wrong("'mode' cannot be navigate");
    }
    if (fields.cache === 'only-if-cached' && fields.mode !== 'same-origin') {
      throw wrong("only-if-cached needs the mode 'same-origin'");
    }
    if (options.method !== undefined) fields.method = methodOf(options.method);
    if (options.integrity !== undefined) {
      fields.integrity = `${options.integrity}`;
    }
    if (options.keepalive !== undefined) {
      fields.keepalive = Boolean(options.keepalive);
    }
    if (options.duplex !== undefined && `${options.duplex}` !== 'half') {
      throw wrong("'duplex' is not half");
    }
    return fields;
  }

  static #signalOf(from, given) {
    const { AbortSignal, isSignal } = require('sw:events');
    const source = given === undefined ? from?.#signal : given;
    if (source === undefined || source === null) return AbortSignal.any([]);
    if (!isSignal(source)) throw wrong('the signal is no AbortSignal');
    return AbortSignal.any([source]);
  }

  #takeBody(from, options) {
    const given = options.body ?? null;
    const inherited = from?.#body ?? null;
    if ((given ?? inherited) !== null && WITHOUT_BODY.has(this.method)) {
      throw wrong(`${this.method} has no body`);
    }
    if (given !== null) {
      const { body, type } = extractBody(given);
      if (body.isStream && options.duplex === undefined) {
        throw wrong("a stream needs the option duplex: 'half'");
      }
      if (body.isStream && this.keepalive) {
        throw wrong('a stream cannot be kept alive');
      }
      this.#body = body;
      if (type !== undefined && !this.#headers.has('content-type')) {
        this.#headers.append('content-type', type);
      }
    } else if (inherited !== null && options.body === undefined) {
      if (inherited.isUnusable) throw wrong('the body was read, or is locked');
      this.#body = inherited.move();
    }
  }

  get method() {
    return this.#fields.method;
  }

  get url() {
    return this.#fields.url;
  }

  get headers() {
    return this.#headers;
  }

  get destination() {
    void this.#fields;
    return '';
  }

  get referrer() {
    return this.#fields.referrer;
  }

  get referrerPolicy() {
    return this.#fields.referrerPolicy;
  }

  get mode() {
    return this.#fields.mode;
  }

  get credentials() {
    return this.#fields.credentials;
  }

  get cache() {
    return this.#fields.cache;
  }

  get redirect() {
    return this.#fields.redirect;
  }

  get integrity() {
    return this.#fields.integrity;
  }

  get keepalive() {
    return this.#fields.keepalive;
  }

  get isReloadNavigation() {
    void this.#fields;
    return false;
  }

  get isHistoryNavigation() {
    void this.#fields;
    return false;
  }

  get signal() {
    return this.#signal;
  }

  get duplex() {
    void this.#fields;
    return 'half';
  }

  clone() {
    if (this.#body?.isUnusable) {
      throw new TypeError('Request.clone: the body was read, or is locked');
    }
    const copy = new Request(this.url);
    copy.#fields = { ...this.#fields };
    copy.#headers = copyHeaders(this.#headers);
    copy.#signal = Request.#signalOf(this, undefined);
    if (this.#body !== null) copy.#body = this.#body.tee();
    return copy;
  }

  static inside(request) {
    return { body: request.#body, headers: request.#headers };
  }
}
const { inside } = Request;
delete Request.inside;
bodyMixin(Request, inside);
const OWN = Object.getOwnPropertyNames(Request.prototype).filter(
  (name) => name !== 'constructor',
);
enumerable(Request, OWN);
tag(Request);
inspectable(Request, [
  'method',
  'url',
  'headers',
  'body',
  'bodyUsed',
  'signal',
]);

module.exports = { Request };
