'use strict';

const { isDigit, isSpace, skip } = require('../base/scan.js');
const { INSPECTOR } = require('../options/option-sets.js');

const { host, port: portRow } = INSPECTOR.rows;
const LOOPBACK = host.fallback;
const DEFAULT_PORT = portRow.fallback;
const MAX_DIGITS = 5;
const SEPARATORS = [58, 91, 93];

const isOfName = (code) => !isSpace(code) && !SEPARATORS.includes(code);

function hostOf(text) {
  const isV6 = text.startsWith('[') && text.endsWith(']');
  const name = isV6 ? text.slice(1, -1) : text;
  const end = isV6 ? name.indexOf(']') : skip(name, 0, isOfName);
  const isWhole = isV6 ? end < 0 : end === name.length;
  return isWhole && name !== '' ? name : undefined;
}

/**
 * @param {string} text `[host:]port`; an IPv6 address stands in brackets
 * @returns {{ host: string, port: number } | undefined}
 */
function parseAddress(text) {
  const colon = text.lastIndexOf(':');
  const digits = text.slice(colon + 1);
  const isPort =
    digits !== '' &&
    digits.length <= MAX_DIGITS &&
    skip(digits, 0, isDigit) === digits.length;
  const host = colon < 0 ? LOOPBACK : hostOf(text.slice(0, colon));
  if (!isPort || host === undefined) return undefined;
  const port = Number(digits);
  return port > portRow.most ? undefined : { host, port };
}

module.exports = { DEFAULT_PORT, LOOPBACK, parseAddress };
