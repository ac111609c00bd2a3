'use strict';

/* global host */
const { BASE64, LATIN1, textOf } = require('../lib/byte-codecs.js');
const { need } = require('../lib/webidl.js');

const SPACE = /[\t\n\f\r ]+/g;

function invalid(message) {
  const { DOMException } = require('sw:events');
  return new DOMException(message, 'InvalidCharacterError');
}

function btoa(data) {
  need(1, arguments.length, 'btoa');
  const text = `${data}`;
  if (/[^\0-\xff]/.test(text)) throw invalid('Invalid character');
  const bytes = new Uint8Array(text.length);
  host.writeText(text, bytes, LATIN1, 0, text.length);
  return textOf(bytes, BASE64, 0, text.length);
}

function stripped(data) {
  const text = data.replace(SPACE, '');
  if (text.length % 4 !== 0) return text;
  if (text.endsWith('==')) return text.slice(0, -2);
  return text.endsWith('=') ? text.slice(0, -1) : text;
}

function atob(data) {
  need(1, arguments.length, 'atob');
  const text = stripped(`${data}`);
  if (text.length % 4 === 1) {
    throw invalid('The string to be decoded is not correctly encoded.');
  }
  const size = Math.floor((text.length * 3) / 4);
  const bytes = new Uint8Array(size);
  // The host knows the other alphabet too, and passes over padding.
  if (/[-_=]/.test(text) || host.writeText(text, bytes, BASE64, 0, size) < 0) {
    throw invalid('Invalid character');
  }
  return textOf(bytes, LATIN1, 0, size);
}

module.exports = { atob, btoa };
