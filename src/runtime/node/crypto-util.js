'use strict';
// The part of Node's internal/crypto/util that the Web Cryptography API's
// conversions take (internal/crypto/webidl).

/* global load */
const { bytesOf } = require('../globals/lib/buffer-source.js');

const LARGEST = 2 ** 31 - 1;

function operationError(message) {
  const { DOMException } = load('events');
  return new DOMException(message, 'OperationError');
}

/** The number of big-endian bytes. */
function bigIntArrayToUnsignedInt(bytes) {
  let number = 0;
  for (const byte of bytes) number = number * 256 + byte;
  if (number <= 0xffff_ffff) return number;
  throw operationError(
    'algorithm.publicExponent must fit in an unsigned 32-bit integer',
  );
}

const isFips = () => load('openssl').openssl.isFips();

function cryptoUtil() {
  const { since } = require('../globals/lib/versions.js');
  const sizeOf = (source) => bytesOf(source, true).byteLength;
  return {
    bigIntArrayToUnsignedInt,
    getBufferSourceByteLength: sizeOf,
    getBufferSourceBytes: (source) => bytesOf(source, true),
    getDataViewOrTypedArrayBuffer: (view) => bytesOf(view, true).buffer,
    getHashes: () => load('node:crypto').getHashes(),
    isFips,
    kKeyObject: load('keys').kKeyObject,
    kNamedCurveAliases: {
      'P-256': 'prime256v1',
      'P-384': 'secp384r1',
      'P-521': 'secp521r1',
    },
    numBitsToBytes: (bits) => Math.ceil(bits / 8),
    validateKmacKeyLength(length) {
      if (length % 8 === 0 && length >= 32) return;
      if (!since(26) && !isFips()) return;
      const { DOMException } = load('events');
      throw new DOMException('Invalid key length', 'NotSupportedError');
    },
    validateMaxBufferLength(source, name, most = LARGEST) {
      if (sizeOf(source) <= most) return;
      throw operationError(
        since(24)
          ? `${name} must be at most ${most} bytes`
          : `${name} must be less than ${most + 1} bits`,
      );
    },
  };
}

module.exports = { cryptoUtil };
