'use strict';

// Random numbers that come again (xorshift).
exports.seeded = (seed) => {
  let state = seed | 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let i = 0; i < 10; i++) next();
  const below = (count) => next() % count;
  const pick = (list) => list[below(list.length)];
  return {
    state: () => state,
    restore: (to) => {
      state = to;
    },
    below,
    pick,
  };
};

const LETTERS = 'ABCDabcd0123+/-_= \n=';
const MIXED = [
  'a',
  'z',
  ' ',
  'é',
  'ÿ',
  '\x80',
  '€',
  '中',
  '😀',
  '\ud800',
  '\udc00',
  '\0',
  '\ufeff',
];

exports.randomText = (random) => {
  const length = random.pick([
    0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 60, 100, 1000,
  ]);
  const kind = random.below(6);
  let text = '';
  for (let i = 0; i < length; i++) {
    if (kind === 0) text += String.fromCharCode(random.below(128));
    else if (kind === 1) text += String.fromCharCode(random.below(256));
    else if (kind === 2) text += random.pick(MIXED);
    else if (kind === 3) text += LETTERS[random.below(LETTERS.length)];
    else if (kind === 4) text += '0123456789abcdefABCDEFg'[random.below(23)];
    else text += 'ab'[random.below(2)];
  }
  return text;
};

exports.randomBytes = (random) => {
  const size = random.pick([
    0, 1, 2, 3, 4, 5, 6, 8, 9, 16, 17, 28, 31, 33, 63, 64, 65, 100, 1000, 5000,
  ]);
  const offset = random.pick([0, 0, 1, 3]);
  const kind = random.below(7);
  const memory =
    kind === 6
      ? new SharedArrayBuffer(size + offset + 3)
      : new ArrayBuffer(size + offset + 3);
  const bytes = new Uint8Array(memory, offset, size);
  const ascii = random.below(3);
  const valid = Buffer.from(exports.randomText(random));
  for (let i = 0; i < size; i++) {
    if (ascii === 0) bytes[i] = random.below(128);
    else if (ascii === 1) bytes[i] = random.below(256);
    else
      bytes[i] =
        valid.length > 0
          ? valid[i % valid.length]
          : 'ab'.charCodeAt(random.below(2));
  }
  if (kind === 1) return new DataView(memory, offset, size);
  if (kind === 2) return Buffer.from(memory, offset, size);
  if (kind === 3 && offset % 2 === 0)
    return new Uint16Array(memory, offset, size >> 1);
  if (kind === 4) structuredClone(memory, { transfer: [memory] });
  if (kind === 5) {
    const grown = new ArrayBuffer(size + 8, { maxByteLength: size + 64 });
    const view = new Uint8Array(grown, 2, size);
    view.set(bytes);
    if (random.below(2) === 0) grown.resize(random.below(size + 8));
    return view;
  }
  return bytes;
};
