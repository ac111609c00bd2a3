'use strict';

const { CryptoKey, copyKey, isKey, keyObjectIn, makeKey, slotsOf } =
  require('sw:keys');
const { handleOf, makePrivate, makePublic, makeSecret, secretBytes } =
  require('sw:keys');

const { since } = require('../versions.js');
const { domException } = require('./common.js');

/** The value that natives know a key by: its bytes, or its handle. */
function innerOf(key) {
  const object = keyObjectIn(key);
  return secretBytes(object) ?? handleOf(object);
}

function secretKey(algorithm, bytes, extractable, usages) {
  return makeKey(makeSecret(bytes), algorithm, extractable, usages);
}

function asymmetricKey(type, algorithm, handle, extractable, usages) {
  const object = type === 'private' ? makePrivate(handle) : makePublic(handle);
  return makeKey(object, algorithm, extractable, usages);
}

function needKey(key, where) {
  if (!isKey(key)) throw new TypeError(`${where}: not a CryptoKey`);
}

/** The keys of a pair, put together as this Node does it. */
function pairOf(privateKey, publicKey, isPrivateFirst = false) {
  if (since(24)) return { publicKey, privateKey };
  return isPrivateFirst
    ? { __proto__: null, privateKey, publicKey }
    : { __proto__: null, publicKey, privateKey };
}

/** The value that natives know a key by, if it may be used so. */
function useKey(key, algorithm, usage) {
  needKey(key, `SubtleCrypto.${usage}`);
  const { name } = slotsOf(key).algorithm;
  const may = slotsOf(key).usages.includes(usage);
  const isDerived = usage === 'deriveKey' || usage === 'deriveBits';
  // Older Nodes have one message for both.
  if (!isDerived && !since(24) && (name !== algorithm || !may)) {
    throw domException(
      usage === 'sign' || usage === 'verify'
        ? `Unable to use this key to ${usage}`
        : 'The requested operation is not valid for the provided key',
      'InvalidAccessError',
    );
  }
  if (isDerived && !may) {
    throw domException(
      `baseKey does not have ${usage} usage`,
      'InvalidAccessError',
    );
  }
  if (name !== algorithm) {
    throw domException('Key algorithm mismatch', 'InvalidAccessError');
  }
  if (!may) {
    throw domException(
      `Unable to use this key to ${usage}`,
      'InvalidAccessError',
    );
  }
  return innerOf(key);
}

/** The same of a key of this type. */
function useHalf(key, algorithm, usage, type) {
  const inner = useKey(key, algorithm, usage);
  if (key.type === type) return inner;
  throw domException(
    type === 'private'
      ? 'Key must be a private key'
      : 'Key must be a public key',
    'InvalidAccessError',
  );
}

/** Refuses usages that the algorithm has not, and secrets without any. */
function checkUsages(usages, allowed, needed, kind = undefined) {
  if (usages.some((usage) => !allowed.includes(usage))) {
    const what = kind === undefined ? '' : ` for ${kind} key`;
    throw domException(`Unsupported key usage${what}`, 'SyntaxError');
  }
  if (needed) needPrivateUsages(usages);
}

/** The check of imported keys' usages, which comes before their data. */
const usageCheck = (usages, ofPrivate, ofPublic, kind) => (isPrivate) =>
  checkUsages(usages, isPrivate ? ofPrivate : ofPublic, false, kind);

const needPrivateUsages = (usages) =>
  needUsages(usages, 'Usages cannot be empty when importing a private key.');

const CREATING = 'Usages cannot be empty when creating a key.';
const IMPORTING = 'Usages cannot be empty when importing a secret key.';

function needUsages(usages, message = CREATING) {
  if (usages.length > 0) return;
  throw domException(message, 'SyntaxError');
}

module.exports = {
  CryptoKey,
  IMPORTING,
  asymmetricKey,
  checkUsages,
  copyKey,
  innerOf,
  isKey,
  needKey,
  needPrivateUsages,
  needUsages,
  pairOf,
  secretKey,
  slotsOf,
  usageCheck,
  useHalf,
  useKey,
};
