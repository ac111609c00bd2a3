'use strict';

/* global host, load */
const feross = require('buffer/');

const {
  UTF16,
  UTF8,
  bytesOfText,
  encodingOf,
  sizeOf,
  textOf,
} = require('../lib/byte-codecs.js');
const { unsupported } = require('../lib/unsupported.js');

const { Buffer, INSPECT_MAX_BYTES, SlowBuffer, kMaxLength } = feross;
const { apply } = Reflect;
// The library's own, which knows all that is rare or wrong.
const own = {
  byteLength: Buffer.byteLength,
  compare: Buffer.compare,
  concat: Buffer.concat,
  from: Buffer.from,
  isEncoding: Buffer.isEncoding,
};
const put = Function.prototype.call.bind(Uint8Array.prototype.set);
const ownMethods = { ...Buffer.prototype };
// The host's search takes the product of both sizes at worst.
const LONGEST_WANTED = 64;

const isOctets = (value) => value instanceof Uint8Array;
const isUrl64 = (encoding) =>
  typeof encoding === 'string' && encoding.toLowerCase() === 'base64url';
// The library decodes both alphabets and only lacks the name.
const plain64 = (encoding) => (isUrl64(encoding) ? 'base64' : encoding);

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

const make = (size) => wrap(new Uint8Array(size));

function fromText(text, given) {
  const encoding = encodingOf(typeof given === 'string' ? given : undefined);
  if (encoding === undefined) return own.from(text, given);
  const bytes = bytesOfText(text, encoding, make);
  if (bytes !== undefined) return bytes;
  if (encoding === UTF8) return wrap(host.utf8Encode(text));
  return own.from(text, plain64(given));
}

const replacements = {
  byteLength(value, given) {
    const encoding = typeof value === 'string' ? encodingOf(given) : undefined;
    if (encoding === undefined) return own.byteLength(value, plain64(given));
    return sizeOf(value, encoding);
  },
  compare(a, b) {
    if (!isOctets(a) || !isOctets(b)) return own.compare(a, b);
    return host.compareBytes(a, b);
  },
  concat(list, length) {
    if (length !== undefined || !Array.isArray(list) || !list.every(isOctets)) {
      return own.concat(list, length);
    }
    const bytes = make(list.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of list) {
      put(bytes, part, at);
      at += part.length;
    }
    return bytes;
  },
  from(value, encoding, length) {
    if (typeof value === 'string') return fromText(value, encoding);
    return apply(own.from, Buffer, [value, encoding, length]);
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

const methods = {
  toString(given, start, end) {
    const encoding = encodingOf(given || undefined);
    if (encoding === undefined || !isOctets(this)) {
      return apply(ownMethods.toString, this, [given, start, end]);
    }
    const { length } = this;
    if (length === 0) return '';
    const from = start === undefined || start < 0 ? 0 : Math.min(start, length);
    const to = end === undefined || end > length ? length : Math.max(end, 0);
    // Both as the library: what is no number is 0.
    return from >>> 0 < to >>> 0
      ? textOf(this, encoding, from >>> 0, to >>> 0)
      : '';
  },
  // A character is written wholly or not at all, which the library does not see
  // to.
  write(text, ...rest) {
    const given = rest.find((each) => typeof each === 'string');
    const [offset = 0, most = Number.POSITIVE_INFINITY] = rest.filter(
      (each) => typeof each === 'number',
    );
    const encoding = encodingOf(given);
    if (
      typeof text === 'string' &&
      encoding !== undefined &&
      offset >= 0 &&
      offset <= this.length
    ) {
      const end = offset + Math.min(most, this.length - offset);
      if (encoding === UTF8) {
        return host.utf8EncodeInto(text, this.subarray(offset, end))[1];
      }
      const written = host.writeText(text, this, encoding, offset, end);
      if (written >= 0) return written;
    }
    return apply(ownMethods.write, this, [text, ...rest.map(plain64)]);
  },
  copy(target, ...places) {
    const [at = 0] = places;
    if (
      places.length > 1 ||
      typeof at !== 'number' ||
      !isOctets(target) ||
      !isOctets(this) ||
      !(at >= 0 && at + this.length <= target.length)
    ) {
      return apply(ownMethods.copy, this, [target, ...places]);
    }
    put(target, this, at);
    return this.length;
  },
  compare(other, ...ranges) {
    if (ranges.length > 0 || !isOctets(other) || !isOctets(this)) {
      return apply(ownMethods.compare, this, [other, ...ranges]);
    }
    return host.compareBytes(this, other);
  },
  equals(other) {
    if (!isOctets(other) || !isOctets(this)) {
      return apply(ownMethods.equals, this, [other]);
    }
    return this.length === other.length && host.compareBytes(this, other) === 0;
  },
  indexOf(value, from, given) {
    const hasName = typeof from === 'string';
    const name = hasName ? from : given;
    const encoding = encodingOf(name);
    const wanted =
      typeof value === 'string' && encoding !== undefined
        ? fromText(value, name)
        : value;
    const start = hasName || from === undefined ? 0 : from;
    if (
      !isOctets(wanted) ||
      encoding === UTF16 ||
      wanted.length > LONGEST_WANTED ||
      typeof start !== 'number' ||
      !(start >= 0) ||
      !isOctets(this)
    ) {
      return apply(ownMethods.indexOf, this, [value, from, given]);
    }
    return host.findBytes(this, wanted, start);
  },
  includes(value, from, encoding) {
    return this.indexOf(value, from, encoding) !== -1;
  },
  fill(value, ...rest) {
    if (typeof value !== 'number' || rest.length > 0 || !isOctets(this)) {
      return apply(ownMethods.fill, this, [value, ...rest]);
    }
    return apply(Uint8Array.prototype.fill, this, [value & 255]);
  },
};
Object.assign(Buffer.prototype, methods);
Buffer.prototype.toLocaleString = Buffer.prototype.toString;

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
    // Node's takes any bytes.
    return apply(methods.toString, this, [encoding, start, end]);
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
  const types = require('node:util/types');
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
