'use strict';

const { fromBytes } = require('./bytes.js');
const { openssl } = require('./natives.js');

const SHA1 = 'sha1';

const number = (handle, name) =>
  BigInt(`0x${fromBytes(openssl.keyNumber(handle, name, 1)).toString('hex')}`);

/** asymmetricKeyDetails of the kinds that have some. */
function detailsOf(handle, kind) {
  const modulusLength = openssl.keyBits(handle);
  if (kind === 'ec') {
    const namedCurve = openssl.keyText(handle, 'group');
    return namedCurve === undefined ? {} : { namedCurve };
  }
  if (kind === 'dsa') {
    const divisorLength = number(handle, 'q').toString(2).length;
    return { modulusLength, divisorLength };
  }
  const details = { modulusLength, publicExponent: number(handle, 'e') };
  if (kind !== 'rsa-pss') return details;
  // The key is not restricted without one.
  const saltLength = openssl.keyInt(handle, 'saltlen');
  if (saltLength === undefined) return details;
  const digest = (name) => {
    const text = openssl.keyText(handle, name);
    return text === undefined ? SHA1 : (openssl.digestName(text) ?? text);
  };
  details.hashAlgorithm = digest('digest');
  details.mgf1HashAlgorithm = digest('mgf1-digest');
  details.saltLength = saltLength;
  return details;
}

module.exports = { detailsOf };
