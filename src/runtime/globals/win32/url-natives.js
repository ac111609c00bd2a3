'use strict';

// internalBinding('url') by a library, for Windows, whose Node shows no ada
// (src/isolate/bindings/url.cc has the same functions over it). Only the binary
// for Windows has this bundle.

const usm = require('whatwg-url/lib/url-state-machine.js');

const { wellFormed } = require('../lib/usv-string.js');

const OMITTED = 0xffff_ffff;
const SCHEMES = ['http', '', 'https', 'ws', 'ftp', 'wss', 'file'];
const NOT_SPECIAL = 1;

const urlComponents = new Uint32Array(9);

const textOf = (url) => usm.serializeURL(url);
const hostOf = (url) => (url.host === null ? '' : usm.serializeHost(url.host));
const hasCredentials = ({ username, password }) =>
  username !== '' || password !== '';

/** The places where the parts of a URL begin in its text, and its text. */
function write(url) {
  const { scheme, port, username, password, query, fragment } = url;
  const text = textOf(url);
  const type = SCHEMES.indexOf(scheme);
  const protocolEnd = scheme.length + 1;
  let at = protocolEnd;
  let usernameEnd = at;
  let hostStart = at;
  let hostEnd = at;
  if (url.host !== null) {
    usernameEnd = at + 2 + username.length;
    hostStart = usernameEnd + (password === '' ? 0 : password.length + 1);
    hostEnd = hostStart + hostOf(url).length + (hasCredentials(url) ? 1 : 0);
    at = hostEnd + (port === null ? 0 : `${port}`.length + 1);
  } else if (text.startsWith('/.//', at)) {
    at += 2;
  }
  const pathEnd = at + usm.serializePath(url).length;
  const searchEnd = pathEnd + (query === null ? 0 : query.length + 1);
  urlComponents.set([
    ...[protocolEnd, usernameEnd, hostStart, hostEnd, port ?? OMITTED, at],
    query === null ? OMITTED : pathEnd,
    fragment === null ? OMITTED : searchEnd,
    type === -1 || scheme === '' ? NOT_SPECIAL : type,
  ]);
  return text;
}

const parsed = (text, baseURL = null) =>
  usm.basicURLParse(wellFormed(text), { baseURL });

function parsedWith(text, base) {
  if (typeof base !== 'string') return parsed(text);
  const baseURL = parsed(base);
  return baseURL === null ? null : parsed(text, baseURL);
}

function invalid(members) {
  const error = new TypeError('Invalid URL');
  return Object.assign(error, { code: 'ERR_INVALID_URL', ...members });
}

function parse(text, base, raises) {
  const url = parsedWith(text, base);
  if (url !== null) return write(url);
  if (raises !== true) return undefined;
  const input = wellFormed(text);
  throw invalid(
    typeof base === 'string' ? { input, base: wellFormed(base) } : { input },
  );
}

const run = (url, text, stateOverride) =>
  usm.basicURLParse(text, { url, stateOverride });
const isOpaque = (url) => usm.hasAnOpaquePath(url);
const isHostless = (url) => usm.cannotHaveAUsernamePasswordPort(url);

function setPort(url, text) {
  if (isHostless(url)) return;
  if (text === '') url.port = null;
  else run(url, text, 'port');
}

function setPath(url, text) {
  if (isOpaque(url)) return;
  url.path = [];
  run(url, text, 'path start');
}

// `query` or `fragment`, without its mark.
function setAfter(name, mark) {
  return (url, text) => {
    url[name] = text === '' ? null : '';
    if (text !== '') run(url, text[0] === mark ? text.slice(1) : text, name);
  };
}

// Setters by the number of the part, as Node's text counts them.
const SETTERS = [
  (url, text) => run(url, `${text}:`, 'scheme start'),
  (url, text) => isOpaque(url) || run(url, text, 'host'),
  (url, text) => isOpaque(url) || run(url, text, 'hostname'),
  setPort,
  (url, text) => isHostless(url) || usm.setTheUsername(url, text),
  (url, text) => isHostless(url) || usm.setThePassword(url, text),
  setPath,
  setAfter('query', '?'),
  setAfter('fragment', '#'),
];
const HREF = 9;

function update(href, part, text) {
  const url = parsed(part === HREF ? text : href);
  if (url === null) return false;
  if (part !== HREF) SETTERS[part](url, wellFormed(text));
  return write(url);
}

const unicodeOf = (host) =>
  host.includes('xn--') ? require('sw:idna').toUnicode(host).domain : host;

function format(href, hash, unicode, search, auth) {
  const url = parsed(href);
  if (url === null) return href;
  if (!hash) url.fragment = null;
  if (!search) url.query = null;
  if (!auth) {
    url.username = '';
    url.password = '';
  }
  const text = textOf(url);
  const host = hostOf(url);
  if (!unicode || host === '') return text;
  const start = write(url) && urlComponents[2] + (hasCredentials(url) ? 1 : 0);
  return `${text.slice(0, start)}${unicodeOf(host)}${text.slice(start + host.length)}`;
}

function domainToASCII(host) {
  if (host === '') return '';
  const url = parsed('ws://x');
  return run(url, wellFormed(host), 'hostname') === null ? '' : hostOf(url);
}

function getOrigin(text) {
  const url = parsed(text);
  if (url === null) throw invalid({});
  return usm.serializeURLOrigin(url);
}

// Characters that a file's name may have and a URL's path has not.
const ESCAPED = /[\0\t\n\r "#%?[\]^|~]/g;
const escape = (char) =>
  `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

function pathToFileURL(path, windows, host) {
  const url = parsed('file://');
  const escaped = path.replace(ESCAPED, escape);
  setPath(url, wellFormed(windows ? escaped : escaped.replaceAll('\\', '%5C')));
  if (
    windows &&
    typeof host === 'string' &&
    run(url, wellFormed(host), 'hostname') === null
  ) {
    throw invalid({ input: wellFormed(path) });
  }
  return write(url);
}

module.exports = {
  canParse: (text, base) => parsedWith(text, base) !== null,
  domainToASCII,
  domainToUnicode: (host) => unicodeOf(domainToASCII(host)),
  format,
  getOrigin,
  parse,
  pathToFileURL,
  /** The function of internalBinding('encoding_binding'). */
  toASCII: (name) => require('sw:idna').toASCII(name, {}) ?? '',
  toUnicode: unicodeOf,
  update,
  urlComponents,
};
