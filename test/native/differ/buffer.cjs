'use strict';

// Cases for internalBinding('buffer'), as its callers in Node's text make them.
const { internalBinding } = require('internal/test/binding');
const { randomBytes, randomText } = require('./random.cjs');

const KINDS = ['ascii', 'base64', 'base64url', 'latin1', 'hex', 'ucs2', 'utf8'];
const INDEXES = [
  undefined,
  0,
  1,
  2,
  3,
  5,
  16,
  100,
  5000,
  1.7,
  NaN,
  'x',
  '2',
  null,
];
const BAD_INDEXES = [-1, -5, Infinity, 2 ** 40];
const mine = internalBinding('buffer');
const MAJOR = Number(process.versions.node.split('.')[0]);
const STATIC_SLICES = MAJOR >= 24;

const index = (random) =>
  random.below(12) === 0 ? random.pick(BAD_INDEXES) : random.pick(INDEXES);
const inside = (random, size) => random.below(size + 1);

function slice(kind) {
  return (random) => {
    const bytes = randomBytes(random);
    const start = index(random);
    const end = index(random);
    return (natives) =>
      STATIC_SLICES
        ? natives[`${kind}Slice`](bytes, start, end)
        : natives[`${kind}Slice`].call(bytes, start, end);
  };
}

function write(kind) {
  return (random) => {
    const bytes = randomBytes(random);
    const text =
      random.below(30) === 0
        ? random.pick([1, null, undefined, {}])
        : randomText(random);
    const offset = index(random);
    const length = index(random);
    if (kind.startsWith('base64') && /[^\0-\xff]/.test(text)) {
      // Node looks at the low bytes of units here and there.
      return () => 'not compared';
    }
    return (natives) => {
      const isStatic = mine[`${kind}WriteStatic`] !== undefined;
      // Their callers check these.
      const fine = (value) =>
        value === undefined || (Number.isInteger(value) && value >= 0);
      let written;
      if (isStatic) {
        if (!fine(offset) || !fine(length) || typeof text !== 'string')
          return 'not called';
        const size = bytes.byteLength;
        const from = Math.min(offset ?? 0, size);
        written = natives[`${kind}WriteStatic`](
          bytes,
          text,
          from,
          Math.min(length ?? size, size - from),
        );
      } else if (STATIC_SLICES) {
        written = natives[`${kind}Write`](bytes, text, offset, length);
      } else {
        written = natives[`${kind}Write`].call(bytes, text, offset, length);
      }
      const given = JSON.stringify([text, offset, length]);
      return `${written} ${Buffer.from(bytes.buffer).toString('hex').slice(0, 2000)} ${given}`;
    };
  };
}

const view = (random) => {
  for (;;) {
    const bytes = randomBytes(random);
    if (bytes instanceof Uint8Array) return bytes;
  }
};

// Detached ones have no bytes.
const copyOf = (bytes) => new Uint8Array(bytes.length === 0 ? 0 : bytes);

function compare(random) {
  const a = view(random);
  const b = random.below(3) === 0 ? copyOf(a) : view(random);
  return (natives) => natives.compare(a, b);
}

function compareOffset(random) {
  const a = view(random);
  const b = random.below(2) === 0 ? copyOf(a) : view(random);
  const sourceEnd = inside(random, a.length);
  const targetEnd = inside(random, b.length);
  const sourceStart = inside(random, sourceEnd);
  const targetStart = inside(random, targetEnd);
  return (natives) =>
    natives.compareOffset(a, b, targetStart, sourceStart, targetEnd, sourceEnd);
}

function fill(random) {
  const bytes = view(random);
  const value = random.pick([
    randomText(random),
    randomText(random),
    view(random),
    7,
    300,
    -1,
  ]);
  const start = random.pick([0, 0, 1, 3, 50]);
  const end = random.pick([
    bytes.length,
    bytes.length,
    2,
    10,
    bytes.length + 1,
  ]);
  const encoding = random.pick([
    undefined,
    'utf8',
    'hex',
    'base64',
    'base64url',
    'latin1',
    'ascii',
    'utf16le',
    'ucs2',
    'UTF-16LE',
    'binary',
  ]);
  return (natives) => {
    const result = natives.fill(bytes, value, start, end, encoding);
    return `${result} ${Buffer.from(copyOf(bytes)).toString('hex').slice(0, 2000)}`;
  };
}

function offset(random, size) {
  return random.pick([
    0,
    1,
    2,
    size,
    size - 1,
    size + 1,
    -1,
    -2,
    -size,
    -size - 1,
    0x7fffffff,
    -0x80000000,
    random.below(size + 1),
  ]);
}

