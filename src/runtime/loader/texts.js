'use strict';

/**
 * Questions about texts, by methods that no program can replace.
 *
 * @param {object} builtins see builtins.js
 */
function createTexts({ charCodeAt, lastIndexOf, substring, textIndexOf }) {
  const startsWith = (text, start) =>
    substring(text, 0, start.length) === start;
  const endsWith = (text, end) =>
    text.length >= end.length &&
    substring(text, text.length - end.length) === end;
  const includes = (text, part) => textIndexOf(text, part) >= 0;

  return {
    charCodeAt,
    endsWith,
    includes,
    indexOf: textIndexOf,
    lastIndexOf,
    startsWith,
    substring,

    /** @param {string} text @param {string[]} ends */
    endsWithAny(text, ends) {
      for (let i = 0; i < ends.length; ++i) {
        if (endsWith(text, ends[i])) return true;
      }
      return false;
    },

    /** @param {string} text @param {string} part @param {string} other */
    replaceAll(text, part, other) {
      let done = '';
      let rest = text;
      for (;;) {
        const at = textIndexOf(rest, part);
        if (at < 0) return done + rest;
        done += substring(rest, 0, at) + other;
        rest = substring(rest, at + part.length);
      }
    },

    /** Whether a name of a file has only what its URL also has. */
    isPlain(name) {
      for (let i = 0; i < name.length; ++i) {
        const code = charCodeAt(name, i);
        const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
        // Digits, and the . and / before them.
        const isOther = code >= 0x2d && code <= 0x39;
        if (!isLetter && !isOther && name[i] !== '_') return false;
      }
      return true;
    },

    /** Whether a path of a URL has / or \\ in a name. */
    hasEncodedSlash(pathname) {
      for (let i = 0; i + 2 < pathname.length; ++i) {
        if (pathname[i] !== '%') continue;
        const code = pathname[i + 1] + pathname[i + 2];
        if (code === '2f' || code === '2F' || code === '5c' || code === '5C') {
          return true;
        }
      }
      return false;
    },

    /** Without query and fragment. */
    withoutSuffix(url) {
      for (let i = 0; i < url.length; ++i) {
        if (url[i] === '?' || url[i] === '#') return substring(url, 0, i);
      }
      return url;
    },

    /**
     * The scheme of a URL in small letters; of one letter, it is a drive's name
     * on Windows and no scheme. @returns {string | undefined}
     */
    schemeOf(text) {
      let scheme = '';
      let start = 0;
      while (start < text.length && charCodeAt(text, start) <= 0x20) start += 1;
      for (let i = start; i < text.length; ++i) {
        const code = charCodeAt(text, i) | 0x20;
        const isLetter = code >= 0x61 && code <= 0x7a;
        if (isLetter) scheme += LETTERS[code - 0x61];
        else if (text[i] === ':') return scheme === '' ? undefined : scheme;
        else if (scheme !== '' && isLater(text[i])) scheme += text[i];
        else return undefined;
      }
      return undefined;
    },
  };
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const isLater = (c) =>
  (c >= '0' && c <= '9') || c === '+' || c === '.' || c === '-';

module.exports = { createTexts };
