'use strict';

/* global host, load */
const feross = require('buffer/');

const { unsupported } = require('../lib/unsupported.js');

const { Buffer, INSPECT_MAX_BYTES, SlowBuffer, kMaxLength } = feross;
const { apply } = Reflect;
const own = {
  byteLength: Buffer.byteLength,
  from: Buffer.from,
  isEncoding: Buffer.isEncoding,
  toString: Buffer.prototype.toString,
  write: Buffer.prototype.write,
};
// Below this the way into C++ costs more than the work.
const NATIVE_FROM = 32;

const low = (encoding) => `${encoding}`.toLowerCase();
const isUrl64 = (encoding) =>
  typeof encoding === 'string' && low(encoding) === 'base64url';
const isUtf8Name = (encoding) =>
  encoding === undefined || /^utf-?8$/i.test(encoding);
const plain64 = (encoding) => (isUrl64(encoding) ? 'base64' : encoding);

// The library decodes both alphabets and only lacks the name.
function toUrl64(text) {
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function hidden(name, value) {
  Object.defineProperty(Buffer.prototype, name, {
    value,
    writable: true,
    configurable: true,
  });
}

function wrap(bytes) {
  return Object.setPrototypeOf(bytes, Buffer.prototype);
}

const replacements = {
  byteLength(value, encoding) {
    return own.byteLength(value, plain64(encoding));
  },
  from(value, encoding, length) {
    if (typeof value !== 'string') {
      return apply(own.from, Buffer, [value, encoding, length]);
    }
    if (isUtf8Name(encoding) && value.length >= NATIVE_FROM) {
      return wrap(host.utf8Encode(value));
    }
    return own.from(value, plain64(encoding));
  },
  isEncoding(encoding) {
    return isUrl64(encoding) || own.isEncoding(encoding);
  },
};
for (const [name, value] of Object.entries(replacements)) {
  Object.defineProperty(Buffer, name, {
    value,
    writable: true,
    configurable: true,
    enumerable: true,
  });
}

Buffer.prototype.toString = function toString(encoding, start, end) {
  if (isUrl64(encoding)) {
    return toUrl64(apply(own.toString, this, ['base64', start, end]));
  }
  if (isUtf8Name(encoding)) {
    const part =
      start === undefined && end === undefined
        ? this
        : this.subarray(Math.max(start | 0, 0), end);
    if (part.length >= NATIVE_FROM) return host.utf8Decode(part, false, true);
  }
  return apply(own.toString, this, [encoding, start, end]);
};
Buffer.prototype.toLocaleString = Buffer.prototype.toString;
// A character is written wholly or not at all, which the library does not see
// to.
Buffer.prototype.write = function write(text, ...rest) {
  const encoding = rest.find((each) => typeof each === 'string');
  const [offset = 0, length = Number.POSITIVE_INFINITY] = rest.filter(
    (each) => typeof each === 'number',
  );
  if (typeof text === 'string' && offset >= 0 && offset <= this.length) {
    const room = Math.min(length, this.length - offset);
    if (isUtf8Name(encoding)) {
      return host.utf8EncodeInto(text, this.subarray(offset, offset + room))[1];
    }
    if (/^(ucs-?2|utf-?16le)$/i.test(encoding)) {
      const whole = room - (room % 2);
      return apply(own.write, this, [text, offset, whole, encoding]);
    }
  }
  return apply(own.write, this, [text, ...rest.map(plain64)]);
};

// Node's further methods, which packages call in inner loops.
for (const [name, encoding] of [
  ['ascii', 'ascii'],
  ['base64', 'base64'],
  ['base64url', 'base64url'],
  ['hex', 'hex'],
  ['latin1', 'latin1'],
  ['ucs2', 'utf16le'],
  ['utf8', 'utf8'],
]) {
  hidden(`${name}Slice`, function slice(start, end) {
    return this.toString(encoding, start, end);
  });
  hidden(`${name}Write`, function write(text, offset = 0, length = undefined) {
    return this.write(text, offset, length ?? this.length - offset, encoding);
  });
}
for (const name of Object.keys(Buffer.prototype)) {
  if (/BigUInt64/.test(name)) {
    hidden(name.replace('UInt', 'Uint'), Buffer.prototype[name]);
  }
}

// Removed, because packages recognize npm's Buffer by these marks and prefer
// Node's.
delete Buffer.prototype._isBuffer;
delete Buffer.TYPED_ARRAY_SUPPORT;
Buffer.isBuffer = (value) => value instanceof Buffer;

Buffer.copyBytesFrom = (view, offset = 0, length = view.length - offset) => {
  const part = view.subarray(offset, offset + length);
  const bytes = new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
  return wrap(bytes.slice());
};

function bytesOf(value) {
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  // Loaded by the question alone: a Buffer that arrives needs none of it.
  const { types } = require('sw:inspect');
  if (types.isAnyArrayBuffer(value)) return new Uint8Array(value);
  throw new TypeError('The "input" argument is no buffer');
}

const isUtf8 = (value) =>
  host.utf8Decode(bytesOf(value), true, true) !== undefined;
const isAscii = (value) => bytesOf(value).every((byte) => byte < 0x80);

module.exports = {
  Buffer,
  INSPECT_MAX_BYTES,
  SlowBuffer,
  constants: { MAX_LENGTH: kMaxLength, MAX_STRING_LENGTH: 536_870_888 },
  isAscii,
  isUtf8,
  kMaxLength,
  kStringMaxLength: 536_870_888,
  resolveObjectURL: unsupported('buffer', 'resolveObjectURL'),
  transcode: unsupported('buffer', 'transcode'),
};

for (const [name, bundle] of [
  ['Blob', 'blob'],
  ['File', 'blob'],
  ['atob', 'base64'],
  ['btoa', 'base64'],
]) {
  Object.defineProperty(module.exports, name, {
    get: () => load(bundle)[name],
    enumerable: true,
  });
}
