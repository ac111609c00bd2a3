'use strict';
// internalBinding('icu'): decoders and widths of texts are ICU's where Node
// shows it. Elsewhere, as on Windows, legacy encodings are a library's, with
// their tables. transcode() is our own.

/* global host, load */
const FLUSH = 1;
const FATAL = 2;
const IGNORE_BOM = 4;

// ICU has them not either.
const UNKNOWN = ['iso-8859-16', 'replacement', 'x-user-defined'];

const ILLEGAL_ARGUMENT = 1;
const INVALID_CHAR = 10;
const ERROR_NAMES = {
  __proto__: null,
  [ILLEGAL_ARGUMENT]: 'U_ILLEGAL_ARGUMENT_ERROR',
  [INVALID_CHAR]: 'U_INVALID_CHAR_FOUND',
};

const REPLACEMENT = '\ufffd';
const NONE = new Uint8Array(0);

const coded = (code, message) =>
  Object.assign(new TypeError(message), { code });

function bytesOf(input) {
  if (ArrayBuffer.isView(input)) {
    return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  }
  const { isAnyArrayBuffer } = load('library').moduleOf('internal/util/types');
  if (isAnyArrayBuffer(input)) return new Uint8Array(input);
  throw coded(
    'ERR_INVALID_ARG_TYPE',
    'The "input" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.',
  );
}

// Bytes at the end that more bytes may make a character of (Unicode, table
// 3-7).
function unfinished(bytes) {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back += 1) {
    const lead = bytes[length - back];
    if (lead < 0x80) return 0;
    if (lead < 0xc0) continue;
    if (lead < 0xc2 || lead > 0xf4) return 0;
    const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (back >= size) return 0;
    if (back === 1) return 1;
    const second = bytes[length - back + 1];
    const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    return second >= low && second <= high ? back : 0;
  }
  return 0;
}

// Serves up to Node 22, where the text does not do it for UTF-8 in pieces.
class Utf8Converter {
  #decode;
  #fatal;
  #ignoreBOM;
  #held = NONE;
  #begun = false;

  constructor(decode, flags) {
    this.#decode = decode;
    this.#fatal = (flags & FATAL) !== 0;
    this.#ignoreBOM = (flags & IGNORE_BOM) !== 0;
  }

  decode(input, isLast) {
    let bytes = input;
    if (this.#held.length > 0) {
      bytes = new Uint8Array(this.#held.length + input.length);
      bytes.set(this.#held);
      bytes.set(input, this.#held.length);
    }
    const rest = isLast ? 0 : unfinished(bytes);
    this.#held = rest === 0 ? NONE : bytes.slice(bytes.length - rest);
    const whole = bytes.subarray(0, bytes.length - rest);
    const keepsMark = this.#ignoreBOM || this.#begun;
    this.#begun = !isLast && (this.#begun || whole.length > 0);
    return this.#decode(whole, keepsMark, this.#fatal);
  }
}

class LegacyConverter {
  #decoder;

  constructor(encoding, flags) {
    const { TextDecoder } = load('encoding-library');
    this.#decoder = new TextDecoder(encoding, {
      fatal: (flags & FATAL) !== 0,
      ignoreBOM: (flags & IGNORE_BOM) !== 0,
    });
  }

  decode(bytes, isLast) {
    return this.#decoder.decode(bytes, { stream: !isLast });
  }
}

const OWN = {
  getConverter(encoding, flags) {
    if (encoding !== 'utf-8') return new LegacyConverter(encoding, flags);
    const { decodeUTF8 } = host.binding('encoding_binding');
    return new Utf8Converter(decodeUTF8, flags);
  },
  decode(converter, bytes, isLast) {
    try {
      return converter.decode(bytes, isLast);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return undefined;
    }
  },
};

const decodeWith = (decoders) => (converter, input, flags, encoding) => {
  const bytes = bytesOf(input);
  const text = decoders.decode(converter, bytes, (flags & FLUSH) !== 0);
  if (text !== undefined) return text;
  throw coded(
    'ERR_ENCODING_INVALID_ENCODED_DATA',
    `The encoded data was not valid for encoding ${encoding}`,
  );
};

// The readers of a text, with lone surrogates as they are.
const READ = {
  __proto__: null,
  ascii: (bytes) => bytes.latin1Slice().replace(/[\x80-\xff]/g, REPLACEMENT),
  latin1: (bytes) => bytes.latin1Slice(),
  utf16le: (bytes) => bytes.ucs2Slice(),
  utf8: (bytes) => bytes.utf8Slice(),
};

const WRITE = {
  __proto__: null,
  ascii: (text) => text.replace(/[^\0-\x7f]/gu, '?'),
  latin1: (text) => text.replace(/[^\0-\xff]/gu, '?'),
  utf16le: (text) => text.replace(/\p{Surrogate}/gu, REPLACEMENT),
  utf8: (text) => text,
};

/** The work of ICU, of which Node asks for four encodings. */
function transcode({ Buffer, isUtf8 }, source, from, to) {
  if (READ[from] === undefined || WRITE[to] === undefined) {
    return ILLEGAL_ARGUMENT;
  }
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.length);
  // Only these two ways know that what they read is wrong.
  if (from === 'utf8' && to === 'utf16le' && !isUtf8(bytes)) {
    return INVALID_CHAR;
  }
  const isWidened = from === 'ascii' && to === 'utf16le';
  const text = READ[isWidened ? 'latin1' : from](bytes);
  if (from === 'utf16le' && to === 'utf8' && /\p{Surrogate}/u.test(text)) {
    return INVALID_CHAR;
  }
  return Buffer.from(WRITE[to](text), to);
}

