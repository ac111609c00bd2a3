'use strict';

const {
  copyPayload,
  MAX_PAYLOAD_DEPTH,
} = require('../../../lib/payload/copy-payload.js');

const bytesOf = (value) => copyPayload(value).bytes;

describe('copyPayload', () => {
  test('reads each property once, in order, and only through own keys', () => {
    const reads = [];
    const source = new Proxy(
      { b: 1, a: { c: 2 } },
      {
        get(target, key) {
          reads.push(key);
          return target[key];
        },
      },
    );
    expect(copyPayload(source).value).toEqual({ b: 1, a: { c: 2 } });
    expect(reads).toEqual(['b', 'a']);
  });

  test('drops a property that a getter deletes before its turn', () => {
    const source = {
      get first() {
        delete source.second;
        return 1;
      },
      second: 2,
    };
    expect(copyPayload(source).value).toEqual({ first: 1 });
  });

  test('copies an array as long as it was when it began', () => {
    const source = [0];
    Object.defineProperty(source, 0, {
      get() {
        source.push(source.length);
        return 'x';
      },
    });
    expect(copyPayload(source).value).toEqual(['x']);
  });

  test('shares no bytes with the original', () => {
    const source = { view: new Uint8Array([1, 2]), buffer: new ArrayBuffer(2) };
    const { value } = copyPayload(source);
    source.view[0] = 9;
    new Uint8Array(source.buffer)[0] = 9;
    expect(value.view).toEqual(new Uint8Array([1, 2]));
    expect(new Uint8Array(value.buffer)).toEqual(new Uint8Array(2));
  });

  test('copies an enormous sparse array by its entries', () => {
    const source = [];
    source.length = 2 ** 32 - 1;
    source[4_000_000_000] = { deep: [1] };
    source.name = 'left out';
    const { value } = copyPayload(source);
    expect(value).toHaveLength(2 ** 32 - 1);
    expect(Object.keys(value)).toEqual(['4000000000']);
    expect(value[4_000_000_000]).toEqual({ deep: [1] });
  });

  test('does not trigger setters of Object.prototype', () => {
    const { runInNewContext } = require('node:vm');
    const swallowed = [];
    Object.defineProperty(Object.prototype, 'trapped', {
      set: (value) => swallowed.push(value),
      get: () => 'inherited',
      configurable: true,
    });
    try {
      const source = runInNewContext('({ trapped: 1 })');
      expect(copyPayload(source).value.trapped).toBe(1);
      expect(swallowed).toEqual([]);
    } finally {
      delete Object.prototype.trapped;
    }
  });

  test('holes stay holes, or are null where the copy is dense', () => {
    const source = [1];
    source[2] = undefined;
    source.length = 4;
    const { value } = copyPayload(source);
    expect(Object.keys(value)).toEqual(['0', '2']);
    expect(value).toHaveLength(4);
    expect(value[2]).toBeNull();
    expect(copyPayload(source, true).value).toEqual([1, null, null, null]);
  });

  test('says of what is nested too deeply that it is', () => {
    const nested = (depth) => {
      let value = [];
      for (let i = 1; i < depth; i += 1) value = i % 2 ? [value] : { value };
      return value;
    };
    expect(() => copyPayload(nested(MAX_PAYLOAD_DEPTH))).not.toThrow();
    expect(() => copyPayload(nested(MAX_PAYLOAD_DEPTH + 1))).toThrow(
      'worker payload is nested too deeply',
    );
    // One beside the other is not deeper.
    const wide = Array.from({ length: 3 }, () => nested(MAX_PAYLOAD_DEPTH - 1));
    expect(() => copyPayload(wide)).not.toThrow();
  });

  test('of two buffers only the one that moves is not copied', () => {
    const moves = new Uint8Array([1, 2]);
    const stays = new Uint8Array([3, 4]);
    const data = new DataView(stays.buffer, 1);
    const { value, moved } = copyPayload({ moves, stays, data }, false, [
      moves.buffer,
    ]);
    expect(moved).toEqual([moves.buffer]);
    expect(value.moves).toBe(moves);
    expect(value.stays).not.toBe(stays);
    expect(value.stays).toEqual(stays);
    expect(value.data.getUint8(0)).toBe(4);
  });

  test('a getter may copy another payload meanwhile', () => {
    const source = {
      before: 'x',
      get inner() {
        return copyPayload([1, 2]).value;
      },
    };
    expect(copyPayload(source)).toEqual(
      copyPayload({ before: 'x', inner: [1, 2] }),
    );
  });

  test('bytes: 8 for a value, 1 for a character or a byte', () => {
    expect(bytesOf(null)).toBe(8);
    expect(bytesOf(12345)).toBe(8);
    expect(bytesOf('four')).toBe(12);
    expect(bytesOf([true, false])).toBe(24);
    expect(bytesOf({ key: 'four' })).toBe(8 + 3 + 12);
    expect(bytesOf(new ArrayBuffer(100))).toBe(108);
    expect(bytesOf(new Float64Array(10).subarray(5))).toBe(48);
    expect(bytesOf(new DataView(new ArrayBuffer(10), 6))).toBe(12);
  });
});

/** The buffer is as large as that, and then smaller. */
function shrunk(view) {
  view.buffer.resize(4);
  return view;
}
const resizable = () => new ArrayBuffer(16, { maxByteLength: 16 });

