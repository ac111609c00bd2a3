'use strict';

// node:v8's serializer and its figures in isolates, held against a thread of
// Node's own: bytes, values, errors.

const { answersAsInNode } = require('./as-in-node-support.js');

answersAsInNode({
  'values have the same bytes, and come back': async () => {
    const { serialize, deserialize } = await import('node:v8');
    const { inspect } = await import('node:util');
    const cycle = { name: 'c' };
    cycle.self = cycle;
    const error = new RangeError('m', { cause: 1 });
    error.stack = 'S';
    const values = [
      ...[undefined, null, true, -0, 1, 2 ** 40, Number.NaN, 10n, -(2n ** 80n)],
      ...[
        '',
        'abc',
        'é',
        'Ж',
        [1, 2.5, 'x'],
        new Array(2),
        { a: { b: [] } },
        cycle,
      ],
      ...[new Date(5), new Date(Number.NaN), /a\/b/gi, error],
      ...[new Map([[1, { a: 2 }]]), new Set(['x', 2n]), Object(1), Object('s')],
      ...[Buffer.from([1, 2]), new Uint8Array(3), new Int16Array([-1])],
      ...[new Float64Array([0.1]), new BigUint64Array([7n])],
      ...[new DataView(new ArrayBuffer(4), 1), new ArrayBuffer(3)],
      new Uint8Array(new SharedArrayBuffer(2)).fill(9),
      Object.assign(Object.create(null), { k: 'v' }),
    ];
    return values.map((value) => {
      const bytes = serialize(value);
      return [bytes.toString('hex'), inspect(deserialize(bytes))];
    });
  },

  'what cannot be cloned is refused': async () => {
    const { serialize, DefaultSerializer, Serializer } = await import(
      'node:v8'
    );
    const outcome = (call) => {
      try {
        return call();
      } catch (error) {
        return [error.name, error.message, error.code, Object.keys(error)];
      }
    };
    const values = [
      ...[() => 1, Symbol('s'), new WeakMap(), Promise.resolve()],
      ...[
        new Proxy({}, {}),
        new WebAssembly.Module(Buffer.from('AGFzbQEAAAA=', 'base64')),
      ],
      Object.defineProperty(new Uint8Array(1), Symbol.toStringTag, {
        value: 'x',
      }),
      {
        get a() {
          throw new RangeError('of a getter');
        },
      },
    ];
    const made = (change, value) => {
      const serializer = new DefaultSerializer();
      Object.assign(serializer, change);
      return outcome(() => serializer.writeValue(value));
    };
    return [
      ...values.map((value) => outcome(() => serialize(value).length)),
      made({ _getDataCloneError: (text) => ({ name: text }) }, () => 1),
      made({ _getDataCloneError: () => new TypeError('own') }, Symbol('s')),
      made({ _writeHostObject: undefined }, new Uint8Array(1)),
      made({ _writeHostObject: () => 1 }, new Uint8Array(1)),
      outcome(() => new Serializer().writeValue(new Uint8Array(2))),
    ];
  },

  'each method takes what Node takes, and refuses the rest': async () => {
    const v8 = await import('node:v8');
    const { inspect } = await import('node:util');
    const outcome = (call) => {
      try {
        return call();
      } catch (error) {
        const { code, message, name } = error;
        return `${name} ${code} ${message}`;
      }
    };
    const thrower = {
      valueOf() {
        throw new Error('asked');
      },
    };
    const buffers = [new ArrayBuffer(2), new SharedArrayBuffer(2)];
    // A view of its own: Buffer.from's shows a pool.
    const bytes = new Uint8Array(
      Buffer.from('ff0f6f2203666f6f5e007b01', 'hex'),
    );
    const lists = [
      ...[[], [-1.5, 2 ** 33 + 1], [thrower, 1], [Symbol('s')], [10n, 1n]],
      ...[['7', '8'], [new Uint16Array([1, 2])], [{ valueOf: () => 3 }]],
      ...buffers.map((buffer) => [1, buffer]),
    ];
    const said = [];
    for (const [name, make] of [
      ['Serializer', () => new v8.Serializer()],
      ['Deserializer', () => new v8.Deserializer(bytes)],
    ]) {
      const { prototype } = v8[name];
      said.push([name, v8[name].length, outcome(() => v8[name]())]);
      for (const key of Reflect.ownKeys(prototype)) {
        if (key === 'constructor') continue;
        const { value, ...flags } = Object.getOwnPropertyDescriptor(
          prototype,
          key,
        );
        said.push([key, value.name, value.length, flags]);
        said.push(outcome(() => value.call({})).toString());
        for (const list of lists) {
          const object = make();
          const answer = outcome(() => object[key](...list));
          // An error of the base class is a call of its constructor.
          if (key === '_getDataCloneError') continue;
          said.push([
            inspect(answer),
            object.releaseBuffer?.().toString('hex'),
          ]);
        }
      }
    }
    for (const value of [1, null, 'x', new ArrayBuffer(2)]) {
      said.push(outcome(() => v8.deserialize(value)));
    }
    return said;
  },

  'host objects and buffers beside the bytes': async () => {
    const { Serializer, Deserializer, DefaultDeserializer } = await import(
      'node:v8'
    );
    const { inspect } = await import('node:util');
    const buffer = new ArrayBuffer(8);
    const shared = new SharedArrayBuffer(4);
    class Own extends Serializer {
      _writeHostObject(view) {
        this.writeUint32(view.byteLength);
        this.writeDouble(-0.25);
        this.writeUint64(1, 2);
        this.writeRawBytes(view);
      }
      _getSharedArrayBufferId(asked) {
        return asked === shared ? 5 : 6;
      }
    }
    const serializer = new Own();
    serializer._setTreatArrayBufferViewsAsHostObjects(true);
    serializer.transferArrayBuffer(3, buffer);
    serializer.writeHeader();
    serializer.writeValue({ buffer, view: new Uint8Array([1, 2, 3]) });
    const bytes = serializer.releaseBuffer();
    const deserializer = new Deserializer(bytes);
    deserializer._readHostObject = function () {
      const size = this.readUint32();
      const numbers = [this.readDouble(), this.readUint64()];
      return { numbers, bytes: this.readRawBytes(size) };
    };
    deserializer.transferArrayBuffer(3, new ArrayBuffer(1));
    const value = [deserializer.readHeader(), deserializer.readValue()];
    const other = new Own();
    other.writeValue([shared, shared, new SharedArrayBuffer(1)]);
    const outcomes = [undefined, () => 1, () => ({ own: true })].map((read) => {
      const reader = new DefaultDeserializer(Buffer.from('ff0f5c', 'hex'));
      reader._readHostObject = read;
      reader.readHeader();
      try {
        return reader.readValue();
      } catch (error) {
        return [error.name, error.message];
      }
    });
    return [
      bytes.toString('hex'),
      inspect(value, { depth: 5 }),
      other.releaseBuffer().toString('hex'),
      outcomes,
    ];
  },

  'damaged bytes give the same values and errors': async () => {
    const { serialize, deserialize, Deserializer } = await import('node:v8');
    const { inspect } = await import('node:util');
    let state = 7;
    const below = (most) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * most);
    };
    const error = new RangeError('m');
    error.stack = 'S';
    const sparse = [];
    sparse[1] = 1;
    sparse[3] = 3;
    const seeds = [
      { a: 1, b: 'text', c: [1, 2, 3] },
      ...[sparse, [1, 'a', { b: 2 }, [3]], [1.5, 2.5], 'Жunicode'],
      new Map([
        [1, { a: 2 }],
        ['k', new Set([1, 2n])],
      ]),
      ...[new Date(5), /a\/b/gi, 2n ** 90n, error, Object('s')],
      ...[new Uint16Array([1, 2, 3]), new ArrayBuffer(7), Buffer.alloc(5, 7)],
    ].map((value) => serialize(value));
    const tags = Buffer.from('_0TFINZUnDoO{aA$@;:\',RcCBV~\\^tumwpr"s=|');
    const said = [];
    for (let round = 0; round < 4000; round += 1) {
      const bytes = Buffer.concat([
        seeds[below(seeds.length)],
        Buffer.alloc(2),
      ]);
      for (let change = below(3); change >= 0; change -= 1) {
        const at = 2 + below(bytes.length - 2);
        bytes[at] = below(2) === 0 ? tags[below(tags.length)] : below(256);
      }
      const damaged = bytes.subarray(0, 2 + below(bytes.length - 1));
      try {
        if (round % 3 === 0) {
          const reader = new Deserializer(damaged);
          if (round % 2 === 0) reader.readHeader();
          said.push(inspect(reader.readValue()));
        } else {
          said.push(inspect(deserialize(damaged)));
        }
      } catch (thrown) {
        said.push(`${thrown.name} ${thrown.message}`);
      }
    }
    return said;
  },

  'bytes that go away while they are read': async () => {
    const { serialize, DefaultDeserializer } = await import('node:v8');
    const source = serialize([new Uint8Array(3), 'x'.repeat(5000), 'end']);
    const buffer = new ArrayBuffer(source.length);
    const view = new Uint8Array(buffer);
    view.set(source);
    const reader = new DefaultDeserializer(view);
    reader._readHostObject = function () {
      structuredClone(buffer, { transfer: [buffer] });
      this.readUint32();
      this._readRawBytes(this.readUint32());
      return {};
    };
    reader.readHeader();
    return [reader.readValue().map((item) => item.length), view.length];
  },

  'bytes of a buffer that shrinks, and of shared memory': async () => {
    const { serialize, deserialize, DefaultDeserializer } = await import(
      'node:v8'
    );
    const source = serialize([new Uint8Array(3), 'x'.repeat(5000), 'end']);
    const shared = new Uint8Array(new SharedArrayBuffer(source.length));
    shared.set(source);
    const options = { maxByteLength: source.length * 2 };
    const buffer = new ArrayBuffer(source.length, options);
    new Uint8Array(buffer).set(source);
    const views = [new Uint8Array(buffer), new DataView(buffer), shared];
    return views.map((view) => {
      const reader = new DefaultDeserializer(view);
      reader.readHeader();
      return [reader.readValue().length, deserialize(view)[1].length];
    });
  },

  'figures have the same names and kinds': async () => {
    const v8 = await import('node:v8');
    const kinds = (object) =>
      Object.entries(object).map(([name, value]) => [name, typeof value]);
    const heap = v8.getHeapStatistics();
    return {
      heap: kinds(heap),
      isUsed: heap.used_heap_size > 0 && heap.total_heap_size > 0,
      spaces: v8.getHeapSpaceStatistics().map((space) => kinds(space)),
      names: v8.getHeapSpaceStatistics().map((space) => space.space_name),
      code: kinds(v8.getHeapCodeStatistics()),
      tag: v8.cachedDataVersionTag(),
      widths: ['a', 'Ж'].map((text) =>
        v8.isStringOneByteRepresentation?.(text),
      ),
      isBuilding: v8.startupSnapshot.isBuildingSnapshot(),
    };
  },

  'its names are those of this Node': async () => {
    const v8 = await import('node:v8');
    return Object.entries(v8.default).map(([name, value]) => [
      name,
      typeof value === 'object' ? Object.keys(value) : typeof value,
    ]);
  },

  'hooks of promises, beside stores': async () => {
    const { promiseHooks } = await import('node:v8');
    const { AsyncLocalStorage } = await import('node:async_hooks');
    const store = new AsyncLocalStorage();
    const counts = { init: 0, before: 0, after: 0, settled: 0 };
    const stores = [];
    const watched = new Set();
    const count = (kind) => (promise) => {
      if (watched.has(promise)) counts[kind] += 1;
    };
    let resolve;
    const first = new Promise((done) => {
      resolve = done;
    });
    const stop = promiseHooks.createHook({
      init(promise, parent) {
        if (parent === first) watched.add(promise);
      },
      before: count('before'),
      after: count('after'),
      settled: count('settled'),
    });
    const second = store.run('in', () =>
      first.then(() => stores.push(store.getStore())),
    );
    resolve();
    await second;
    stop();
    const later = first.then(() => stores.push(store.getStore()));
    await later;
    return [counts, watched.size, watched.has(second), stores];
  },
});
