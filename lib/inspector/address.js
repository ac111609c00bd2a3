'use strict';

const LOOPBACK = '127.0.0.1';
const DEFAULT_PORT = 9230;
const MAX_PORT = 65_535;
const ADDRESS = /^(?:(?:\[([^\]]+)\]|([^:[\]\s]+)):)?(\d{1,5})$/;

/**
 * @param {string} text `[host:]port`; an IPv6 address stands in brackets
 * @returns {{ host: string, port: number } | undefined}
 */
function parseAddress(text) {
  const found = ADDRESS.exec(text);
  if (found === null) return undefined;
  const [, v6, name, digits] = found;
  const port = Number(digits);
  if (port > MAX_PORT) return undefined;
  return { host: v6 ?? name ?? LOOPBACK, port };
}

module.exports = { DEFAULT_PORT, LOOPBACK, MAX_PORT, parseAddress };
