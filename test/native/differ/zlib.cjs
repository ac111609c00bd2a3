'use strict';

// Cases for internalBinding('zlib'): streams with random options, pieces, damage.
const zlib = require('node:zlib');
const { internalBinding } = require('internal/test/binding');
const { randomBytes } = require('./random.cjs');

const mine = internalBinding('zlib');
const MODES = {
  DEFLATE: 1,
  INFLATE: 2,
  GZIP: 3,
  GUNZIP: 4,
  DEFLATERAW: 5,
  INFLATERAW: 6,
  UNZIP: 7,
};
const nothing = () => {};
// Node checks how many arguments there are.
const MAJOR = Number(process.versions.node.split('.')[0]);
const more = (from, ...values) => (MAJOR >= from ? values : []);

function data(random) {
  const size = random.pick([
    0, 1, 5, 100, 1000, 20_000, 200_000, 200_000, 1_500_000,
  ]);
  const bytes = Buffer.alloc(size);
  const kind = random.below(4);
  const words = ['alpha ', 'beta ', 'gamma ', 'delta\n', '{"a":1},'];
  for (let i = 0; i < size; ) {
    if (kind === 0) bytes[i++] = random.below(256);
    else if (kind === 1)
      i += bytes.write(random.pick(words), i, 'latin1') || size;
    else if (kind === 2) bytes[i++] = i >> 9;
    else i = size;
  }
  return bytes;
}

// Calls as processChunkSync() and the streams make them.
function run(handle, state, pieces, { room, flush, finish }) {
  const outputs = [];
  const notes = [];
  let failed = false;
  handle.onerror = (message, number, code) => {
    failed = true;
    notes.push(`${message} ${number} ${code}`);
  };
  pieces.forEach((piece, i) => {
    let left = piece.length;
    let at = 0;
    for (let turns = 0; !failed && turns < 3000; turns++) {
      const out = Buffer.alloc(room);
      handle.writeSync(
        i === pieces.length - 1 ? finish : flush,
        piece,
        at,
        left,
        out,
        0,
        room,
      );
      if (failed) break;
      const [outLeft, inLeft] = state;
      outputs.push(out.subarray(0, room - outLeft));
      at += left - inLeft;
      left = inLeft;
      if (outLeft !== 0) break;
    }
    if (!failed) notes.push(`left ${left}`);
  });
  return { bytes: Buffer.concat(outputs), notes, failed };
}

const shown = ({ bytes, notes }) =>
  `${bytes.length} ${Buffer.from(bytes).toString('latin1')} ${notes.join('; ')}`;

// The same once more. After an error Node has it still, but its streams are
// destroyed by then.
function runAgain(handle, state, pieces, how, { failed }) {
  if (failed) return '';
  let note = '';
  handle.onerror = (...list) => {
    note = list.join(' ');
  };
  handle.reset();
  return `${note} ${shown(run(handle, state, pieces, how))}`;
}

function cut(random, bytes) {
  const pieces = [];
  const size = random.pick([
    1,
    7,
    1000,
    70_000,
    bytes.length || 1,
    bytes.length || 1,
  ]);
  for (let at = 0; at < bytes.length && pieces.length < 40; at += size)
    pieces.push(bytes.subarray(at, at + size));
  if (pieces.length === 40) pieces.push(bytes.subarray(40 * size));
  return pieces.length > 0 ? pieces : [bytes];
}

function damaged(random, bytes) {
  const kind = random.below(5);
  const copy = Buffer.from(bytes);
  if (kind === 0 && copy.length > 0)
    copy[random.below(copy.length)] ^= 1 << random.below(8);
  if (kind === 1) return copy.subarray(0, random.below(copy.length + 1));
  if (kind === 2)
    return Buffer.concat([
      copy,
      Buffer.from(random.pick(['garbage', '\0\0', ''])),
    ]);
  return copy;
}

const room = (random) => random.pick([64, 1000, 16_384, 65_536, 2_000_000]);

