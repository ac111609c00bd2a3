'use strict';
// Texts that wide instructions read and write: random ones of all widths, right
// and damaged at any place, come out of an isolate as of Node.

const { WorkerPool } = require('../../../lib/index.js');

// Runs in both places. Gives a line for each answer.
function answers({ input: { seed: first, rounds } }) {
  const { isUtf8, isAscii } = process.getBuiltinModule('node:buffer');
  const { StringDecoder } = process.getBuiltinModule('node:string_decoder');
  let seed = first;
  const next = (below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >>> 8) % below;
  };
  const ranges = [
    [0x20, 0x7e],
    [0x80, 0xff],
    [0xc0, 0x17f],
    [0x800, 0xd7ff],
    [0xe000, 0xffff],
    [0x10000, 0x10ffff],
  ];
  // Texts of one range, of the first few, and of all of them.
  const character = (widest) => {
    const [low, high] = ranges[next(4) === 0 ? widest : next(widest + 1)];
    return String.fromCodePoint(low + next(high - low + 1));
  };
  const out = [];
  const add = (name, make) => {
    let answer;
    try {
      answer = make();
    } catch (error) {
      answer = `${error.name} ${error.code}`;
    }
    out.push(`${name}: ${JSON.stringify(answer)}`);
  };
  const decode = (bytes, options) =>
    new TextDecoder('utf-8', options).decode(bytes);
  const looked = (name, bytes) => {
    add(`${name} utf8`, () => bytes.toString());
    add(`${name} ascii`, () => bytes.toString('ascii'));
    add(`${name} decoded`, () => decode(bytes));
    add(`${name} fatal`, () => decode(bytes, { fatal: true }));
    add(`${name} mark`, () => decode(bytes, { ignoreBOM: true }));
    add(`${name} is`, () => [isUtf8(bytes), isAscii(bytes)]);
    add(`${name} in parts`, () => {
      const decoder = new StringDecoder('utf8');
      const stream = new TextDecoder();
      const cut = next(bytes.length + 1);
      const [one, two] = [bytes.subarray(0, cut), bytes.subarray(cut)];
      return [
        decoder.write(one) + decoder.end(two),
        stream.decode(one, { stream: true }) + stream.decode(two),
      ];
    });
  };
  // The characters at the beginning of a text that `room` bytes hold. Node 26
  // leaves out the last of Latin 1 where it would just fit.
  const fitting = (text, room) => {
    let left = room;
    let end = 0;
    for (const one of text) {
      left -= Buffer.byteLength(one);
      if (left < 0) break;
      end += one.length;
    }
    return text.slice(0, end);
  };
  const wrong = [];
  const written = (name, text) => {
    const size = Buffer.byteLength(text);
    add(`${name} bytes`, () => Buffer.from(text).toString('hex'));
    for (const room of [size, size - 1, size - 2, next(size + 1)]) {
      const to = new Uint8Array(Math.max(room, 0));
      const { read, written } = new TextEncoder().encodeInto(text, to);
      const fits = fitting(text, to.length);
      if (
        read !== fits.length ||
        written !== Buffer.byteLength(fits) ||
        Buffer.compare(to.subarray(0, written), Buffer.from(fits)) !== 0 ||
        to.subarray(written).some((byte) => byte !== 0)
      ) {
        wrong.push(`${name} into ${room}: ${read} ${written}`);
      }
      add(`${name} write ${room}`, () => {
        const buffer = Buffer.alloc(to.length + 1, 1);
        return [buffer.write(text, 1), buffer.toString('hex')];
      });
    }
  };
  for (let round = 0; round < rounds; round += 1) {
    const widest = next(ranges.length);
    const length = next(round % 8 === 0 ? 9000 : 150);
    const text = Array.from({ length }, () => character(widest)).join('');
    const name = `${round} of ${widest}`;
    const bytes = Buffer.from(text);
    looked(name, bytes);
    written(name, text);
    if (bytes.length > 0) {
      const damaged = Buffer.from(bytes);
      damaged[next(damaged.length)] = next(256);
      looked(`${name} damaged`, damaged);
      looked(`${name} cut`, bytes.subarray(next(3), bytes.length - next(3)));
    }
    const base64 = bytes.toString(next(2) === 0 ? 'base64' : 'base64url');
    const at = next(base64.length + 1);
    const odd = ['\n', ' ', '=', '-', '_', '+', '\u00e9', '*', 'A', ''];
    const letters = `${base64.slice(0, at)}${odd[next(odd.length)]}${base64.slice(at)}`;
    for (const [kind, value] of [
      ['whole', base64],
      ['odd', letters],
      ['lines', base64.replace(/(.{76})/g, '$1\r\n')],
    ]) {
      add(`${name} base64 ${kind}`, () =>
        Buffer.from(value, 'base64').toString('hex'),
      );
      add(`${name} atob ${kind}`, () =>
        Buffer.from(atob(value), 'latin1').toString('hex'),
      );
      add(`${name} base64 ${kind} short`, () => {
        const to = Buffer.alloc(next(value.length + 1), 1);
        return [to.write(value, 'base64'), to.toString('hex')];
      });
    }
  }
  return { out, wrong };
}

test.each([1, 2, 3])('texts of seed %i', async (seed) => {
  const pool = WorkerPool.create('text-codecs', { workers: 1 });
  try {
    const input = { seed, rounds: 120 };
    const { out: here } = answers({ input });
    const { out: there, wrong } = await pool.run(answers, { input });
    expect(wrong).toEqual([]);
    expect(there.length).toBe(here.length);
    expect(here.length).toBeGreaterThan(3000);
    const different = there.flatMap((line, i) =>
      line === here[i] ? [] : [[line.slice(0, 200), here[i].slice(0, 200)]],
    );
    expect(different.slice(0, 5)).toEqual([]);
  } finally {
    await pool.stop();
  }
});

test('texts that are kept outside the heap', async () => {
  const job = ({ input }) => {
    const text = `${'é'.repeat(input)}x`;
    const bytes = Buffer.from(text);
    const read = bytes.toString();
    return [read === text, read.length, bytes.length];
  };
  const pool = WorkerPool.create('long-texts', { workers: 1 });
  try {
    for (const input of [131_071, 262_143, 262_144, 1_000_000]) {
      expect(await pool.run(job, { input })).toEqual(job({ input }));
    }
  } finally {
    await pool.stop();
  }
});
