'use strict';

const { Format } = require('./format.js');
const { moduleError } = require('./module-error.js');

const START = 'data:'.length;
const JAVASCRIPT = ['text/javascript', 'application/javascript'];
const BASE64 = ';base64';
const SMALL = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Modules that are the text of their URL, as Node reads them.
 *
 * @param {object} natives isolate/modules/loader_natives.cc
 * @param {object} texts see texts.js
 * @param {boolean} queryIsText
 */
function createDataUrls(natives, texts, queryIsText) {
  const { charCodeAt, endsWith, indexOf, substring } = texts;

  // Letters of ASCII only, because the types are of no other.
  function lowerCase(text) {
    let lower = '';
    for (let i = 0; i < text.length; ++i) {
      const code = charCodeAt(text, i);
      lower += code >= 0x41 && code <= 0x5a ? SMALL[code - 0x41] : text[i];
    }
    return lower;
  }

  function withoutHash(url) {
    const at = indexOf(url, '#');
    return at < 0 ? url : substring(url, 0, at);
  }

  function trimmed(text) {
    let start = 0;
    let end = text.length;
    while (start < end && text[start] === ' ') start += 1;
    while (end > start && text[end - 1] === ' ') end -= 1;
    return substring(text, start, end);
  }

  function formatOf(type) {
    if (type === 'application/json') return Format.Json;
    const small = trimmed(lowerCase(type));
    return small === JAVASCRIPT[0] || small === JAVASCRIPT[1]
      ? Format.Module
      : Format.Unknown;
  }

  /**
   * @param {string} url
   * @returns {{ format: number, type: string, text: string }}
   */
  return function readDataUrl(url) {
    const path = substring(texts.withoutSuffix(url), START);
    const comma = indexOf(path, ',');
    const head = substring(path, 0, comma < 0 ? 0 : comma);
    const semicolon = indexOf(head, ';');
    const type = semicolon < 0 ? head : substring(head, 0, semicolon);
    // Node 20 needs a type, newer ones have none for the text that it is.
    const isText = type === '' && comma >= 0 && queryIsText;
    if (!isText && (indexOf(type, '/') < 1 || endsWith(type, '/'))) {
      throw moduleError('ERR_INVALID_URL', `Invalid URL: ${url}`);
    }
    // Node 20 counts the query out of the text, newer ones do not.
    const whole = queryIsText ? withoutHash(url) : texts.withoutSuffix(url);
    const body = substring(whole, START + comma + 1);
    return {
      format: formatOf(type),
      type,
      text: natives.textOfData(body, endsWith(head, BASE64)),
    };
  };
}

module.exports = { createDataUrls };
