'use strict';

// Cases for internalBinding('url') and the names of ('encoding_binding').
const { internalBinding } = require('internal/test/binding');

const mine = internalBinding('url');
const SCHEMES = [
  'http:',
  'https:',
  'HTTP:',
  'file:',
  'ws:',
  'wss:',
  'ftp:',
  'blob:',
  'mailto:',
  'data:',
  'javascript:',
  'foo:',
  'x-y.z+1:',
  '',
  '1:',
  ':',
];
const SLASHES = ['//', '//', '//', '/', '', '///', '\\\\'];
const USERS = ['', '', '', 'u@', 'u:p@', ':@', ':p@', 'ü:%20@', 'a@b@'];
const HOSTS = [
  'a',
  'example.com',
  'EXÄMPLE.com',
  '127.0.0.1',
  '0x7f.1',
  '256.1',
  '[::1]',
  '[1::',
  '',
  'xn--espaol-zwa.com',
  'español.com',
  'a b',
  'a%62',
  '中文',
  '%zz',
  'faß.de',
  'xn--a',
  'a\u00adb',
  '😀.com',
  'localhost',
  '.',
  'a..b',
  'ａ',
];
const PORTS = ['', '', '', ':80', ':8080', ':x', ':65536', ':0', ':'];
const PATHS = [
  '',
  '/',
  '/a/../b',
  '/a b',
  '/%2e%2E/x',
  '/é',
  '/C:/x',
  '//x',
  '/.//y',
  'a/b',
  '/\ud800',
  '/a;b=c',
  '/{}|^`',
];
const SEARCHES = ['', '', '?', '?a=b c', '?é\'"', '?#', '?a=1&b=2'];
const HASHES = ['', '', '#', '#a b', '#é`', '#\0'];

const text = (random) =>
  random.below(20) === 0
    ? random.pick([' ', '\t\n', 'a'.repeat(3000), '\ud800', ' http://a\n/b '])
    : [SCHEMES, SLASHES, USERS, HOSTS, PORTS, PATHS, SEARCHES, HASHES]
        .map((list) => random.pick(list))
        .join('');
const part = (random) =>
  random.pick(
    [
      HOSTS,
      PORTS,
      PATHS,
      SEARCHES,
      HASHES,
      SCHEMES,
      USERS,
      ['', '8080', '80', '80x', 'http', 'x', '99999', 'a:1', 'a:b@c'],
    ][random.below(8)],
  );

function withParts(call) {
  return (natives) => {
    const result = call(natives);
    // They are what they were before if there is no result.
    return typeof result === 'string'
      ? `${JSON.stringify(result)} ${natives.urlComponents.join()}`
      : result;
  };
}

function parse(random) {
  const input = text(random);
  const base = random.below(2) === 0 ? undefined : text(random);
  const raise = random.below(2) === 0;
  return withParts((natives) => natives.parse(input, base, raise));
}

function canParse(random) {
  const input = text(random);
  const base = random.below(2) === 0 ? [] : [text(random)];
  return (natives) => natives.canParse(input, ...base);
}

function href(random) {
  for (;;) {
    const made = mine.parse(text(random), undefined, false);
    if (made !== undefined) return made;
  }
}

function update(random) {
  const from = href(random);
  const action = random.below(10);
  const value = random.below(5) === 0 ? text(random) : part(random);
  return withParts((natives) => natives.update(from, action, value));
}

function format(random) {
  const from = href(random);
  const flags = [0, 1, 2, 3].map(() => random.below(2) === 0);
  return (natives) => natives.format(from, ...flags);
}

function domain(name) {
  return (random) => {
    const host = random.below(4) === 0 ? part(random) : random.pick(HOSTS);
    return (natives) => natives[name](host);
  };
}

function origin(random) {
  const input = text(random);
  return (natives) => natives.getOrigin(input);
}

function pathToFileURL(random) {
  // It is absolute.
  let path = '/';
  const length = random.below(12);
  for (let i = 0; i < length; i++)
    path +=
      random.below(3) === 0
        ? random.pick(PATHS)
        : String.fromCharCode(random.below(128));
  const windows = random.below(2) === 0;
  const host =
    windows && random.below(2) === 0
      ? [random.pick(['a', 'server', 'EXÄMPLE.com', '127.1'])]
      : [];
  return withParts((natives) => natives.pathToFileURL(path, windows, ...host));
}

const URLS = {
  parse,
  canParse,
  update,
  format,
  domainToASCII: domain('domainToASCII'),
  domainToUnicode: domain('domainToUnicode'),
};
if (mine.getOrigin !== undefined) URLS.getOrigin = origin;
if (mine.pathToFileURL !== undefined) URLS.pathToFileURL = pathToFileURL;
const NAMES = { toASCII: domain('toASCII'), toUnicode: domain('toUnicode') };

exports.makeCases = function* makeCases() {
  for (const [title, make] of Object.entries(URLS))
    yield { name: 'url', title, make };
  for (const [title, make] of Object.entries(NAMES))
    yield { name: 'encoding_binding', title, make };
};
