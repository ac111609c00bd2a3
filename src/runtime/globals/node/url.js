'use strict';

/* global host */
const legacy = require('url/');

const { invalidArgument, nodeError } = require('../lib/node-error.js');

const { URL, URLSearchParams, isURL } = require('sw:url');

const windows = () => host.process.platform === 'win32';
const ESCAPES = {
  '%': '%25',
  '\\': '%5C',
  '\n': '%0A',
  '\r': '%0D',
  '\t': '%09',
  '?': '%3F',
  '#': '%23',
  // No URL needs these to be escaped; Node does.
  '[': '%5B',
  ']': '%5D',
  '^': '%5E',
  '|': '%7C',
  '~': '%7E',
};

function fileURLToPath(input, options = undefined) {
  const url = typeof input === 'string' ? new URL(input) : input;
  if (typeof url?.href !== 'string' || typeof url.pathname !== 'string') {
    throw invalidArgument(
      'path',
      'of type string or an instance of URL',
      input,
    );
  }
  if (url.protocol !== 'file:') {
    throw nodeError(
      TypeError,
      'ERR_INVALID_URL_SCHEME',
      'The URL must be of scheme file',
    );
  }
  const isWindows = options?.windows ?? windows();
  const bad = isWindows ? /%2f|%5c/i : /%2f/i;
  if (bad.test(url.pathname)) {
    const chars = isWindows ? '\\ or / characters' : '/ characters';
    throw nodeError(
      TypeError,
      'ERR_INVALID_FILE_URL_PATH',
      `File URL path must not include encoded ${chars}`,
    );
  }
  const path = decodeURIComponent(url.pathname);
  if (isWindows) return windowsPath(url, path.replaceAll('/', '\\'));
  if (url.hostname !== '') {
    throw nodeError(
      TypeError,
      'ERR_INVALID_FILE_URL_HOST',
      `File URL host must be "localhost" or empty on ${host.process.platform}`,
    );
  }
  return path;
}

function windowsPath(url, path) {
  if (url.hostname !== '') return `\\\\${domainToUnicode(url.hostname)}${path}`;
  if (!/^\\[a-z]:/i.test(path)) {
    throw nodeError(
      TypeError,
      'ERR_INVALID_FILE_URL_PATH',
      'File URL path must be absolute',
    );
  }
  return path.slice(1);
}

function pathToFileURL(path, options = undefined) {
  const { posix, win32 } = require('node:path');
  const isWindows = options?.windows ?? windows();
  const { resolve } = isWindows ? win32 : posix;
  const isFolder = isWindows ? /[\\/]$/ : /\/$/;
  let resolved = resolve(path);
  if (isFolder.test(path) && !isFolder.test(resolved)) resolved += '/';
  const url = new URL('file:///');
  if (!isWindows) {
    url.pathname = resolved.replace(
      /[%\\\n\r\t?#[\]^|~]/g,
      (char) => ESCAPES[char],
    );
    return url;
  }
  const share = /^\\\\([^\\]+)(\\.*)$/.exec(resolved);
  if (share) url.hostname = share[1];
  const rest = (share ? share[2] : resolved).replaceAll('\\', '/');
  url.pathname = rest.replace(/[%\n\r\t?#[\]^|~]/g, (char) => ESCAPES[char]);
  return url;
}

function domain(name, convert) {
  try {
    const { hostname } = new URL(`ws://${name}`);
    return convert(hostname);
  } catch {
    return '';
  }
}

const domainToASCII = (name) => domain(`${name}`, (ascii) => ascii);
const domainToUnicode = (name) =>
  domain(`${name}`, (ascii) =>
    ascii.includes('xn--') ? require('sw:idna').toUnicode(ascii).domain : ascii,
  );

function urlToHttpOptions(url) {
  const { hostname, port, username, password } = url;
  const options = {
    __proto__: null,
    ...url,
    protocol: url.protocol,
    hostname: hostname?.startsWith('[') ? hostname.slice(1, -1) : hostname,
    hash: url.hash,
    search: url.search,
    pathname: url.pathname,
    path: `${url.pathname || ''}${url.search || ''}`,
    href: url.href,
  };
  if (port !== '') options.port = Number(port);
  if (username || password) {
    options.auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  }
  return options;
}

// The legacy format() takes URL objects too, with options of its own.
function format(url, options = {}) {
  if (!isURL(url)) return legacy.format(url);
  const {
    auth = true,
    fragment = true,
    search = true,
    unicode = false,
  } = options;
  const copy = new URL(url.href);
  if (!fragment) copy.hash = '';
  if (!search) copy.search = '';
  if (!auth) {
    copy.username = '';
    copy.password = '';
  }
  if (!unicode) return copy.href;
  return copy.href.replace(copy.hostname, domainToUnicode(copy.hostname));
}

module.exports = {
  Url: legacy.Url,
  URL,
  URLSearchParams,
  domainToASCII,
  domainToUnicode,
  fileURLToPath,
  format,
  parse: legacy.parse,
  pathToFileURL,
  resolve: legacy.resolve,
  resolveObject: legacy.resolveObject,
  urlToHttpOptions,
};

Object.defineProperty(module.exports, 'URLPattern', {
  get: () => require('sw:urlpattern').URLPattern,
  enumerable: true,
});
