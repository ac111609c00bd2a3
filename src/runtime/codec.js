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
  Carry,
  KIND_NUMBER,
  KIND_STRUCTURED,
} = require('../../lib/protocol/codec/grammar.js');
const { Header, Part } = require('../../lib/protocol/wire.gen.js');

const { H, options } = native;
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
  make: (buffer, offset, length) =>
    nodeBuffers.adopt(new Octets(buffer, offset, length)),
  adopt(octets) {
    const own =
      prototype ?? nodePrototype(runtime.globals?.load('node:buffer'));
    return typeof own === 'object' ? setPrototypeOf(octets, own) : octets;
  },
};

let natives;

function clones() {
  natives ??= runtime.rare().cloneNatives();
  return natives;
}

const usual = options.clone === true ? Carry.CLONED : Carry.PLAINLY;
let made;

function make() {
  if (made !== undefined) return made;
  made = createCodec(runtime.more(), refused, nodeBuffers, clones);
  const { encode } = made;
  codec.encode =
    usual === Carry.PLAINLY
      ? encode
      : (value, maxBytes, transferList, carry = usual) =>
          encode(value, maxBytes, transferList, carry);
  codec.decode = made.decode;
  H[Header.Parts] |= Part.Codec;
  return made;
}

// Frequent callers read its members at each call, because they are replaced.
const codec = {
  refused,
  encode(value, maxBytes, transferList, carry = usual) {
    return make().encode(value, maxBytes, transferList, carry);
  },
  decode(kind, number, run, from, text, more) {
    if (kind === KIND_NUMBER) return number;
    if (kind !== KIND_STRUCTURED) return decodeSimple(kind, text);
    return make().decode(kind, number, run, from, text, more);
  },
};

runtime.codec = codec;