function zlibHandle(
  natives,
  mode,
  { windowBits, level, memLevel, strategy, dictionary },
) {
  const handle = new natives.Zlib(mode);
  const state = new Uint32Array(2);
  handle.init(
    windowBits,
    level,
    memLevel,
    strategy,
    state,
    nothing,
    dictionary,
    ...more(24, false),
  );
  return [handle, state];
}

function zlibOptions(random) {
  return {
    windowBits: random.pick([15, 15, 15, 9, 12]),
    level: random.pick([-1, 0, 1, 3, 6, 9]),
    memLevel: random.pick([8, 8, 1, 9]),
    strategy: random.pick([0, 0, 0, 1, 2, 3, 4]),
    dictionary:
      random.below(6) === 0
        ? Buffer.from(random.pick(['alpha beta', 'x']))
        : undefined,
  };
}

function deflate(random) {
  const mode = random.pick([MODES.DEFLATE, MODES.GZIP, MODES.DEFLATERAW]);
  const options = zlibOptions(random);
  if (mode === MODES.GZIP) options.dictionary = undefined;
  const pieces = cut(random, data(random));
  const how = {
    room: room(random),
    flush: random.pick([0, 0, 1, 2, 3]),
    finish: random.pick([4, 4, 2, 3]),
  };
  const again = random.below(4) === 0;
  const params =
    random.below(4) === 0
      ? [random.pick([0, 1, 9]), random.pick([0, 2])]
      : undefined;
  return (natives) => {
    const [handle, state] = zlibHandle(natives, mode, options);
    if (params !== undefined) {
      run(handle, state, [Buffer.from('first')], {
        ...how,
        flush: 2,
        finish: 2,
      });
      handle.params(...params);
    }
    const first = run(handle, state, pieces, how);
    let text = shown(first);
    if (again) text += runAgain(handle, state, pieces, how, first);
    handle.close();
    return text;
  };
}

function inflate(random) {
  const kind = random.below(3);
  const [compress, modes] = [
    [zlib.deflateSync, [MODES.INFLATE, MODES.UNZIP]],
    [zlib.gzipSync, [MODES.GUNZIP, MODES.UNZIP]],
    [zlib.deflateRawSync, [MODES.INFLATERAW]],
  ][kind];
  const dictionary =
    random.below(6) === 0 && kind !== 1 ? Buffer.from('alpha beta') : undefined;
  let packed = compress(data(random), { level: 1, dictionary });
  if (kind === 1 && random.below(3) === 0)
    packed = Buffer.concat([
      packed,
      compress(Buffer.from('next')),
      Buffer.alloc(random.below(3)),
    ]);
  const pieces = cut(random, damaged(random, packed));
  const mode =
    random.below(10) === 0 ? random.pick([2, 4, 6, 7]) : random.pick(modes);
  const options = {
    windowBits: mode === 6 ? 15 : random.pick([15, 0]),
    level: -1,
    memLevel: 8,
    strategy: 0,
    dictionary: random.pick([
      dictionary,
      dictionary,
      undefined,
      Buffer.from('wrong'),
    ]),
  };
  const how = {
    room: room(random),
    flush: random.pick([0, 0, 2]),
    finish: random.pick([4, 4, 2]),
  };
  return (natives) => {
    const [handle, state] = zlibHandle(natives, mode, options);
    const text = shown(run(handle, state, pieces, how));
    handle.close();
    return text;
  };
}

function crc32(random) {
  const bytes = randomBytes(random);
  // Node 22 and before begin again with detached ones.
  const given =
    random.below(3) === 0 || bytes.byteLength === 0 ? 'text é€' : bytes;
  const value = random.pick([0, 1, 4294967295]);
  return (natives) => natives.crc32(given, value);
}

function brotliHandle(natives, name, params) {
  const handle = new natives[name](name === 'BrotliEncoder' ? 9 : 8);
  const state = new Uint32Array(2);
  const all = new Uint32Array(10).fill(-1);
  for (const [key, value] of params) all[key] = value;
  const made = handle.init(all, state, nothing, ...more(24, undefined));
  return [handle, state, made];
}

