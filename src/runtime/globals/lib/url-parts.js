'use strict';

// Parts of a pattern as the URL standard writes them, for the library of
// URLPattern, which has rules of its own for these three.

const { URL } = require('sw:internal/url');

const wrong = (kind, text) => new TypeError(`Invalid ${kind} '${text}'`);

function protocol(text) {
  if (/^(?:[A-Za-z][-+.A-Za-z0-9]*)?$/.test(text)) return text.toLowerCase();
  throw wrong('protocol', text);
}

function hostAfter(start, text) {
  const url = new URL(start);
  url.hostname = text;
  return url.hostname;
}

// A setter says nothing when it fails: then the two differ.
function hostname(text) {
  if (text === '') return text;
  const host = hostAfter('https://a.invalid', text);
  if (host === hostAfter('https://b.invalid', text)) return host;
  throw wrong('hostname', text);
}

function port(text) {
  if (text === '') return text;
  const [digits] = /^\d*/.exec(text.replace(/[\t\n\r]/g, ''));
  const value = Number(digits);
  if (digits === '' || value > 65_535) throw wrong('port', text);
  return `${value}`;
}

// V8 11 has a fault with this flag, of which this is an instance.
const ANY = '[^]+?';
const isFaulty = !new RegExp(`^(${ANY})$`, 'v').test('ab');

/** With sets, as `[[a-z]--a]`; where that is faulty, for sets only. */
function expression(source, { ignoreCase }) {
  const more = ignoreCase ? 'i' : '';
  if (isFaulty) {
    try {
      return new RegExp(source, `u${more}`);
    } catch {}
  }
  return new RegExp(source, `v${more}`);
}

module.exports = { expression, hostname, port, protocol };
