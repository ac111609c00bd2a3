'use strict';

// Cases for internalBinding('string_decoder') and ('encoding_binding').
const { randomBytes, randomText } = require('./random.cjs');
const { internalBinding } = require('internal/test/binding');

const mine = internalBinding('encoding_binding');

// A message in pieces.
function decode(random) {
  const encoding = random.pick([0, 1, 1, 1, 2, 3, 3, 4, 5, 7]);
  const pieces = [];
  const whole =
    random.below(2) === 0
      ? Buffer.from(randomText(random), random.pick(['utf8', 'utf16le']))
      : randomBytes(random);
  const bytes =
    whole.byteLength === 0
      ? Buffer.alloc(0)
      : Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const size = random.pick([0, 1, 1, 2, 3, 5, 100]);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  const flushes = random.below(3) > 0;
  return ({ decode, flush, kSize, kEncodingField }) => {
    const state = Buffer.alloc(kSize);
    state[kEncodingField] = encoding;
    const texts = pieces.map(
      (piece) =>
        `${JSON.stringify(decode(state, piece))} ${state.toString('hex')}`,
    );
    if (flushes) texts.push(flush(state), state.toString('hex'));
    return texts.join('\n');
  };
}

function encodeInto(random) {
  const text = randomText(random);
  const to = new Uint8Array(random.pick([0, 1, 2, 3, 5, 8, 40, 70, 100, 3000]));
  return (natives) => {
    natives.encodeInto(text, to);
    return `${natives.encodeIntoResults.join()} ${Buffer.from(to).toString('hex')}`;
  };
}

function encode(random) {
  const text = randomText(random);
  return (natives) => natives.encodeUtf8String(text);
}

function decodeBytes(name) {
  return (random) => {
    const bytes = randomBytes(random);
    const given = random.below(3) === 0 ? bytes.buffer : bytes;
    const ignoreBom = random.below(2) === 0;
    const fatal = random.below(2) === 0;
    return (natives) => natives[name](given, ignoreBom, fatal);
  };
}

const DECODERS = { decode };
const ENCODERS = { encodeInto, encode, decodeUTF8: decodeBytes('decodeUTF8') };
for (const name of ['decodeWindows1252']) {
  if (mine[name] !== undefined) ENCODERS[name] = decodeBytes(name);
}

exports.makeCases = function* makeCases() {
  for (const [title, make] of Object.entries(DECODERS))
    yield { name: 'string_decoder', title, make };
  for (const [title, make] of Object.entries(ENCODERS))
    yield { name: 'encoding_binding', title, make };
};
