'use strict';

const { nodeError } = require('../node-error.js');
const { unreadable } = require('./errors.js');

const { Buffer } = require('node:buffer');

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/g;

/** The first block that is not just parameters. */
function read(text) {
  const all = typeof text === 'string' ? text : Buffer.from(text).toString();
  for (const [, label, body] of all.matchAll(BLOCK)) {
    if (label.endsWith(' PARAMETERS')) continue;
    if (label.startsWith('ENCRYPTED') || body.includes(':')) {
      throw nodeError(
        Error,
        'ERR_OSSL_UNSUPPORTED',
        'Encrypted private keys are not read in a worker isolate; decrypt it with the owner’s node:crypto',
      );
    }
    return { label, bytes: Uint8Array.from(Buffer.from(body, 'base64')) };
  }
  throw unreadable();
}

function write(label, bytes) {
  const lines = Buffer.from(bytes)
    .toString('base64')
    .match(/.{1,64}/g);
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

module.exports = { read, write };