// The last argument of the Nodes that have one.
const HAS_END = /\bend\b/.test(
  require('buffer').Buffer.prototype.indexOf.toString().split(')')[0],
);
const end = (random, size) =>
  HAS_END
    ? [random.pick([size, size, size, 0, size >> 1, inside(random, size)])]
    : [];

function wantedIn(random, bytes) {
  if (bytes.length > 4 && random.below(2) === 0) {
    const from = random.below(bytes.length);
    return copyOf(bytes).slice(from, from + random.below(6));
  }
  return view(random);
}

function indexOfBuffer(random) {
  const bytes = view(random);
  const wanted = wantedIn(random, bytes);
  const rest = [
    offset(random, bytes.length),
    random.pick(bytes.byteOffset % 2 === 0 ? [1, 1, 3, 4] : [1, 4]),
    random.below(2) === 0,
    ...end(random, bytes.length),
  ];
  return (natives) => natives.indexOfBuffer(bytes, wanted, ...rest);
}

function indexOfString(random) {
  const bytes = view(random);
  // Node finds nothing at odd addresses.
  const encoding = random.pick(bytes.byteOffset % 2 === 0 ? [1, 3, 4] : [1, 4]);
  const wanted =
    random.below(2) === 0
      ? randomText(random)
      : Buffer.from(copyOf(wantedIn(random, bytes))).toString(
          { 1: 'utf8', 3: 'utf16le', 4: 'latin1' }[encoding],
        );
  // Half a surrogate pair is looked for as no text has it before Node 26, or
  // ends the process.
  if (MAJOR < 26 && encoding === 1 && !wanted.isWellFormed?.()) {
    return () => 'not compared';
  }
  const rest = [
    offset(random, bytes.length),
    encoding,
    random.below(2) === 0,
    ...end(random, bytes.length),
  ];
  return (natives) =>
    `${natives.indexOfString(bytes, wanted, ...rest)} ${JSON.stringify([wanted, ...rest])}`;
}

function indexOfNumber(random) {
  const bytes = view(random);
  const wanted =
    bytes.length > 0 && random.below(2) === 0
      ? bytes[0]
      : random.pick([0, 97, 255, 256, 4294967295]);
  const rest = [
    offset(random, bytes.length),
    random.below(2) === 0,
    ...end(random, bytes.length),
  ];
  return (natives) => natives.indexOfNumber(bytes, wanted, ...rest);
}

function swap(bits) {
  return (random) => {
    const unit = bits / 8;
    const bytes = new Uint8Array(unit * random.pick([0, 1, 3, 20]));
    for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256);
    return (natives) => {
      // Node 20 returns the buffer; later texts do that themselves.
      natives[`swap${bits}`](bytes);
      return bytes;
    };
  };
}

function onText(name) {
  return (random) => {
    const text = randomText(random);
    return (natives) => natives[name](text);
  };
}

function onBytes(name) {
  return (random) => {
    const bytes = view(random);
    const given = random.below(3) === 0 ? bytes.buffer : bytes;
    return (natives) => natives[name](given);
  };
}

function copy(random) {
  const source = view(random);
  const target = random.below(4) === 0 ? source : view(random);
  const from = inside(random, source.length);
  const to = inside(random, target.length);
  const count = Math.min(
    inside(random, source.length),
    source.length - from,
    target.length - to,
  );
  return (natives) => {
    natives.copy(source, target, to, from, count);
    return target;
  };
}

const CASES = {
  ...Object.fromEntries(KINDS.map((kind) => [`${kind}Slice`, slice(kind)])),
  ...Object.fromEntries(KINDS.map((kind) => [`${kind}Write`, write(kind)])),
  compare,
  compareOffset,
  fill,
  indexOfBuffer,
  indexOfString,
  indexOfNumber,
  swap16: swap(16),
  swap32: swap(32),
  swap64: swap(64),
  byteLengthUtf8: onText('byteLengthUtf8'),
  atob: onText('atob'),
  btoa: onText('btoa'),
  ...(mine.isLatin1 === undefined ? {} : { isLatin1: onText('isLatin1') }),
  // Node 20 has it, and does not call it.
  ...(mine.asciiWriteStatic === undefined ? {} : { copy }),
  ...Object.fromEntries(
    ['isUtf8', 'isAscii', 'stringLengthUtf8']
      .filter((name) => mine[name] !== undefined)
      .map((name) => [name, onBytes(name)]),
  ),
};

exports.makeCases = function* makeCases() {
  for (const [title, make] of Object.entries(CASES))
    yield { name: 'buffer', title, make };
};