function brotli(random) {
  const params = random.pick([
    [],
    [[1, 5]],
    [[1, 1]],
    [[1, 0]],
    [
      [1, 9],
      [2, 18],
    ],
    [
      [0, 1],
      [1, 4],
    ],
    [[1, 3]],
    [[5, 1000]],
    [[9, 5]],
  ]);
  let bytes = data(random);
  if (params.length === 0) bytes = bytes.subarray(0, 60_000);
  const pieces = cut(random, bytes);
  const how = {
    room: room(random),
    flush: random.pick([0, 0, 1]),
    finish: random.pick([2, 2, 1]),
  };
  return (natives) => {
    const [handle, state, made] = brotliHandle(
      natives,
      'BrotliEncoder',
      params,
    );
    const text = `${made} ${shown(run(handle, state, pieces, how))}`;
    handle.close();
    return text;
  };
}

function unbrotli(random) {
  const packed = zlib.brotliCompressSync(data(random), {
    params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2 },
  });
  const pieces = cut(random, damaged(random, packed));
  const params = random.pick([[], [], [[1, 1]], [[5, 3]]]);
  const how = { room: room(random), flush: 0, finish: random.pick([2, 2, 1]) };
  return (natives) => {
    const [handle, state, made] = brotliHandle(
      natives,
      'BrotliDecoder',
      params,
    );
    const text = `${made} ${shown(run(handle, state, pieces, how))}`;
    handle.close();
    return text;
  };
}

function zstdHandle(natives, name, params, pledged) {
  const handle = new natives[name]();
  const state = new Uint32Array(2);
  const all = new Uint32Array(403).fill(-1);
  for (const [key, value] of params) all[key] = value;
  const made = handle.init(
    all,
    pledged,
    state,
    nothing,
    undefined,
    ...more(26, false),
  );
  return [handle, state, made];
}

function zstd(random) {
  const params = random.pick([
    [],
    [[100, 1]],
    [[100, 19]],
    [[100, -5]],
    [[201, 1]],
    [
      [100, 3],
      [101, 20],
    ],
    [[100, 1000]],
    [[5, 5]],
  ]);
  let bytes = data(random);
  if (params[0]?.[1] === 19) bytes = bytes.subarray(0, 100_000);
  const pieces = cut(random, bytes);
  const pledged = random.pick([undefined, undefined, bytes.length, 5]);
  // One call with all room takes another way through the library.
  const most = room(random);
  const how = {
    room: bytes.length > 1 << 20 ? Math.min(most, 65_536) : most,
    flush: random.pick([0, 0, 1]),
    finish: random.pick([2, 2, 1]),
  };
  const again = random.below(4) === 0;
  return (natives) => {
    const [handle, state, made] = zstdHandle(
      natives,
      'ZstdCompress',
      params,
      pledged,
    );
    const first = run(handle, state, pieces, how);
    let text = `${made} ${shown(first)}`;
    if (again) text += runAgain(handle, state, pieces, how, first);
    handle.close();
    return text;
  };
}

function unzstd(random) {
  const packed = zlib.zstdCompressSync(data(random));
  const pieces = cut(random, damaged(random, packed));
  const params = random.pick([[], [], [[100, 20]], [[100, 1]]]);
  const how = { room: room(random), flush: 0, finish: random.pick([2, 2, 1]) };
  return (natives) => {
    const [handle, state, made] = zstdHandle(
      natives,
      'ZstdDecompress',
      params,
      undefined,
    );
    const text = `${made} ${shown(run(handle, state, pieces, how))}`;
    handle.close();
    return text;
  };
}

const CASES = { deflate, inflate, crc32, brotli, unbrotli };
if (mine.ZstdCompress !== undefined) Object.assign(CASES, { zstd, unzstd });

exports.makeCases = function* makeCases() {
  for (const [title, make] of Object.entries(CASES))
    yield { name: 'zlib', title, make };
};
