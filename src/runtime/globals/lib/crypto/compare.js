'use strict';

const { isAnyBuffer, isView } = require('./bytes.js');
const { nativeError, refused } = require('./errors.js');
const { openssl } = require('./natives.js');

function needBytes(value, name) {
  if (isView(value) || isAnyBuffer(value)) return;
  throw nativeError(
    TypeError,
    'ERR_INVALID_ARG_TYPE',
    `The "${name}" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.`,
  );
}

function timingSafeEqual(left, right) {
  needBytes(left, 'buf1');
  needBytes(right, 'buf2');
  const isEqual = openssl.timingSafeEqual(left, right);
  if (isEqual !== undefined) return isEqual;
  throw refused(
    'TIMING_SAFE_EQUAL_LENGTH',
    'Input buffers must have the same byte length',
    RangeError,
  );
}

module.exports = { timingSafeEqual };
