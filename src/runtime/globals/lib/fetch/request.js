'use strict';

const { enumerable, tag } = require('../webidl.js');
const { bodyMixin, extractBody } = require('./body.js');
const { TOKEN, copyHeaders, headersInit, makeHeaders } =
  require('./headers.js');
const { inspectableMembers } = require('./inspected.js');
const { baseUrl, parseUrl } = require('./location.js');
const {
  IN_REQUEST,
  OF_REQUEST,
  byteString,
  illegal,
  isLate,
  need,
  noSignal,
  noSymbol,
  optionsOf,
  wrong,
} = require('./refusals.js');

const FORBIDDEN = new Set(['CONNECT', 'TRACE', 'TRACK']);
const UPPER = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']);
const WITHOUT_BODY = new Set(['GET', 'HEAD']);

// Allowed values, in the order in which messages have them.
const CHOICES = {
  cache: 'default no-store reload no-cache force-cache only-if-cached'.split(
    ' ',
  ),
  credentials: 'omit same-origin include'.split(' '),
  duplex: ['half'],
  mode: 'navigate same-origin no-cors cors'.split(' '),
  priority: 'high low auto'.split(' '),
  redirect: 'follow manual error'.split(' '),
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

const DEFAULTS = {
  cache: 'default',
  credentials: 'same-origin',
  mode: 'cors',
  redirect: 'follow',
  referrerPolicy: '',
};

const NAMES = [
  'method',
  'headers',
  'body',
  'referrer',
  'referrerPolicy',
  'mode',
  'credentials',
  'cache',
  'redirect',
  'integrity',
  'keepalive',
  'signal',
  'window',
  'duplex',
  'dispatcher',
];

/** Each member is asked for once, in the order that the library has. */
function readInit(init) {
  const given = optionsOf(init, IN_REQUEST());
  const read = { __proto__: null };
  const names = isLate() ? [...NAMES, 'priority'].sort() : NAMES;
  for (const name of names) read[name] = convert(name, given[name]);
  return read;
}

function convert(name, value) {
  if (value === undefined) return undefined;
  if (Object.hasOwn(CHOICES, name)) return choose(name, `${value}`);
  switch (name) {
    case 'headers':
      return headersInit(value, OF_REQUEST(name).split(': '));
    case 'method':
      return byteString(value, OF_REQUEST(name));
    case 'integrity':
      noSymbol(value, OF_REQUEST(name), 'DOMString');
      return `${value}`;
    case 'body':
      noSymbol(value, OF_REQUEST(name), 'DOMString');
      return value;
    case 'referrer':
      return `${value}`;
    case 'keepalive':
      return Boolean(value);
    case 'signal':
      if (isLate()) needSignal(value);
      return value;
    default:
      return value;
  }
}

function choose(name, value) {
  if (CHOICES[name].includes(value)) return value;
  const all = CHOICES[name].join(', ');
  throw wrong(
    `${IN_REQUEST()}: ${value} is not an accepted type. Expected one of ${all}.`,
  );
}

function needSignal(value) {
  if (value === undefined || value === null) return;
  if (!require('sw:events').isSignal(value)) throw noSignal(value);
}

function addressOf(input) {
  const url = parseUrl(input);
  if (url.username !== '' || url.password !== '') {
    throw wrong(
      `Request cannot be constructed from a URL that includes credentials: ${input}`,
    );
  }
  return url.href;
}

function methodOf(method) {
  const upper = method.toUpperCase();
  if (!TOKEN.test(method)) {
    throw wrong(`'${method}' is not a valid HTTP method.`);
  }
  if (FORBIDDEN.has(upper)) {
    throw wrong(`'${method}' HTTP method is unsupported.`);
  }
  return UPPER.has(upper) ? upper : method;
}

function referrerOf(text, otherwise) {
  if (text === undefined) return otherwise;
  if (text === '') return '';
  const { href, origin } = parseUrl(
    text,
    () => `Referrer "${text}" is not a valid URL.`,
  );
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
    need(1, arguments.length, 'Request constructor');
    const from = Request.#is(input) ? input : undefined;
    const given = from ?? `${input}`;
    const options = readInit(init);
    this.#fields = Request.#read(from, given, options);
    needSignal(options.signal);
    this.#signal = Request.#signalOf(from, options.signal);
    this.#headers =
      options.headers === undefined && from
        ? copyHeaders(from.#headers)
        : makeHeaders(options.headers);
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
      throw wrong("'window' option 'client' must be null");
    }
    fields.referrer = referrerOf(options.referrer, base.referrer);
    if (options.mode === 'navigate') {
      throw wrong('Request constructor: invalid request mode navigate.');
    }
    for (const name of Object.keys(DEFAULTS)) {
      fields[name] = options[name] ?? base[name] ?? DEFAULTS[name];
    }
    if (fields.cache === 'only-if-cached' && fields.mode !== 'same-origin') {
      throw wrong("'only-if-cached' can be set only with 'same-origin' mode");
    }
    fields.integrity = options.integrity ?? base.integrity;
    fields.keepalive = options.keepalive ?? base.keepalive;
    if (options.method !== undefined) fields.method = methodOf(options.method);
    return fields;
  }

  static #signalOf(from, given) {
    const { AbortSignal } = require('sw:events');
    const source = given === undefined ? from?.#signal : given;
    if (source === undefined || source === null) return AbortSignal.any([]);
    return AbortSignal.any([source]);
  }

  #takeBody(from, options) {
    const given = options.body ?? null;
    const inherited = from?.#body ?? null;
    if ((given ?? inherited) !== null && WITHOUT_BODY.has(this.method)) {
      throw wrong('Request with GET/HEAD method cannot have body.');
    }
    if (given !== null) {
      const { body, type } = extractBody(given, this.keepalive);
      if (body.isStream && options.duplex === undefined) {
        throw wrong(
          'RequestInit: duplex option is required when sending a body.',
        );
      }
      this.#body = body;
      if (type !== undefined && !this.#headers.has('content-type')) {
        this.#headers.append('content-type', type);
      }
    } else if (inherited !== null && options.body === undefined) {
      if (inherited.isUnusable) {
        throw wrong(
          'Cannot construct a Request with a Request object that has already been used.',
        );
      }
      this.#body = inherited.move();
    }
  }

  get method() {
    if (!(#fields in this)) throw illegal();
    return this.#fields.method;
  }

  get url() {
    if (!(#fields in this)) throw illegal();
    return this.#fields.url;
  }

  get headers() {
    if (!(#fields in this)) throw illegal();
    return this.#headers;
  }

  get destination() {
    if (!(#fields in this)) throw illegal();
    return '';
  }

  get referrer() {
    if (!(#fields in this)) throw illegal();
    return this.#fields.referrer;
  }

  get referrerPolicy() {
    if (!(#fields in this)) throw illegal();
    return this.#fields.referrerPolicy;
  }

  get mode() {
    if (!(#fields in this)) throw illegal();
    return this.#fields.mode;
  }

  get credentials() {
    if (!(#fields in this)) throw illegal();
    return this.#fields.credentials;
  }

  get cache() {
    if (!(#fields in this)) throw illegal();
    return this.#fields.cache;
  }

  get redirect() {
    if (!(#fields in this)) throw illegal();
    return this.#fields.redirect;
  }

  get integrity() {
    if (!(#fields in this)) throw illegal();
    return this.#fields.integrity;
  }

  get keepalive() {
    if (!(#fields in this)) throw illegal();
    return this.#fields.keepalive;
  }

  get isReloadNavigation() {
    if (!(#fields in this)) throw illegal();
    return false;
  }

  get isHistoryNavigation() {
    if (!(#fields in this)) throw illegal();
    return false;
  }

  get signal() {
    if (!(#fields in this)) throw illegal();
    return this.#signal;
  }

  get duplex() {
    if (!(#fields in this)) throw illegal();
    return 'half';
  }

  clone() {
    if (!(#fields in this)) throw illegal();
    if (this.#body?.isUnusable) {
      throw wrong('unusable');
    }
    const copy = new Request(this.url);
    copy.#fields = { ...this.#fields };
    copy.#headers = copyHeaders(this.#headers);
    copy.#signal = Request.#signalOf(this, undefined);
    if (this.#body !== null) copy.#body = this.#body.tee();
    return copy;
  }

  static inside(request) {
    if (!Request.#is(request)) throw illegal();
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
inspectableMembers(Request, [
  'method',
  'url',
  'headers',
  'destination',
  'referrer',
  'referrerPolicy',
  'mode',
  'credentials',
  'cache',
  'redirect',
  'integrity',
  'keepalive',
  'isReloadNavigation',
  'isHistoryNavigation',
  'signal',
]);

module.exports = { Request };
