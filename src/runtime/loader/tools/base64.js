'use strict';

const DIGITS =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function fromBase64(text) {
  const values = new Uint8Array(128);
  for (let i = 0; i < DIGITS.length; i += 1) {
    values[DIGITS.charCodeAt(i)] = i;
  }
  const length = text.length - (text.endsWith('==') ? 2 : +text.endsWith('='));
  const bytes = new Uint8Array((length * 3) >> 2);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < length; i += 1) {
    held = ((held << 6) | values[text.charCodeAt(i)]) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at] = held >> bits;
      at += 1;
    }
  }
  return bytes;
}

module.exports = { fromBase64 };
