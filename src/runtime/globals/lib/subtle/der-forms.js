'use strict';

// SPKI and PKCS #8 of crypto.subtle.

const { Form, Format, openssl } = require('../crypto/natives.js');
const { dataError, domException } = require('./common.js');
const { since } = require('../versions.js');

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
 * @param {(isPrivate: boolean) => void} check what comes before its data
 * @returns {[string, object] | undefined} type and native; undefined for
 *   another format
 */
function readDer(format, bytes, kinds, check = () => {}) {
  if (!(format in FORMS)) return undefined;
  const isPrivate = format === 'pkcs8';
  check(isPrivate);
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
  }
  throw noExport(format, key);
}

// Whether the form is one that the other key of the pair has.
function isOfOtherType(format, name) {
  if (format === 'spki' || format === 'pkcs8') return since(24);
  const isRaw = format === 'raw' || format === 'raw-public';
  return since(26) && isRaw && !name.startsWith('RSA');
}

/** The error of a key that has no such form. */
function noExport(format, { algorithm: { name }, type }) {
  if (type !== 'secret' && isOfOtherType(format, name)) {
    const wanted = format === 'pkcs8' ? 'private' : 'public';
    return domException(`Key must be a ${wanted} key`, 'InvalidAccessError');
  }
  if (since(22)) {
    return domException(
      `Unable to export ${name} ${type} key using ${format} format`,
      'NotSupportedError',
    );
  }
  const form = format === 'pkcs8' ? format : 'raw';
  return domException(
    `Unable to export a ${form} ${name} ${type} key`,
    'InvalidAccessError',
  );
}

const shared = {
  /** The native of a JWK whose members were checked. */
  jwk: (importJwk, jwk, isPublic) => attempt(() => importJwk(jwk, isPublic)),
};

module.exports = { attempt, noExport, readDer, shared, writeDer };
