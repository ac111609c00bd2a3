'use strict';
// The clients that may use the endpoint. A page in a browser can send requests
// to this machine: under a name of its own that leads here (DNS rebinding), or
// as a WebSocket, for which browsers ask nobody but tell the page's origin.

const { isIP } = require('node:net');

/** @returns {boolean} localhost or an address, with or without a port */
function isLocalHost(host) {
  if (typeof host !== 'string') return false;
  const name = host.replace(/:\d+$/, '');
  if (name.toLowerCase() === 'localhost') return true;
  const inner = /^\[(.+)\]$/.exec(name);
  return inner === null ? isIP(name) === 4 : isIP(inner[1]) === 6;
}

/** @returns {boolean} of no page: editors send none, DevTools their own */
const isTrustedOrigin = (origin) =>
  origin === undefined || origin.startsWith('devtools://');

/** @returns {boolean} what nobody else can reach, unless it is sent there */
const isLoopback = (host) =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d+){3}$/.test(host);

module.exports = { isLocalHost, isLoopback, isTrustedOrigin };
