'use strict';

// The parts of ASN.1 that keys use.

const { dataError } = require('./common.js');

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const NULL = 0x05;
const OBJECT_ID = 0x06;
const SEQUENCE = 0x30;
const CURVE_PART = 0xa0;
const PUBLIC_PART = 0xa1;

function element(tag, ...parts) {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const length =
    size < 128
      ? [size]
      : size < 256
        ? [0x81, size]
        : [0x82, size >> 8, size & 255];
  return [tag, ...length, ...parts.flatMap((part) => [...part])];
}

/** The elements side by side in `bytes`: [{ tag, body }, …]. */
function elementsIn(bytes) {
  const found = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at];
    let size = bytes[at + 1];
    at += 2;
    if (size > 0x80) {
      let count = size - 0x80;
      size = 0;
      for (; count > 0; count -= 1) {
        size = size * 256 + bytes[at];
        at += 1;
      }
    }
    if (!(size <= bytes.length - at)) throw dataError('Invalid key data');
    found.push({ tag, body: bytes.subarray(at, at + size) });
    at += size;
  }
  return found;
}

/** Follows indices and tags from the outermost element on. */
function partOf(bytes, ...steps) {
  let body = bytes;
  for (const [index, tag] of steps) {
    const part = elementsIn(body)[index];
    if (part?.tag !== tag) throw dataError('Invalid key data');
    body = part.body;
  }
  return body;
}

function checkAlgorithm(bytes, at, oids) {
  const got = elementsIn(partOf(bytes, [0, SEQUENCE], [at, SEQUENCE]));
  const same =
    got.length === oids.length &&
    oids.every((oid, index) => `${[...got[index].body]}` === `${oid}`);
  if (!same) throw dataError('Invalid key data: another algorithm or curve');
}

const algorithmOf = (oids) =>
  element(SEQUENCE, ...oids.map((oid) => element(OBJECT_ID, oid)));

/**
 * SubjectPublicKeyInfo.
 *
 * @param {number[][]} oids of the algorithm and, where it has one, the curve
 */
function writeSpki(oids, key) {
  const bits = element(BIT_STRING, [0], key);
  return Uint8Array.from(element(SEQUENCE, algorithmOf(oids), bits));
}

function readSpki(oids, bytes) {
  checkAlgorithm(bytes, 0, oids);
  return partOf(bytes, [0, SEQUENCE], [1, BIT_STRING]).slice(1);
}

/** PKCS #8; `point`, of EC keys only, is the public key. */
function writePkcs8(oids, secret, point = undefined) {
  const inner =
    point === undefined
      ? element(OCTET_STRING, secret)
      : element(
          SEQUENCE,
          element(INTEGER, [1]),
          element(OCTET_STRING, secret),
          element(PUBLIC_PART, element(BIT_STRING, [0], point)),
        );
  const version = element(INTEGER, [0]);
  return Uint8Array.from(
    element(SEQUENCE, version, algorithmOf(oids), element(OCTET_STRING, inner)),
  );
}

function readPkcs8(oids, bytes, isEc) {
  checkAlgorithm(bytes, 1, oids);
  const inner = partOf(bytes, [0, SEQUENCE], [2, OCTET_STRING]);
  const secret = isEc
    ? partOf(inner, [0, SEQUENCE], [1, OCTET_STRING])
    : partOf(inner, [0, OCTET_STRING]);
  return secret.slice();
}

module.exports = {
  BIT_STRING,
  CURVE_PART,
  INTEGER,
  NULL,
  OBJECT_ID,
  OCTET_STRING,
  PUBLIC_PART,
  SEQUENCE,
  element,
  elementsIn,
  partOf,
  readPkcs8,
  readSpki,
  writePkcs8,
  writeSpki,
};