describe('copyPayload of what moves', () => {
  const move = (value, ...transfer) => copyPayload(value, false, transfer);
  const code = 'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED';

  test('a buffer moves once, and counts once', () => {
    const buffer = new ArrayBuffer(100);
    const [octets, data] = [new Uint8Array(buffer, 50), new DataView(buffer)];
    const copy = move([octets, buffer, data, buffer], buffer);
    expect(copy.value[0]).toBe(octets);
    expect(copy.value[1]).toBe(buffer);
    expect(copy.value[2]).toBe(data);
    expect(copy.moved).toEqual([buffer]);
    expect(copy.bytes).toBe(8 + 4 * 8 + 100);
    expect(copy.nodeBuffers).toEqual([]);
  });

  test('a Buffer that moves stays one, as does one that is copied', () => {
    const moves = Buffer.from(new ArrayBuffer(8));
    const stays = Buffer.from('ab');
    const { value, nodeBuffers } = move({ moves, stays }, moves.buffer);
    expect(value.moves).toBe(moves);
    expect(value.stays).not.toBe(stays);
    expect(`${value.stays}`).toBe('ab');
    expect(nodeBuffers).toEqual([moves, value.stays]);
    expect(nodeBuffers[1]).toBe(value.stays);
  });

  test('a copy of octets is no Buffer, and one of other views neither', () => {
    for (const view of [Uint8Array.of(1), Uint8ClampedArray.of(1)]) {
      const { value, nodeBuffers } = copyPayload(view);
      expect(value.constructor).toBe(view.constructor);
      expect(nodeBuffers).toEqual([]);
    }
  });

  test('one that Node keeps is copied', () => {
    const { buffer } = Buffer.from('of the pool');
    const { value, moved } = move(buffer, buffer);
    expect(value).not.toBe(buffer);
    expect(moved).toEqual([]);
  });

  test.each([
    ['octets', () => shrunk(new Uint8Array(resizable(), 8))],
    ['a DataView', () => shrunk(new DataView(resizable(), 8))],
  ])('%s out of the bounds of a buffer are refused', (_, make) => {
    const view = make();
    expect(() => move(view, view.buffer)).toThrow(code);
    expect(() => copyPayload(view)).toThrow(code);
  });

  test('so is a buffer that has moved', () => {
    const buffer = new ArrayBuffer(8);
    const view = new Uint8Array(buffer);
    structuredClone(buffer, { transfer: [buffer] });
    for (const value of [buffer, view]) {
      expect(() => move(value, buffer)).toThrow(code);
      expect(() => copyPayload(value)).toThrow(code);
    }
  });
});

describe('copyPayload refuses', () => {
  const cycle = {};
  cycle.self = [cycle];
  const circle = [];
  circle[0] = { circle };

  test.each([
    ['an object in itself', cycle, 'MESSAGE_SERIALIZATION_FAILED'],
    ['an array in itself', circle, 'MESSAGE_SERIALIZATION_FAILED'],
    ['NaN', [Number.NaN], 'UNSUPPORTED_PAYLOAD'],
    ['a function', [() => 1], 'UNSUPPORTED_PAYLOAD'],
    ['a Date', new Date(0), 'UNSUPPORTED_PAYLOAD'],
    ['shared memory', new SharedArrayBuffer(1), 'UNSUPPORTED_PAYLOAD'],
  ])('%s', (_, value, end) => {
    expect(() => copyPayload(value)).toThrow(`SLOPPY_E_WORKER_${end}`);
  });

  test('a cycle by its name, not as one that is too deep', () => {
    expect(() => copyPayload(cycle)).toThrow('cycle');
    expect(() => copyPayload([() => 1])).not.toThrow('deep');
  });

  test('what is larger than it may be, early', () => {
    const most = (value, bytes) => () => copyPayload(value, false, [], bytes);
    const tooLarge = 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED';
    expect(most([1, 2], 24)).not.toThrow();
    expect(most([1, 2], 23)).toThrow(tooLarge);
    const holes = new Array(100);
    expect(most(holes, 100)).not.toThrow();
    expect(most(holes, 99)).toThrow(tooLarge);
    // Where holes become null, each counts.
    expect(() => copyPayload(holes, true, [], 807)).toThrow(tooLarge);
    expect(copyPayload(holes, true, [], 808).bytes).toBe(808);
  });

  test('one object in two places is no cycle', () => {
    const twice = { n: [1] };
    expect(copyPayload([twice, twice]).value).toEqual([twice, twice]);
  });
});

describe('copyPayload of long arrays', () => {
  const long = (entries) =>
    Object.assign(new Array(2 ** 25 + 1), entries, { '01': 1, '-1': 1 });

  test('copies indices only', () => {
    const { value } = copyPayload(long({ 5: 'five' }));
    expect(Object.keys(value)).toEqual(['5']);
    expect(value).toHaveLength(2 ** 25 + 1);
  });
});

test('elements do not trigger accessors of Array.prototype', () => {
  let swallowed = 0;
  Object.defineProperty(Array.prototype, 0, {
    set() {
      swallowed += 1;
    },
    configurable: true,
  });
  let copy;
  try {
    copy = copyPayload(JSON.parse('["a","b"]')).value;
  } finally {
    delete Array.prototype[0];
  }
  expect(Object.entries(copy)).toEqual([
    ['0', 'a'],
    ['1', 'b'],
  ]);
  expect(swallowed).toBe(0);
});

test('a key that Object.prototype has is an own one, as any other', () => {
  const { value } = copyPayload(
    JSON.parse('{"__proto__":{"a":1},"toString":2}'),
  );
  expect(Object.keys(value)).toEqual(['__proto__', 'toString']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.getOwnPropertyDescriptor(value, 'toString')).toEqual({
    value: 2,
    writable: true,
    enumerable: true,
    configurable: true,
  });
});
