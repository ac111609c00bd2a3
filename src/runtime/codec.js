'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. The payload codec, the
// same files that the owner requires; made for the first value that needs it.
const { createCodec } = require('../../lib/protocol/codec.js');
const {
  Octets,
  getPrototypeOf,
  setPrototypeOf,
} = require('../../lib/protocol/codec/captured.js');
const { decodeSimple } = require('../../lib/protocol/codec/decoder.js');
const {
  KIND_NUMBER,
  KIND_STRUCTURED,
} = require('../../lib/protocol/codec/grammar.js');
const { Header, Part } = require('../../lib/protocol/wire.gen.js');

const { H } = native;
const OctetsPrototype = Octets.prototype;

const refused = { reason: 0 };

// Of the realm's globals: what made them is loaded when the first arrives. Where
// user code has removed it, they are Uint8Arrays.
let prototype;

function nodePrototype(exports) {
  prototype ??= exports?.Buffer?.prototype;
  return prototype;
}

const nodeBuffers = {
  is(octets) {
    const own = getPrototypeOf(octets);
    if (own === OctetsPrototype) return false;
    const exports = runtime.globals?.load.loaded('node:buffer');
    return own === nodePrototype(exports);
  },
  make(buffer, offset, length) {
    const octets = new Octets(buffer, offset, length);
    const own =
      prototype ?? nodePrototype(runtime.globals?.load('node:buffer'));
    return typeof own === 'object' ? setPrototypeOf(octets, own) : octets;
  },
};

let made;

function make() {
  if (made !== undefined) return made;
  made = createCodec(runtime.more(), refused, nodeBuffers);
  codec.encode = made.encode;
  codec.decode = made.decode;
  H[Header.Parts] |= Part.Codec;
  return made;
}

// Frequent callers read its members at each call, because they are replaced.
const codec = {
  refused,
  encode(value, maxBytes, transferList, exactly) {
    return make().encode(value, maxBytes, transferList, exactly);
  },
  decode(kind, number, run, from, text, more) {
    if (kind === KIND_NUMBER) return number;
    if (kind !== KIND_STRUCTURED) return decodeSimple(kind, text);
    return make().decode(kind, number, run, from, text, more);
  },
};

runtime.codec = codec;
