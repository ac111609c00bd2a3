'use strict';

// The material of public and private keys of node:crypto:
//   { kind: 'rsa', numbers }
//   { kind: 'ec', curve: 'P-256' …, secret?, point }
//   { kind: 'ed25519' | 'x25519', secret?, point }

const { invalidValue, unreadable } = require('./errors.js');

const rsaKeys = () => require('sw:rsa').keys;
const curves = () => require('sw:curves');

function kindOf({ kind, curve }) {
  return curves().kindOf[kind]({ namedCurve: curve });
}

const isPrivate = (material) =>
  material.secret !== undefined || material.numbers?.d !== undefined;

function publicOf(material) {
  if (material.kind === 'rsa') {
    const numbers = rsaKeys().publicPart(material.numbers);
    return { kind: 'rsa', numbers };
  }
  const { kind, curve, point } = material;
  return { kind, curve, point };
}

function onCurve(kind, curve, { secret, point }) {
  const { check, isSecret, publicOf: derive } = kindOf({ kind, curve });
  if (secret === undefined) return { kind, curve, point: check(point) };
  if (!isSecret(secret)) throw unreadable();
  return { kind, curve, secret, point: derive(secret) };
}

const NODE_CURVES = {
  'P-256': 'prime256v1',
  'P-384': 'secp384r1',
  'P-521': 'secp521r1',
};

/** As KeyObject.asymmetricKeyDetails. */
function details({ kind, curve, numbers }) {
  if (kind === 'ec') return { namedCurve: NODE_CURVES[curve] };
  if (kind !== 'rsa') return {};
  const modulusLength = rsaKeys().bitsOf(numbers.n);
  return { modulusLength, publicExponent: numbers.e };
}

/** A NIST curve by any of its names. */
function namedCurve(name) {
  const found = Object.entries(NODE_CURVES).find((names) =>
    names.includes(name),
  );
  if (found) return found[0];
  if (name === 'secp256r1') return 'P-256';
  throw invalidValue('options.namedCurve', name);
}

module.exports = {
  curves,
  details,
  isPrivate,
  kindOf,
  namedCurve,
  onCurve,
  publicOf,
  rsaKeys,
};
