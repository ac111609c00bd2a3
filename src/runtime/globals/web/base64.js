'use strict';

const { need } = require('../lib/webidl.js');

const ALPHABET =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUE = new Int8Array(128).fill(-1);
for (let index = 0; index < 64; index += 1) {
  VALUE[ALPHABET.charCodeAt(index)] = index;
}
const SPACE = /[\t\n\f\r ]+/g;
const PIECE = 8190;

function invalid(message) {
  const { DOMException } = require('sw:events');
  return new DOMException(message, 'InvalidCharacterError');
}

function btoa(data) {
  need(1, arguments.length, 'btoa');
  const text = `${data}`;
  let result = '';
  for (let at = 0; at < text.length; at += 3) {
    const first = text.charCodeAt(at);
    const second = text.charCodeAt(at + 1);
    const third = text.charCodeAt(at + 2);
    if (first > 255 || second > 255 || third > 255) {
      throw invalid('Invalid character');
    }
    const left = text.length - at;
    const bits = (first << 16) | (second << 8) | third;
    result += ALPHABET[bits >> 18] + ALPHABET[(bits >> 12) & 63];
    result += left > 1 ? ALPHABET[(bits >> 6) & 63] : '=';
    result += left > 2 ? ALPHABET[bits & 63] : '=';
  }
  return result;
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
  const codes = [];
  let result = '';
  let bits = 0;
  let held = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const value = code < 128 ? VALUE[code] : -1;
    if (value < 0) throw invalid('Invalid character');
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      codes.push((bits >> held) & 255);
      if (codes.length === PIECE) {
        result += String.fromCharCode(...codes);
        codes.length = 0;
      }
    }
  }
  return result + String.fromCharCode(...codes);
}

module.exports = { atob, btoa };
