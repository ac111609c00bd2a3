'use strict';

// The options in which keys are given and wanted.

const { fromBytes, isTextOrBytes, toBytes } = require('./bytes.js');
const { cryptoError, invalidValue, needObject } = require('./errors.js');
const { Form, Format, openssl } = require('./natives.js');
const { exportRaw, isRaw } = require('./raw-keys.js');
const { since } = require('../versions.js');

const incompatible = (encoding, reason) =>
  cryptoError(
    'INCOMPATIBLE_KEY_OPTIONS',
    `The selected key encoding ${encoding} ${reason}.`,
  );

const named = (name, object) =>
  object === undefined ? `options.${name}` : `${object}.${name}`;

function formatOf(text, standard, option) {
  if (text === undefined && standard !== undefined) return standard;
  if (text === 'pem' || text === 'der' || text === 'jwk') return text;
  throw invalidValue(option, text);
}

const RAW_TYPES = [undefined, 'compressed', 'uncompressed'];

// Of generated keys.
function readRawOutput({ format, type, cipher, passphrase }, isPublic, object) {
  if ((format === 'raw-public') !== isPublic) {
    throw invalidValue(named('format', object), format);
  }
  if (!(isPublic ? RAW_TYPES : [undefined]).includes(type)) {
    throw invalidValue(named('type', object), type);
  }
  const isSecret = cipher !== undefined && cipher !== null;
  if (!isPublic && (isSecret || passphrase !== undefined)) {
    throw incompatible('raw format', 'does not support encryption');
  }
  return { format, type };
}

function formOf(text, isNeeded, kind, isPublic, option) {
  if (text === undefined && !isNeeded) return undefined;
  if (text === 'pkcs1') {
    if (kind !== undefined && kind !== 'rsa') {
      throw incompatible(text, 'can only be used for RSA keys');
    }
    return text;
  }
  if (text === 'spki' && isPublic !== false) return text;
  if (text === 'pkcs8' && isPublic !== true) return text;
  if (text === 'sec1' && isPublic !== true) {
    if (kind !== undefined && kind !== 'ec') {
      throw incompatible(text, 'can only be used for EC keys');
    }
    return text;
  }
  throw invalidValue(option, text);
}

function read(options, kind, isPublic, object) {
  needObject(options, 'options');
  const isInput = kind === undefined;
  if (!isInput && isRaw(options.format)) {
    return readRawOutput(options, isPublic, object);
  }
  const format = formatOf(
    options.format,
    isInput ? 'pem' : undefined,
    named('format', object),
  );
  const isNeeded = (!isInput || format === 'der') && format !== 'jwk';
  const type = formOf(
    options.type,
    isNeeded,
    kind,
    isPublic,
    named('type', object),
  );
  if (isPublic === true) return { format, type };
  const { cipher, passphrase, encoding } = options;
  if (!isInput) checkCipher(cipher, passphrase, format, type, object);
  const isWrong = isInput
    ? passphrase !== undefined && !isTextOrBytes(passphrase)
    : cipher !== undefined && cipher !== null && !isTextOrBytes(passphrase);
  if (isWrong) throw invalidValue(named('passphrase', object), passphrase);
  const secret =
    passphrase === undefined
      ? undefined
      : toBytes(passphrase, 'key.passphrase', encoding);
  return { format, type, cipher, passphrase: secret };
}

function checkCipher(cipher, passphrase, format, type, object) {
  if (cipher !== undefined && cipher !== null) {
    if (typeof cipher !== 'string') {
      throw invalidValue(named('cipher', object), cipher);
    }
    if (format === 'der' && (type === 'pkcs1' || type === 'sec1')) {
      throw incompatible(type, 'does not support encryption');
    }
  } else if (passphrase !== undefined) {
    const reason = 'is required when a passphrase is specified';
    throw invalidValue(
      named('cipher', object),
      cipher,
      since(24) ? reason : undefined,
    );
  }
}

/** The encoding of a key that is given, as the key says. */
const readInput = (options, isPublic, name = 'key') =>
  read(options, undefined, isPublic, since(24) ? name : undefined);

/** The form in which a key is wanted. */
const readOutput = (options, kind, isPublic, object = undefined) =>
  read(
    options,
    kind,
    isPublic,
    object === undefined ? undefined : `options.${object}`,
  );

/** PEM as text, DER as a Buffer. */
function writeKey(handle, isPrivate, { format, type, cipher, passphrase }) {
  if (isRaw(format)) return exportRaw(handle, format, type);
  const written = openssl.keyWrite(
    handle,
    isPrivate,
    Format[format],
    Form[type],
    cipher ?? undefined,
    passphrase,
  );
  return typeof written === 'string' ? written : fromBytes(written);
}

module.exports = {
  incompatible,
  readInput,
  readOutput,
  writeKey,
};
