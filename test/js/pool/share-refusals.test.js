'use strict';
// Values that a pool refuses to share, in both runtimes.

const { WorkerPool } = require('../../../lib/pool/worker-pool.js');

const MB = 2 ** 20;
const version = ({ shared }) => shared.table?.version;

describe.each(['isolate', 'thread'])('share, runtime %s', (runtime) => {
  let pool;
  const create = (options) => {
    pool = WorkerPool.create('pool', { workers: 2, runtime, ...options });
    return pool;
  };
  const shared = () => pool.metrics().shared;
  afterEach(() => pool.stop({ drain: false, timeoutMs: 2000 }));

  test('refuses bad names, no value, and a name that is taken', () => {
    create();
    for (const name of [undefined, '', 7, 'x'.repeat(129), Symbol('x')]) {
      expect(() => pool.share(name, 1)).toThrow(TypeError);
    }
    expect(() => pool.share('table')).toThrow('requires a value');
    const table = pool.share('table', null);
    expect(() => pool.share('table', 1)).toThrow('"table" is shared already');
    expect(() => table.update()).toThrow('requires a value');
    table.release();
    expect(() => table.update(1)).toThrow('"table" was released');
    expect(table).toMatchObject({ name: 'table', bytes: 0, released: true });
    table.release();
    expect(pool.share('table', 2).released).toBe(false);
    expect(() => pool.share('__proto__', 2)).not.toThrow();
  });

  test('refuses what cannot travel, and what is too large for a worker', async () => {
    create({ memoryLimitMb: 16 });
    const codeOfCall = (call) => {
      try {
        return call();
      } catch ({ code, message }) {
        return [code, message];
      }
    };
    expect(codeOfCall(() => pool.share('f', () => {}))[0]).toBe(
      'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD',
    );
    const cycle = {};
    cycle.self = cycle;
    expect(codeOfCall(() => pool.share('cycle', cycle))[0]).toBe(
      'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED',
    );
    const table = pool.share('table', new Uint8Array(9 * MB));
    const [code, message] = codeOfCall(() =>
      pool.share('more', new Uint8Array(9 * MB)),
    );
    expect(code).toBe('SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED');
    expect(message).toContain('18.0 MB with "more"');
    expect(message).toContain('16 MB (memoryLimitMb)');
    // Instead of the other, not besides it.
    table.update(new Uint8Array(10 * MB));
    await expect(pool.run(({ shared }) => shared.table.length)).resolves.toBe(
      10 * MB,
    );
    expect(shared()).toMatchObject({ values: 1, bytes: table.bytes });
  });

  test('a value that changes itself while it is read is refused', async () => {
    create();
    const table = pool.share('table', { version: 1 });
    const value = {
      get version() {
        table.release();
        return 2;
      },
    };
    expect(() => table.update(value)).toThrow(
      '"table" was changed by a getter',
    );
    await expect(pool.run(version)).resolves.toBeUndefined();
  });
});