// The widths of Unicode 17. V8's expressions know all classes of characters but
// those that are wide without being emoji.
const WIDE =
  '\\u{1100}-\\u{115f}\\u{2329}-\\u{232a}\\u{2630}-\\u{2637}' +
  '\\u{268a}-\\u{268f}\\u{2e80}-\\u{2e99}\\u{2e9b}-\\u{2ef3}' +
  '\\u{2f00}-\\u{2fd5}\\u{2ff0}-\\u{303e}\\u{3041}-\\u{3096}' +
  '\\u{3099}-\\u{30ff}\\u{3105}-\\u{312f}\\u{3131}-\\u{318e}' +
  '\\u{3190}-\\u{31e5}\\u{31ef}-\\u{321e}\\u{3220}-\\u{3247}' +
  '\\u{3250}-\\u{a48c}\\u{a490}-\\u{a4c6}\\u{a960}-\\u{a97c}' +
  '\\u{ac00}-\\u{d7a3}\\u{f900}-\\u{faff}\\u{fe10}-\\u{fe19}' +
  '\\u{fe30}-\\u{fe52}\\u{fe54}-\\u{fe66}\\u{fe68}-\\u{fe6b}' +
  '\\u{ff01}-\\u{ff60}\\u{ffe0}-\\u{ffe6}\\u{16fe0}-\\u{16fe4}' +
  '\\u{16ff0}-\\u{16ff6}\\u{17000}-\\u{18cd5}\\u{18cff}-\\u{18d1e}' +
  '\\u{18d80}-\\u{18df2}\\u{1aff0}-\\u{1aff3}\\u{1aff5}-\\u{1affb}' +
  '\\u{1affd}-\\u{1affe}\\u{1b000}-\\u{1b122}\\u{1b132}' +
  '\\u{1b150}-\\u{1b152}\\u{1b155}\\u{1b164}-\\u{1b167}' +
  '\\u{1b170}-\\u{1b2fb}\\u{1d300}-\\u{1d356}\\u{1d360}-\\u{1d376}' +
  '\\u{1f200}\\u{1f202}\\u{1f210}-\\u{1f219}\\u{1f21b}-\\u{1f22e}' +
  '\\u{1f230}-\\u{1f231}\\u{1f237}\\u{1f23b}\\u{1f240}-\\u{1f248}' +
  '\\u{1f260}-\\u{1f265}\\u{20000}-\\u{2fffd}\\u{30000}-\\u{3fffd}';
let wide;
let invisible;

/** Stands in for ICU on Windows, whose Node does not show it. */
function getStringWidth(text) {
  wide ??= new RegExp(`[\\p{Emoji_Presentation}${WIDE}]`, 'u');
  invisible ??= /(?!\xad)[\p{Cc}\p{Cf}\p{Me}\p{Mn}]/u;
  let width = 0;
  for (const character of text) {
    if (wide.test(character)) width += 2;
    else if (!invisible.test(character)) width += 1;
  }
  return width;
}

/** @param {(id: string) => object} require of Node's library */
function makeIcu(require, { convertersOf, widthsOf }) {
  const version = Number.parseInt(host.process.versions?.icu, 10);
  const widths = widthsOf(version) ?? { getStringWidth };
  const decoders = convertersOf(version) ?? OWN;
  return {
    decode: decodeWith(decoders),
    getStringWidth: widths.getStringWidth,
    getConverter: (encoding, flags) =>
      UNKNOWN.includes(encoding)
        ? undefined
        : decoders.getConverter(encoding, flags),
    icuErrName: (number) => ERROR_NAMES[number],
    transcode: (source, from, to) =>
      transcode(require('buffer'), source, from, to),
  };
}

module.exports = { makeIcu };
