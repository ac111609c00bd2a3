'use strict';
// Words for the rows of payload-corpus.js.

const vm = require('node:vm');

const { MAX_PAYLOAD_DEPTH } = require('../../lib/payload/copy-payload.js');

const SECRET = 'hunter2-in-the-payload';

const TYPE_TEXT = 'worker payload type is unsupported';
const NUMBER_TEXT = 'worker payload is not serializable';
const CYCLE_TEXT = 'worker payload contains a cycle';

const copies = (makeExpected, extras = {}) => ({
  kind: 'copies',
  makeExpected,
  ...extras,
});
const refuses = (name, text) => ({ kind: 'refuses', name, text });

/** A value that arrives as it is made. */
const same = (name, makeValue, extras) => [
  name,
  makeValue,
  copies(makeValue, extras),
];
const unsupported = (name, makeValue) => [
  name,
  makeValue,
  refuses('UnsupportedPayload', TYPE_TEXT),
];
const unreadable = (name, makeValue) => [
  name,
  makeValue,
  refuses('SerializationFailed'),
];

const inNewRealm = (source) => vm.runInNewContext(source);

function throwSecret() {
  throw new Error(SECRET);
}

function endless() {
  return {
    get next() {
      return endless();
    },
  };
}

function detached(makeView) {
  const buffer = new ArrayBuffer(8);
  const value = makeView(buffer);
  structuredClone(buffer, { transfer: [buffer] });
  return value;
}

function nestedArrays(depth) {
  let value = [];
  for (let level = 1; level < depth; level += 1) value = [value];
  return value;
}

function nestedObjects(depth) {
  let value = {};
  for (let level = 1; level < depth; level += 1) value = { next: value };
  return value;
}

function sparse(length, entries) {
  const array = [];
  array.length = length;
  for (const [index, value] of entries) array[index] = value;
  return array;
}

module.exports = {
  CYCLE_TEXT,
  MAX_PAYLOAD_DEPTH,
  NUMBER_TEXT,
  SECRET,
  copies,
  detached,
  endless,
  inNewRealm,
  nestedArrays,
  nestedObjects,
  refuses,
  same,
  sparse,
  throwSecret,
  unreadable,
  unsupported,
};
