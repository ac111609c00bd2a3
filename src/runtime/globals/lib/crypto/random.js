'use strict';

const { buffers, fromBytes, isAnyBuffer, isView } = require('./bytes.js');
const {
  invalidType,
  needBoolean,
  needFunction,
  needInt32,
  needObject,
  outOfRange,
} = require('./errors.js');
const { finishLater, later } = require('./later.js');
const { openssl } = require('./natives.js');
const { makeUuids } = require('./uuid.js');

const MAX_BYTES = 2 ** 31 - 1;
const MAX_RANGE = 2 ** 48 - 1;

function needNumber(value, name) {
  if (typeof value !== 'number') throw invalidType(name, 'number', value);
}

function needOffset(given, unit, length) {
  needNumber(given, 'offset');
  const offset = given * unit;
  const most = Math.min(length, MAX_BYTES);
  if (!(offset >= 0 && offset <= most)) {
    throw outOfRange('offset', `>= 0 && <= ${most}`, offset);
  }
  return Math.floor(offset);
}

function needSize(given, unit, offset, length) {
  needNumber(given, 'size');
  const size = given * unit;
  if (!(size >= 0 && size <= MAX_BYTES)) {
    throw outOfRange('size', `>= 0 && <= ${MAX_BYTES}`, size);
  }
  if (size + offset > length) {
    throw outOfRange('size + offset', `<= ${length}`, size + offset);
  }
  return Math.floor(size);
}

function randomBytes(given, callback = undefined) {
  const size = needSize(given, 1, 0, Infinity);
  if (callback !== undefined) needFunction(callback);
  const bytes = fromBytes(openssl.randomBytes(size));
  if (callback === undefined) return bytes;
  give(callback, bytes);
  return undefined;
}

/** Node calls back at once where nothing is wanted. */
function give(callback, bytes, count = bytes.byteLength) {
  if (count === 0) callback(null, bytes);
  else later(callback, null, bytes);
}

function needTarget(buffer) {
  if (isAnyBuffer(buffer) || isView(buffer)) return;
  throw invalidType('buf', ['ArrayBuffer', 'ArrayBufferView'], buffer);
}

function randomFillSync(buffer, from = 0, count = undefined) {
  needTarget(buffer);
  const unit = buffer.BYTES_PER_ELEMENT || 1;
  const offset = needOffset(from, unit, buffer.byteLength);
  const size =
    count === undefined
      ? buffer.byteLength - offset
      : needSize(count, unit, offset, buffer.byteLength);
  if (size > 0) openssl.randomFill(buffer, offset, size);
  return buffer;
}

function randomFill(buffer, offset, size, callback) {
  needTarget(buffer);
  let [from, count, done] = [offset, size, callback];
  if (typeof offset === 'function') {
    [from, count, done] = [0, buffer.length, offset];
  } else if (typeof size === 'function') {
    [count, done] = [buffer.length - offset, size];
  } else {
    needFunction(callback);
  }
  give(done, randomFillSync(buffer, from, count), count);
}

// Six bytes a number, many at once.
const CACHE = 6 * 256;
let numbers;
let used = CACHE;
let isFilling = false;

// Numbers beyond the last whole multiple of the range would favour some.
function uniform(range) {
  const limit = MAX_RANGE - (MAX_RANGE % range);
  for (;;) {
    if (used === CACHE) {
      numbers ??= fromBytes(new Uint8Array(CACHE));
      openssl.randomFill(numbers, 0, CACHE);
      used = 0;
    }
    const value = numbers.readUIntBE(used, 6);
    used += 6;
    if (value < limit) return value % range;
  }
}

