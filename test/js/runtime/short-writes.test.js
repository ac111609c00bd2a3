'use strict';
// Short texts of ASCII are written into buffers without a call of C++: whatever
// the arguments are, the bytes and errors are those of Node.

const { WorkerPool } = require('../../../lib/index.js');

// Runs in both places. Gives a line for each answer.
function answers() {
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
  const { utf8Write } = Buffer.prototype;
  const units = ['a', '\u007f', '\u0080', '\u00e9', '\u20ac', '\ud800'];
  for (let length = 0; length <= 40; length += 1) {
    const text = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEF'.slice(0, length);
    const texts = [text];
    for (const unit of units) {
      for (const at of [0, length >> 1, length]) {
        texts.push(text.slice(0, at) + unit + text.slice(at));
      }
    }
    for (const [index, each] of texts.entries()) {
      const name = `${length} ${index}`;
      add(`from ${name}`, () => Buffer.from(each).toString('hex'));
      for (const room of [0, length - 1, length, length + 1, length + 9]) {
        add(`into ${room} ${name}`, () => {
          const to = Buffer.alloc(Math.max(room, 0), 1);
          return [to.write(each), to.toString('hex')];
        });
        add(`at 3 into ${room} ${name}`, () => {
          const to = Buffer.alloc(room + 6, 1);
          return [to.utf8Write(each, 3, room), to.toString('hex')];
        });
      }
    }
  }
  const places = [0, 1, 7, 8, 9, -1, 1.5, 2 ** 32, 2 ** 32 + 1, -0, '2', null];
  for (const offset of [...places, Number.NaN, undefined, {}]) {
    for (const length of [...places, Number.NaN, undefined]) {
      add(`${String(offset)} ${String(length)}`, () => {
        const to = Buffer.alloc(8, 1);
        const written = utf8Write.call(to, 'abc', offset, length);
        return [written, to.toString('hex')];
      });
    }
  }
  const memory = new ArrayBuffer(16);
  const targets = {
    bytes: new Uint8Array(8),
    inside: new Uint8Array(memory, 3, 8),
    shared: new Uint8Array(new SharedArrayBuffer(8)),
    lies: Object.defineProperty(new Uint8Array(2), 'length', { value: 9 }),
    names: Object.defineProperty(new Uint8Array(8), Symbol.toStringTag, {
      value: 'Float64Array',
    }),
    big: new Uint8Array(new ArrayBuffer(8, { maxByteLength: 16 })),
    signed: new Int8Array(8),
    words: new Uint16Array(8),
    view: new DataView(new ArrayBuffer(8)),
    numbers: [1, 2, 3, 4, 5, 6, 7, 8],
    object: { length: 8, byteLength: 8 },
    text: 'abcdefgh',
    nothing: undefined,
  };
  for (const [name, to] of Object.entries(targets)) {
    for (const text of ['abc', 'ab\u00e9', '', 5, undefined, Object('abc')]) {
      add(`${name} of ${typeof text} ${text}`, () => {
        const written = utf8Write.call(to, text, 1, 4);
        const bytes = ArrayBuffer.isView(to)
          ? [...new Uint8Array(to.buffer, to.byteOffset, to.byteLength)]
          : String(to);
        return [written, bytes];
      });
    }
  }
  add('around', () => [...new Uint8Array(memory)]);
  add('detached', () => {
    const to = new Uint8Array(8);
    structuredClone(to.buffer, { transfer: [to.buffer] });
    return [utf8Write.call(to, '', 0, 0), utf8Write.call(to, 'abc', 0, 0)];
  });
  return out;
}

// What a job replaces is not asked.
function replaced() {
  const found = Buffer.from('before').toString();
  const bytes = Buffer.alloc(8);
  const { charCodeAt } = String.prototype;
  String.prototype.charCodeAt = () => 120;
  const proto = Object.getPrototypeOf(Uint8Array.prototype);
  const length = Object.getOwnPropertyDescriptor(proto, 'length');
  Object.defineProperty(proto, 'length', { configurable: true, get: () => 0 });
  let written;
  try {
    written = bytes.utf8Write('after', 0, 8);
  } finally {
    String.prototype.charCodeAt = charCodeAt;
    Object.defineProperty(proto, 'length', length);
  }
  return [found, written, bytes.toString('latin1')];
}

describe('short texts', () => {
  let pool;
  beforeAll(() => {
    pool = WorkerPool.create('short-writes', { workers: 1 });
  });
  afterAll(() => pool.stop());

  test('are written as by Node', async () => {
    const here = answers();
    const there = await pool.run(answers);
    expect(there.length).toBe(here.length);
    expect(here.length).toBeGreaterThan(8000);
    const different = there.flatMap((line, i) =>
      line === here[i] ? [] : [[line, here[i]]],
    );
    expect(different.slice(0, 10)).toEqual([]);
  });

  test('are written by built-ins as they were', async () => {
    const [found, written, text] = await pool.run(replaced);
    expect([found, written, text]).toEqual(['before', 5, 'after\0\0\0']);
  });
});
