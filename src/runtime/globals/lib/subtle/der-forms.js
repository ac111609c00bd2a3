'use strict';

// SPKI and PKCS #8 of crypto.subtle.

const { Form, Format, openssl } = require('../crypto/natives.js');
const { dataError, domException } = require('./common.js');

const FORMS = { spki: Form.spki, pkcs8: Form.pkcs8 };
const INVALID = 'Invalid keyData';

function attempt(work) {
  try {
    return work();
  } catch (cause) {
    throw domException(INVALID, { name: 'DataError', cause });
  }
}

/**
 * @param {string} format
 * @param {Uint8Array} bytes
 * @param {string[]} kinds that it may be of
 * @returns {[string, object] | undefined} type and native; undefined for
 *   another format
 */
function readDer(format, bytes, kinds) {
  if (!(format in FORMS)) return undefined;
  const isPrivate = format === 'pkcs8';
  const handle = attempt(() =>
    openssl.keyRead(bytes, isPrivate, Format.der, FORMS[format], undefined),
  );
  if (!kinds.includes(openssl.keyKind(handle))) {
    throw dataError('Invalid key type');
  }
  return [isPrivate ? 'private' : 'public', handle];
}

/** @throws {DOMException} for a format that such a key has not */
function writeDer(format, key, handle) {
  const isPrivate = key.type === 'private';
  if (format === 'pkcs8' || format === 'spki') {
    if ((format === 'pkcs8') === isPrivate) {
      return openssl.keyWrite(handle, isPrivate, Format.der, FORMS[format])
        .buffer;
    }
    throw domException(
      `Unable to export a ${key.type} key using ${format} format`,
      'InvalidAccessError',
    );
  }
  throw domException(
    `Unable to export ${key.algorithm.name} ${key.type} key using ${format} format`,
    'NotSupportedError',
  );
}

const shared = {
  /** The native of a JWK whose members were checked. */
  jwk: (importJwk, jwk, isPublic) => attempt(() => importJwk(jwk, isPublic)),
};

module.exports = { attempt, readDer, shared, writeDer };
