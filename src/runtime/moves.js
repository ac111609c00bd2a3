'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Values whose buffers are
// moved to the owner and not copied, when the job returns, emits or yields them.
const {
  RealmWeakMap,
  apply,
  weakMapGet: mapGet,
  weakMapSet: mapSet,
} = require('./primordials.js');
const { isBuffer } = require('../../lib/protocol/codec/byte-parts.js');
const {
  dataViewBuffer,
  isView,
  viewBuffer,
  viewTag,
} = require('../../lib/protocol/codec/captured.js');

const NEEDS = 'context.move takes an object, and an array of its ArrayBuffers';

// The lists are by the value, so that it stays what it is.
const lists = new RealmWeakMap();

function bufferOf(value) {
  if (!isView(value)) return value;
  return viewTag(value) === undefined
    ? dataViewBuffer(value)
    : viewBuffer(value);
}

// Read here, because the caller may change its list.
function readList(given) {
  const list = [];
  const { length } = given;
  for (let i = 0; i < length; i++) {
    const buffer = given[i];
    if (!isBuffer(buffer)) throw new (runtime.errorClass('TypeError'))(NEEDS);
    list[list.length] = buffer;
  }
  return list;
}

runtime.need?.('errors');
runtime.move = (value, transfer) => {
  if (typeof value !== 'object' || value === null) {
    throw new (runtime.errorClass('TypeError'))(NEEDS);
  }
  const list = readList(transfer ?? [bufferOf(value)]);
  apply(mapSet, lists, [value, list]);
  runtime.setMoves((sent) => apply(mapGet, lists, [sent]));
  return value;
};
