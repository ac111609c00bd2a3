'use strict';

// RSA keys as numbers, and the forms in which they travel. A public key is
// { n, e }, a private one has d, p, q, dp, dq and qi as well; all BigInts.

const { dataError, fromBase64Url, toBase64Url } = require('./common.js');
const der = require('./der.js');

const { element, elementsIn, partOf } = der;

const RSA = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
const PUBLIC = ['n', 'e'];
const PRIVATE = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'];

function toNumber(bytes) {
  let text = '0x0';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return BigInt(text);
}

/** Big-endian, without leading zeros. */
function toBytes(number) {
  const text = number.toString(16);
  const even = text.length % 2 === 0 ? text : `0${text}`;
  return Uint8Array.from(even.match(/../g), (byte) => parseInt(byte, 16));
}

const bitsOf = (number) => number.toString(2).length;

function checked(numbers) {
  const { n, e, d } = numbers;
  const isPublic = n > 1n && n % 2n === 1n && e > 1n && e % 2n === 1n && e < n;
  const isPair =
    d === undefined || (d > 1n && d < n && numbers.p * numbers.q === n);
  if (!isPublic || !isPair) throw dataError('Invalid key data');
  return numbers;
}

function writeInteger(number) {
  const bytes = toBytes(number);
  return element(der.INTEGER, bytes[0] > 127 ? [0, ...bytes] : bytes);
}

function readIntegers(bytes, names, skipped) {
  const parts = elementsIn(partOf(bytes, [0, der.SEQUENCE])).slice(skipped);
  const numbers = {};
  names.forEach((name, index) => {
    if (parts[index]?.tag !== der.INTEGER) throw dataError('Invalid key data');
    numbers[name] = toNumber(parts[index].body);
  });
  return checked(numbers);
}

const isPrivate = (numbers) => numbers.d !== undefined;
const publicPart = ({ n, e }) => ({ n, e });

const readPkcs1 = {
  public: (bytes) => readIntegers(bytes, PUBLIC, 0),
  // The first is the version.
  private: (bytes) => readIntegers(bytes, PRIVATE, 1),
};

/** PKCS #1: RSAPublicKey or RSAPrivateKey. */
function writePkcs1(numbers) {
  const names = isPrivate(numbers) ? PRIVATE : PUBLIC;
  const all = names.map((name) => writeInteger(numbers[name]));
  const version = isPrivate(numbers) ? [element(der.INTEGER, [0])] : [];
  return Uint8Array.from(element(der.SEQUENCE, ...version, ...all));
}

const algorithm = () =>
  element(der.SEQUENCE, element(der.OBJECT_ID, RSA), element(der.NULL));

function writeSpki(numbers) {
  const bits = element(der.BIT_STRING, [0], writePkcs1(publicPart(numbers)));
  return Uint8Array.from(element(der.SEQUENCE, algorithm(), bits));
}

function writePkcs8(numbers) {
  const version = element(der.INTEGER, [0]);
  const inner = element(der.OCTET_STRING, writePkcs1(numbers));
  return Uint8Array.from(element(der.SEQUENCE, version, algorithm(), inner));
}

function checkAlgorithm(bytes, at) {
  const oid = partOf(
    bytes,
    [0, der.SEQUENCE],
    [at, der.SEQUENCE],
    [0, der.OBJECT_ID],
  );
  if (`${[...oid]}` !== `${RSA}`) throw dataError('Invalid key data: not RSA');
}

function readSpki(bytes) {
  checkAlgorithm(bytes, 0);
  const bits = partOf(bytes, [0, der.SEQUENCE], [1, der.BIT_STRING]);
  return readPkcs1.public(bits.subarray(1));
}

function readPkcs8(bytes) {
  checkAlgorithm(bytes, 1);
  const inner = partOf(bytes, [0, der.SEQUENCE], [2, der.OCTET_STRING]);
  return readPkcs1.private(inner);
}

function writeJwk(numbers) {
  const jwk = { kty: 'RSA' };
  for (const name of isPrivate(numbers) ? PRIVATE : PUBLIC) {
    jwk[name] = toBase64Url(toBytes(numbers[name]));
  }
  return jwk;
}

function readJwk(jwk) {
  const numbers = {};
  for (const name of jwk.d === undefined ? PUBLIC : PRIVATE) {
    numbers[name] = toNumber(fromBase64Url(jwk[name], name));
  }
  return checked(numbers);
}

module.exports = {
  bitsOf,
  isPrivate,
  publicPart,
  readJwk,
  readPkcs1,
  readPkcs8,
  readSpki,
  toBytes,
  toNumber,
  writeJwk,
  writePkcs1,
  writePkcs8,
  writeSpki,
};
