// biome-ignore-all lint/security/noGlobalEval: it is what is forbidden
'use strict';
// The option `sandbox`, and what a pool tells of its layers.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {
  TIME,
  codeOf,
  describeHere,
  sandboxes,
  withArguments,
} = require('./support.js');
const { WorkerPool } = require('../../../../lib/index.js');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const create = sandboxes();

describeHere('what is told', () => {
  test('the layers that hold', async () => {
    const pool = create();
    const state = await pool.sandbox();
    expect(Object.keys(state.layers)).toEqual([
      'user',
      'namespaces',
      'landlock',
      'capabilities',
      'limits',
      'seccomp',
    ]);
    expect(state.layers).toMatchObject({ limits: true, seccomp: true });
    expect(state).toMatchObject({ jit: false, processes: 1 });
  });

  test('a layer that is missing: nothing has run', async () => {
    // All but the capabilities.
    withArguments({ layers: 63 - 8 });
    const pool = create({ sandbox: { require: ['capabilities'] } });
    const error = await pool.run(() => 1).catch((thrown) => thrown);
    withArguments({});
    expect(error.code).toBe('SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE');
    expect(error.cause).toMatchObject({ layer: 'capabilities' });
  });

  test('sandbox() refuses as jobs do', async () => {
    withArguments({ layers: 63 - 32 });
    const refused = codeOf(create().sandbox());
    await expect(refused).resolves.toBe('SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE');
    withArguments({});
  });
});

describeHere('options', () => {
  const creating = (options) => () => WorkerPool.create('x', options);

  test.each([
    [{ sandbox: true }, /runTimeoutMs/],
    [{ ...TIME, sandbox: 'yes' }, /sandbox must be/],
    [{ ...TIME, sandbox: { jitt: true } }, /did you mean "jit"/],
    [{ ...TIME, sandbox: { jit: 1 } }, /jit must be a boolean/],
    [{ ...TIME, sandbox: { spares: -1 } }, /spares/],
    [{ ...TIME, sandbox: { require: ['all'] } }, /require must be some of/],
    [{ ...TIME, sandbox: { roots: ['/nowhere/at/all'] } }, /that exist/],
    [{ ...TIME, sandbox: true, runtime: 'thread' }, /runtime "isolate"/],
    [{ ...TIME, sandbox: true, isolation: 'context' }, /isolation/],
    [{ ...TIME, sandbox: true, codeCache: '/tmp/x' }, /codeCache/],
    [{ ...TIME, sandbox: true, payload: 'clone' }, /payload/],
    [{ ...TIME, sandbox: true, cpuLimitMs: 5 }, /cpuLimitMs/],
  ])('%j is refused', (options, text) => {
    expect(creating(options)).toThrow(TypeError);
    expect(creating(options)).toThrow(text);
  });

  test('no call lifts the limit of time', async () => {
    const endless = create().run(() => 1, { runTimeoutMs: Infinity });
    await expect(endless).rejects.toThrow(/limit of time/);
  });

  test.each([
    ['argv', ['a']],
    ['env', { A: 'b' }],
    ['nice', 1],
    ['recycleAboveMb', 100],
    ['concurrentJobsPerWorker', 2],
  ])('%s does not go with it', (name, value) => {
    expect(() => create({ [name]: value })).toThrow(TypeError);
  });

  test('no figures of processes', async () => {
    const pool = create();
    await pool.run(() => 1);
    expect(await codeOf(pool.stats())).toBe(
      'SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE',
    );
    await pool.recycle();
    expect(await pool.run(() => 2)).toBe(2);
  });

  test('no job is for a given process', async () => {
    await expect(create().broadcast(() => 1)).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE',
      hint: expect.stringContaining('share a value'),
    });
  });

  test('without the option there is nothing to tell', async () => {
    const pool = WorkerPool.create('plain');
    await expect(pool.sandbox()).rejects.toThrow(/option sandbox/);
    await pool.stop();
  });

  test('eval can be forbidden', async () => {
    const pool = create({ allowEval: false });
    const error = await pool
      .run(() => globalThis.eval('1'))
      .catch((thrown) => thrown);
    expect(error.cause.name).toBe('EvalError');
    await expect(create().run(() => globalThis.eval('1 + 1'))).resolves.toBe(2);
  });

  test('with jit there is all of WebAssembly', async () => {
    const input = new Uint8Array([
      ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0],
      ...[7, 5, 1, 1, 102, 0, 0, 10, 6, 1, 4, 0, 65, 42, 11],
    ]);
    const pool = create({ sandbox: { jit: true } });
    const job = ({ input: bytes }) => {
      const module = new WebAssembly.Module(bytes);
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 2 });
      const { f } = new WebAssembly.Instance(module).exports;
      return [f(), memory.grow(1), memory.buffer.byteLength];
    };
    await expect(pool.run(job, { input })).resolves.toEqual([42, 1, 131072]);
  });

  test('without jit there is no WebAssembly', async () => {
    const kind = () => typeof WebAssembly;
    await expect(create().run(kind)).resolves.toBe('undefined');
    const pool = create({ sandbox: { jit: true } });
    await expect(pool.run(kind)).resolves.toBe('object');
  });
});
