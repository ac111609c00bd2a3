'use strict';

// Keys as bare bytes: 'raw-public', 'raw-private' and 'raw-seed'.

const { fromBytes, isAnyBuffer, isView } = require('./bytes.js');
const {
  invalidType,
  invalidValue,
  nativeError,
  needOneOf,
  needString,
  refused,
} = require('./errors.js');
const { openssl } = require('./natives.js');
const { sinceLate24 } = require('../versions.js');

const FORMATS = ['raw-public', 'raw-private', 'raw-seed'];

/** Whether it is such a format, where this Node has them. */
const isRaw = (format) => FORMATS.includes(format) && sinceLate24();

// The formats that each kind of key has.
const OF_CURVES = ['raw-public', 'raw-private'];
const KINDS = [
  [/^(ec|ed25519|ed448|x25519|x448)$/, OF_CURVES],
  [/^slh-dsa-(sha2|shake)-(128|192|256)[fs]$/, OF_CURVES],
  [/^ml-(dsa-(44|65|87)|kem-(512|768|1024))$/, ['raw-public', 'raw-seed']],
  [/^(rsa|rsa-pss|dsa|dh)$/, []],
];
const formatsOf = (kind) => KINDS.find(([kinds]) => kinds.test(kind))?.[1];

const incompatible = () =>
  refused(
    'INCOMPATIBLE_KEY_OPTIONS',
    'The selected key encoding is incompatible with the key type',
  );
const wrongData = () =>
  nativeError(TypeError, 'ERR_INVALID_ARG_VALUE', 'Invalid key data');

const BYTES = 1;
const TEXT = 2;
// The forms of a point.
const COMPRESSED = 2;
const UNCOMPRESSED = 4;

/** A text is the type of the point that is wanted. */
function exportRaw(handle, format, type = 'uncompressed') {
  const kind = openssl.keyKind(handle);
  if (!formatsOf(kind)?.includes(format)) throw incompatible();
  if (format === 'raw-seed') {
    const seed = openssl.keyOctets(handle, 'seed');
    if (seed === undefined) throw refused('OPERATION_FAILED', 'No seed');
    return fromBytes(seed);
  }
  if (kind !== 'ec') {
    return fromBytes(openssl.keyRaw(handle, format === 'raw-private'));
  }
  if (format === 'raw-private') {
    const size = orderSize(handle);
    const number = fromBytes(openssl.keyNumber(handle, 'priv'));
    const padding = new Uint8Array(size - number.length);
    return number.constructor.concat([padding, number]);
  }
  needOneOf(type, 'options.type', ['compressed', 'uncompressed']);
  const point = openssl.keyOctets(handle, 'pub');
  const group = openssl.keyText(handle, 'group');
  const form = type === 'compressed' ? COMPRESSED : UNCOMPRESSED;
  return fromBytes(openssl.ecdhConvert(point, group, form));
}

const orderSize = (handle) => Math.ceil(openssl.keyBits(handle) / 8);

function ecFrom(bytes, curve, isPrivate) {
  const own = openssl.ecdhNew(curve);
  if (own === undefined) {
    throw refused('INVALID_CURVE', 'Invalid EC curve name', TypeError);
  }
  let point = bytes;
  if (isPrivate) {
    if (openssl.ecdhSetPrivate(own, bytes) !== true) return undefined;
    point = openssl.ecdhPublic(own, UNCOMPRESSED);
  }
  const parts = ['group', TEXT, curve, 'pub', BYTES, point];
  if (isPrivate) parts.push('priv', 0, bytes);
  const handle = openssl.keyMake('EC', isPrivate, parts);
  if (handle === undefined) return undefined;
  return isPrivate && bytes.byteLength !== orderSize(handle)
    ? undefined
    : handle;
}

function handleFrom(kind, bytes, format, curve) {
  if (kind === 'ec') return ecFrom(bytes, curve, format === 'raw-private');
  if (format === 'raw-seed') {
    return openssl.keyMake(kind, true, ['seed', BYTES, bytes]);
  }
  return openssl.keyFromRaw(kind, bytes, format === 'raw-private');
}

/** The native of a key that is given so. */
function readRaw(key, wantsPrivate, name) {
  const { key: data, format, asymmetricKeyType: kind, namedCurve: curve } = key;
  if (wantsPrivate && format === 'raw-public') {
    throw invalidValue(`${name}.format`, format);
  }
  if (!isView(data) && !isAnyBuffer(data)) {
    const classes = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];
    throw invalidType(`${name}.key`, classes, data);
  }
  needString(kind, `${name}.asymmetricKeyType`);
  if (kind === 'ec') needString(curve, `${name}.namedCurve`);
  const formats = formatsOf(kind);
  if (formats === undefined) {
    throw nativeError(
      TypeError,
      'ERR_INVALID_ARG_VALUE',
      `Invalid asymmetricKeyType: ${kind}`,
    );
  }
  if (!formats.includes(format)) throw incompatible();
  const handle = handleFrom(kind, data, format, curve);
  if (handle === undefined) throw wrongData();
  return handle;
}

module.exports = { exportRaw, isRaw, readRaw };
