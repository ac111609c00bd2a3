'use strict';

const { fromBytes, sizeOf, toBytes, toViewBytes } = require('./bytes.js');
const {
  invalidType,
  invalidValue,
  needBoolean,
  needObject,
  needString,
} = require('./errors.js');
const { digestId } = require('./hash.js');
const { isKeyObject, handleOf, makePublic } = require('./keys.js');
const { openssl } = require('./natives.js');
const { since } = require('../versions.js');
const { inspectSymbol } = require('../webidl.js');

const FLAGS = {
  NO_WILDCARDS: 2,
  NO_PARTIAL_WILDCARDS: 4,
  MULTI_LABEL_WILDCARDS: 8,
  SINGLE_LABEL_SUBDOMAINS: 16,
  ALWAYS_CHECK_SUBJECT: 1,
  NEVER_CHECK_SUBJECT: 32,
};

function flagsOf(options = {}) {
  needObject(options, 'options');
  const {
    subject = 'default',
    wildcards = true,
    partialWildcards = true,
    multiLabelWildcards = false,
    singleLabelSubdomains = false,
  } = options;
  needString(subject, 'options.subject');
  if (!['default', 'always', 'never'].includes(subject)) {
    throw invalidValue('options.subject', subject);
  }
  needBoolean(wildcards, 'options.wildcards');
  needBoolean(partialWildcards, 'options.partialWildcards');
  needBoolean(multiLabelWildcards, 'options.multiLabelWildcards');
  needBoolean(singleLabelSubdomains, 'options.singleLabelSubdomains');
  let flags = 0;
  if (subject === 'always') flags |= FLAGS.ALWAYS_CHECK_SUBJECT;
  if (subject === 'never') flags |= FLAGS.NEVER_CHECK_SUBJECT;
  if (!wildcards) flags |= FLAGS.NO_WILDCARDS;
  if (!partialWildcards) flags |= FLAGS.NO_PARTIAL_WILDCARDS;
  if (multiLabelWildcards) flags |= FLAGS.MULTI_LABEL_WILDCARDS;
  if (singleLabelSubdomains) flags |= FLAGS.SINGLE_LABEL_SUBDOMAINS;
  return flags;
}

const fingerprintOf = (native, hash) =>
  fromBytes(openssl.x509Digest(native, digestId(hash)))
    .toString('hex')
    .toUpperCase()
    .match(/../g)
    .join(':');

/** The names as TLS shows them: values of one kind as a list. */
function namesAsObject(native, isSubject) {
  const list = openssl.x509Names(native, isSubject);
  const names = Object.create(null);
  for (let at = 0; at < list.length; at += 2) {
    const [name, value] = [list[at], list[at + 1]];
    if (names[name] === undefined) names[name] = value;
    else names[name] = [names[name], value].flat();
  }
  return names;
}

class X509Certificate {
  #native;
  #kept = new Map();

  constructor(buffer) {
    this.#native = openssl.x509Read(toViewBytes(buffer, 'buffer'));
  }

  #keep(name, read) {
    if (!this.#kept.has(name)) this.#kept.set(name, read(this.#native));
    return this.#kept.get(name);
  }

