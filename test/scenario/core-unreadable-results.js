'use strict';
// A value that changes while it is written is refused; it never reaches the
// other side half.

const { WorkerPool, assert, expectAlive, expectCode, pass } =
  require('./support/check.js');

const shrinking = {
  resized() {
    const buffer = new ArrayBuffer(64, { maxByteLength: 128 });
    const view = new Uint8Array(buffer, 0, 64);
    return {
      view,
      get later() {
        buffer.resize(8);
        return 1;
      },
    };
  },
  resizedTracking() {
    const buffer = new ArrayBuffer(64, { maxByteLength: 128 });
    const view = new Float64Array(buffer);
    return {
      view,
      get later() {
        buffer.resize(8);
        return 1;
      },
    };
  },
  resizedDataView() {
    const buffer = new ArrayBuffer(64, { maxByteLength: 128 });
    const view = new DataView(buffer, 8, 32);
    return {
      view,
      get later() {
        buffer.resize(8);
        return 1;
      },
    };
  },
  grownBuffer() {
    const buffer = new ArrayBuffer(8, { maxByteLength: 128 });
    return {
      buffer,
      get later() {
        buffer.resize(64);
        return 1;
      },
    };
  },
  shortenedArray() {
    const list = [
      1,
      {
        get x() {
          list.length = 0;
          return 1;
        },
      },
      3,
    ];
    return list;
  },
  deletedKey() {
    return {
      get a() {
        delete this.b;
        return 1;
      },
      b: 2,
      c: 3,
    };
  },
};

(async () => {
  const pool = WorkerPool.create('shrinking');
  for (const [name, make] of Object.entries(shrinking)) {
    console.log(name);
    const ok = name === 'shortenedArray' || name === 'deletedKey';
    const wanted = ok ? 'ok' : 'SerializationFailed';
    const beside = pool.run(() => 'beside');
    await expectCode(name, pool.run(make), wanted);
    assert.strictEqual(await beside, 'beside');
    await expectCode(
      name,
      pool.run(() => 1, { input: make() }),
      wanted,
    );
    await expectAlive(pool, name);
  }
  assert.deepStrictEqual(await pool.run(shrinking.shortenedArray), [
    1,
    { x: 1 },
    null,
  ]);
  assert.deepStrictEqual(await pool.run(shrinking.deletedKey), { a: 1, c: 3 });

  // Changed between encoding and submission, by the caller's own options.
  const buffer = new ArrayBuffer(64, { maxByteLength: 128 });
  await expectCode(
    'between',
    pool.run(() => 1, {
      input: { view: new Uint8Array(buffer, 0, 64) },
      get timeoutMs() {
        buffer.resize(8);
        return 60_000;
      },
    }),
    'SerializationFailed',
  );
  await expectAlive(pool, 'between');

  const shared = new SharedArrayBuffer(4);
  const view = new Uint8Array(shared).fill(7);
  assert.deepStrictEqual(
    await pool.run(({ input }) => input, { input: [view], transfer: [shared] }),
    [new Uint8Array([7, 7, 7, 7])],
  );
  await pool.stop();
  pass();
})();