function randomInt(first, second = undefined, third = undefined) {
  const single = second === undefined || typeof second === 'function';
  const [min, max, callback] = single
    ? [0, first, second]
    : [first, second, third];
  if (callback !== undefined) needFunction(callback);
  if (!Number.isSafeInteger(min)) {
    throw invalidType('min', 'a safe integer', min);
  }
  if (!Number.isSafeInteger(max)) {
    throw invalidType('max', 'a safe integer', max);
  }
  if (max <= min) {
    throw outOfRange('max', `greater than the value of "min" (${min})`, max);
  }
  if (!(max - min <= MAX_RANGE)) {
    const name = single ? 'max' : 'max - min';
    throw outOfRange(name, `<= ${MAX_RANGE}`, max - min);
  }
  if (callback === undefined) return min + uniform(max - min);
  // As in Node, which makes numbers ahead and has them at once from then on.
  if (used === CACHE) isFilling = true;
  if (!isFilling) {
    const { nextTick } = require('node:process');
    nextTick(callback, undefined, min + uniform(max - min));
    return undefined;
  }
  later(() => {
    isFilling = false;
    callback(undefined, min + uniform(max - min));
  });
  return undefined;
}

function checkUuidOptions(options) {
  if (options === undefined) return;
  needObject(options, 'options');
  const { disableEntropyCache = false } = options;
  needBoolean(disableEntropyCache, 'options.disableEntropyCache');
}

// OpenSSL's generator asks the system for a seed alone.
const uuid = makeUuids((bytes) => openssl.randomFill(bytes, 0, bytes.length));

function randomUUID(options) {
  checkUuidOptions(options);
  return uuid.randomUUID();
}

function randomUUIDv7(options) {
  checkUuidOptions(options);
  return uuid.randomUUIDv7();
}

const bytesOfBigInt = (value, name) => {
  if (value < 0n) throw outOfRange(name, '>= 0', value);
  const hex = value.toString(16);
  const even = hex.padStart(hex.length + (hex.length % 2), '0');
  return buffers().from(even, 'hex');
};

const bigIntOfBytes = (bytes) =>
  BigInt(`0x${fromBytes(bytes).toString('hex')}`);

// Bytes that OpenSSL's numbers surely have.
const LONGEST = 2 ** 25;
const NUMBERS = ['ArrayBuffer', 'TypedArray', 'Buffer', 'DataView', 'bigint'];

function numberBytes(value, name) {
  if (typeof value === 'bigint') return bytesOfBigInt(value, name);
  if (isAnyBuffer(value) || isView(value)) return value;
  throw invalidType(name, NUMBERS, value);
}

function primeJob(size, options) {
  needObject(options, 'options');
  const { safe = false, bigint = false, add, rem } = options;
  needBoolean(safe, 'options.safe');
  needBoolean(bigint, 'options.bigint');
  const step = add === undefined ? add : numberBytes(add, 'options.add');
  const rest = rem === undefined ? rem : numberBytes(rem, 'options.rem');
  return () => {
    const bytes = openssl.generatePrime(size, safe, step, rest);
    return bigint ? bigIntOfBytes(bytes) : bytes.buffer;
  };
}

// Where there is no error, Node gives these undefined.
const withoutNull =
  (done) =>
  (error, ...values) =>
    done(error ?? undefined, ...values);

function generatePrime(size, options, callback) {
  needInt32(size, 'size', 1);
  const isShort = typeof options === 'function';
  const done = isShort ? options : callback;
  needFunction(done);
  finishLater(withoutNull(done), primeJob(size, isShort ? {} : options));
}

function generatePrimeSync(size, options = {}) {
  needInt32(size, 'size', 1);
  return primeJob(size, options)();
}

function checkJob(candidate, options) {
  const bytes = numberBytes(candidate, 'candidate');
  needObject(options, 'options');
  const { checks = 0 } = options;
  needInt32(checks, 'options.checks', 0);
  return () => openssl.checkPrime(bytes);
}

function checkPrime(candidate, options, callback) {
  const isShort = typeof options === 'function';
  const bytes = numberBytes(candidate, 'candidate');
  const done = isShort ? options : callback;
  needFunction(done);
  const job = checkJob(bytes, isShort ? {} : options);
  // A number that is too long is refused at once.
  if (bytes.byteLength > LONGEST) job();
  finishLater(withoutNull(done), job);
}

const checkPrimeSync = (candidate, options = {}) =>
  checkJob(candidate, options)();

module.exports = {
  checkPrime,
  checkPrimeSync,
  generatePrime,
  generatePrimeSync,
  randomBytes,
  randomFill,
  randomFillSync,
  randomInt,
  randomUUID,
  randomUUIDv7,
};