  #text(name) {
    return this.#keep(name, (native) => openssl.x509Text(native, name));
  }

  [inspectSymbol](depth, options) {
    if (depth < 0) return this;
    const shown = {
      subject: this.subject,
      subjectAltName: this.subjectAltName,
      issuer: this.issuer,
      infoAccess: this.infoAccess,
      validFrom: this.validFrom,
      validTo: this.validTo,
      validFromDate: this.validFromDate,
      validToDate: this.validToDate,
      fingerprint: this.fingerprint,
      fingerprint256: this.fingerprint256,
      fingerprint512: this.fingerprint512,
      keyUsage: this.keyUsage,
      serialNumber: this.serialNumber,
    };
    const { inspect } = require('node:util');
    const inner = {
      ...options,
      depth: options.depth === null ? null : options.depth - 1,
    };
    return `X509Certificate ${inspect(shown, inner)}`;
  }

  get subject() {
    return this.#text('subject');
  }

  get subjectAltName() {
    return this.#text('subjectAltName');
  }

  get issuer() {
    return this.#text('issuer');
  }

  get issuerCertificate() {
    return undefined;
  }

  get infoAccess() {
    return this.#text('infoAccess');
  }

  get validFrom() {
    return this.#text('validFrom');
  }

  get validTo() {
    return this.#text('validTo');
  }

  #facts() {
    return this.#keep('facts', openssl.x509Facts);
  }

  get validFromDate() {
    return new Date(this.#facts()[1] * 1000);
  }

  get validToDate() {
    return new Date(this.#facts()[2] * 1000);
  }

  get fingerprint() {
    return this.#keep('sha1', (native) => fingerprintOf(native, 'sha1'));
  }

  get fingerprint256() {
    return this.#keep('sha256', (native) => fingerprintOf(native, 'sha256'));
  }

  get fingerprint512() {
    return this.#keep('sha512', (native) => fingerprintOf(native, 'sha512'));
  }

  get keyUsage() {
    return this.#keep('usages', openssl.x509Usages);
  }

  get serialNumber() {
    return this.#text('serialNumber');
  }

  get signatureAlgorithm() {
    return this.#text('signatureAlgorithm');
  }

  get signatureAlgorithmOid() {
    return this.#text('signatureAlgorithmOid');
  }

  get raw() {
    return this.#keep('raw', (native) => fromBytes(openssl.x509Raw(native)));
  }

  get publicKey() {
    return this.#keep('key', (native) => makePublic(openssl.x509Key(native)));
  }

  toString() {
    return this.#text('pem');
  }

  // JSON has no standard form: it is the PEM.
  toJSON() {
    return this.toString();
  }

  get ca() {
    return this.#facts()[0];
  }

  checkHost(name, options) {
    needString(name, 'name');
    return openssl.x509Match(this.#native, 'host', name, flagsOf(options));
  }

  checkEmail(email, options) {
    needString(email, 'email');
    return openssl.x509Match(this.#native, 'email', email, flagsOf(options));
  }

  checkIP(ip, _options) {
    needString(ip, 'ip');
    return openssl.x509Match(this.#native, 'ip', ip, 0);
  }

  checkIssued(other) {
    if (!X509Certificate.#is(other)) {
      throw invalidType('otherCert', 'X509Certificate', other);
    }
    return openssl.x509IssuedBy(this.#native, other.#native);
  }

  checkPrivateKey(key) {
    if (!isKeyObject(key)) throw invalidType('pkey', 'KeyObject', key);
    if (key.type !== 'private') throw invalidValue('pkey', key);
    return openssl.x509Fits(this.#native, handleOf(key));
  }

  verify(key) {
    if (!isKeyObject(key)) throw invalidType('pkey', 'KeyObject', key);
    if (key.type !== 'public') throw invalidValue('pkey', key);
    return openssl.x509Verify(this.#native, handleOf(key));
  }

  toLegacyObject() {
    const native = this.#native;
    const handle = openssl.x509Key(native);
    const legacy = {
      subject: namesAsObject(native, true),
      issuer: namesAsObject(native, false),
    };
    if (this.subjectAltName !== undefined) {
      legacy.subjectaltname = this.subjectAltName;
    }
    const access = this.infoAccess;
    if (access !== undefined) legacy.infoAccess = accessAsObject(access);
    legacy.ca = this.ca;
    Object.assign(legacy, legacyKey(handle));
    Object.assign(legacy, {
      valid_from: this.validFrom,
      valid_to: this.validTo,
      fingerprint: this.fingerprint,
      fingerprint256: this.fingerprint256,
      fingerprint512: this.fingerprint512,
    });
    if (this.keyUsage !== undefined) legacy.ext_key_usage = this.keyUsage;
    legacy.serialNumber = this.serialNumber;
    legacy.raw = this.raw;
    if (!since(24)) return legacy;
    return Object.fromEntries(LEGACY.map((name) => [name, legacy[name]]));
  }

  static #is(value) {
    return typeof value === 'object' && value !== null && #native in value;
  }
}

// Older ones lack some.
const LACKING = [
  ...(since(22, 10) ? [] : ['validFromDate', 'validToDate']),
  ...(since(24, 9) ? [] : ['signatureAlgorithm', 'signatureAlgorithmOid']),
];
for (const name of LACKING) delete X509Certificate.prototype[name];

// Since 24 each certificate has all of them, in this order.
const LEGACY = [
  ...['subject', 'issuer', 'subjectaltname', 'infoAccess', 'ca', 'modulus'],
  ...['exponent', 'pubkey', 'bits', 'valid_from', 'valid_to', 'fingerprint'],
  ...['fingerprint256', 'fingerprint512', 'ext_key_usage', 'serialNumber'],
  ...['raw', 'asn1Curve', 'nistCurve'],
];

function accessAsObject(text) {
  const all = Object.create(null);
  for (const line of text.split('\n').filter(Boolean)) {
    const [, name, value] = /^([^:]*):(.*)$/.exec(line) ?? [null, line, ''];
    (all[name] ??= []).push(value.startsWith('"') ? JSON.parse(value) : value);
  }
  return all;
}

const NIST = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
  secp224r1: 'P-224',
};

function legacyKey(handle) {
  const kind = openssl.keyKind(handle);
  const bits = openssl.keyBits(handle);
  const hex = (name) =>
    fromBytes(openssl.keyNumber(handle, name)).toString('hex');
  if (kind === 'rsa') {
    return {
      modulus: hex('n').toUpperCase(),
      bits,
      exponent: `0x${BigInt(`0x${hex('e')}`).toString(16)}`,
      pubkey: fromBytes(
        openssl.keyWrite(handle, false, 0, 1, undefined, undefined),
      ),
    };
  }
  if (kind === 'ec') {
    const group = openssl.keyText(handle, 'group');
    return {
      bits,
      pubkey: fromBytes(openssl.keyOctets(handle, 'pub')),
      asn1Curve: group,
      ...(NIST[group] && { nistCurve: NIST[group] }),
    };
  }
  return {};
}

// ---- SPKAC

const spkacBytes = (spkac, encoding) => toBytes(spkac, 'spkac', encoding);

function part(spkac, encoding, name) {
  const bytes = spkacBytes(spkac, encoding);
  const found = openssl.spkac(bytes, name);
  return typeof found === 'string' ? found : fromBytes(found);
}

function Certificate() {
  if (!(this instanceof Certificate)) return new Certificate();
}

const spkacMethods = {
  verifySpkac(spkac, encoding) {
    const bytes = spkacBytes(spkac, encoding);
    return sizeOf(bytes) === 0 ? '' : openssl.spkac(bytes, 'verify');
  },
  exportPublicKey: (spkac, encoding) => part(spkac, encoding, 'key'),
  exportChallenge: (spkac, encoding) => part(spkac, encoding, 'challenge'),
};
Object.assign(Certificate.prototype, spkacMethods);
Object.assign(Certificate, spkacMethods);

module.exports = { Certificate, X509Certificate };
