'use strict';
// The options of processes, and what travels to them.

const { realpathSync, rmSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { SHARE_ENV } = require('node:worker_threads');

const { WorkerPool } = require('../../../../lib/index.js');
const {
  GIVEN_AWAY,
} = require('../../../../lib/executors/owned/sharing-executor.js');
const {
  ProcessPool,
} = require('../../../../lib/executors/process/process-pool.js');
const { Code } = require('../../../../lib/protocol/diagnostics.gen.js');
const { folderWith, removeFolders } = require('../../modules/support.js');
const { createPool, stopAll } = require('./support.js');

afterEach(stopAll);
afterAll(removeFolders);

const inProcess = (options, fn) => createPool(options).run(fn);

test('argv', async () => {
  const read = () => process.argv.slice(2);
  expect(await inProcess({ argv: ['a', 'b c'] }, read)).toEqual(['a', 'b c']);
});

test('cwd, as a path or URL', async () => {
  const folder = realpathSync(folderWith({}));
  const read = () => process.cwd();
  expect(await inProcess({ cwd: folder }, read)).toBe(folder);
  expect(await inProcess({ cwd: pathToFileURL(folder) }, read)).toBe(folder);
  expect(await inProcess({}, read)).toBe(process.cwd());
});

test('a cwd that goes away while its process runs', async () => {
  const folder = join(folderWith({ 'in/file': '' }), 'in');
  const pool = createPool({ cwd: folder, workers: 1 });
  expect(await pool.run(() => 1)).toBe(1);
  rmSync(folder, { recursive: true });
  expect(await pool.run(() => 2)).toBe(2);
});

test('a cwd that is missing is why there is no process', async () => {
  const pool = createPool({ cwd: '/there/is/none' });
  const error = await pool.run(() => 1).catch((each) => each);
  expect(error.code).toBe(Code.PoolUnavailable);
  expect(error.cause.message).toMatch('cwd does not exist');
});

test('env: this one or a copy', async () => {
  const set = () => {
    process.env.SW_SET_BY_JOB = 'set';
    return process.env.SW_ONLY_HERE ?? null;
  };
  const env = { ...process.env, SW_ONLY_HERE: 'here' };
  expect(await inProcess({ env }, set)).toBe('here');
  expect(await inProcess({}, set)).toBeNull();
  expect(process.env.SW_SET_BY_JOB).toBeUndefined();
});

test("env that names a channel of Node's, as that of a forked process", async () => {
  const channel = {
    NODE_CHANNEL_FD: '3',
    NODE_CHANNEL_SERIALIZATION_MODE: 'advanced',
  };
  const env = { ...process.env, ...channel, SW_ONLY_HERE: 'here' };
  const read = () => [process.env.SW_ONLY_HERE, typeof process.send];
  expect(await inProcess({ env }, read)).toEqual(['here', 'undefined']);
  Object.assign(process.env, channel);
  try {
    expect(await inProcess({}, read)).toEqual([null, 'undefined']);
  } finally {
    for (const name of Object.keys(channel)) delete process.env[name];
  }
});

test('execArgv', async () => {
  const preload = join(
    folderWith({ 'preload.cjs': 'globalThis.preloaded = true;' }),
    'preload.cjs',
  );
  const execArgv = ['--require', preload, '--expose-gc'];
  const read = () => [globalThis.preloaded, typeof globalThis.gc];
  expect(await inProcess({ execArgv }, read)).toEqual([true, 'function']);
});

test.each([
  ['execArgv', { execArgv: ['--no-such-flag'] }, 9],
  ['execArgv', { execArgv: ['--require', '/none/such.js'] }, 1],
  ['NODE_OPTIONS', { env: { NODE_OPTIONS: '--no-such-flag' } }, 9],
])('a process that does not start for its %s', async (_name, options, code) => {
  const pool = createPool({ workers: 1, stdio: () => {}, ...options });
  const errors = [];
  for (let i = 0; i < 4; i += 1) {
    errors.push(await pool.run(() => 1).catch((error) => error));
  }
  const { cause } = errors[0];
  expect(errors.map((error) => error.code)).toEqual([
    ...new Array(3).fill('SLOPPY_E_WORKER_CRASHED'),
    'SLOPPY_E_WORKER_POOL_UNAVAILABLE',
  ]);
  expect(cause.message).toMatch(/before it took jobs: .* execArgv/);
  expect(cause).toMatchObject({ exitCode: code, signal: null });
  expect(cause.stderr).toMatch(/such/);
});

test('execArgv of this process, without what is its own', async () => {
  const own = ['--watch-path', 'src', '--inspect-port=0', '-e', '-1'];
  const { execArgv } = process;
  process.execArgv = [...own, '--expose-gc', '--title', 'ours'];
  try {
    const read = () => process.execArgv.slice(0, -1);
    expect(await inProcess({}, read)).toEqual(process.execArgv.slice(5));
  } finally {
    process.execArgv = execArgv;
  }
});

test('stdio', async () => {
  const texts = [];
  const pool = createPool({
    workers: 1,
    stdio: (text, { fd, worker }) => texts.push(`${worker}:${fd}:${text}`),
  });
  await pool.run(() => {
    console.log('out ж');
    console.error('err');
  });
  await pool.stop();
  expect(texts.sort()).toEqual(['1:1:out ж\n', '1:2:err\n']);
});

test.each([
  ['cwd', 5],
  ['cwd', ''],
  ['cwd', new URL('http://x/')],
  ['stdio', 'pipe'],
  ['stdio', ['inherit']],
  ['env', SHARE_ENV],
  ['argv', [1]],
  ['resourceLimits', { stackSizeMb: 4 }],
  ['cpuLimitMs', 100],
  ['isolation', 'context'],
  ['codeCache', '/tmp/x'],
])('%s of %p is refused', (name, value) => {
  const create = () =>
    WorkerPool.create('p', { runtime: 'process', [name]: value });
  expect(create).toThrow(TypeError);
  expect(create).toThrow(name);
});

test.each(['isolate', 'thread'])('cwd and stdio are not of %s', (runtime) => {
  for (const more of [{ cwd: '.' }, { stdio: 'ignore' }]) {
    const create = () => WorkerPool.create('p', { runtime, ...more });
    expect(create).toThrow('needs runtime "process"');
  }
});

describe("payload: 'clone'", () => {
  const there = (input) =>
    createPool({ payload: 'clone' }).run((context) => context.input, { input });

  test('keeps what a structured clone keeps', async () => {
    const input = {
      map: new Map([[1, new Date(5)]]),
      big: 2n ** 70n,
      error: new RangeError('x'),
      bytes: Buffer.from('bytes'),
      floats: new Float32Array([1.5]),
      pattern: /x/gi,
    };
    input.self = input;
    const back = await there(input);
    expect(back.self).toBe(back);
    expect({ ...back, self: 0 }).toEqual({ ...input, self: 0 });
    expect(back.bytes).toBeInstanceOf(Buffer);
    expect(back.floats.buffer.byteLength).toBe(4);
  });

  test.each([
    ['shared memory', () => new SharedArrayBuffer(8)],
    [
      'a compiled module',
      () => new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)),
    ],
  ])('refuses %s, both ways', async (_what, make) => {
    await expect(there({ a: make() })).rejects.toMatchObject({
      code: Code.UnsupportedPayload,
    });
    const pool = createPool({ payload: 'clone' });
    // biome-ignore lint/security/noGlobalEval: it is what is sent.
    const run = pool.run(eval(`(() => ({ a: (${make})() }))`));
    await expect(run).rejects.toMatchObject({ code: Code.SerializationFailed });
    expect(await pool.run(() => 'next')).toBe('next');
  });
});

test('a transferred buffer is empty here, and whole there', async () => {
  const { buffer } = new Uint8Array([1, 2, 3]);
  const pool = createPool();
  const sum = pool.run(({ input }) => new Uint8Array(input)[2], {
    input: buffer,
    transfer: [buffer],
  });
  expect(buffer.byteLength).toBe(0);
  expect(await sum).toBe(3);
});

test('one that is taken after it was read is given away', () => {
  const parcelOf = () => {
    throw new Error('taken');
  };
  const { copyOf } = ProcessPool.prototype;
  expect(copyOf.call({ parcelOf }, {})).toBe(GIVEN_AWAY);
});

test('what is shared reaches each process once', async () => {
  const pool = createPool({ workers: 2 });
  await pool.share('table', { names: ['a', 'ж'], bytes: new Uint8Array(1e5) });
  const read = ({ shared }) => {
    const { names, bytes } = shared.table;
    return [names.join(), bytes.length, process.pid];
  };
  const all = await Promise.all([pool.run(read), pool.run(read)]);
  for (const [names, length] of all) {
    expect([names, length]).toEqual(['a,ж', 1e5]);
  }
});

test('an application that is no node by itself starts none', async () => {
  const pool = createPool();
  process.pkg = {};
  try {
    const error = await pool.run(() => 1).catch((each) => each);
    expect(error.code).toBe(Code.FeatureUnavailable);
    expect(error.message).toMatch('this is an executable made by pkg');
  } finally {
    delete process.pkg;
  }
});

test('memory of this process is not shared', () => {
  const pool = createPool();
  const share = () => pool.share('memory', new SharedArrayBuffer(8));
  expect(share).toThrow('payload type is unsupported');
});

test('host functions, streams and broadcasts', async () => {
  const pool = createPool({ workers: 2, host: { twice: (n) => n * 2 } });
  expect(await pool.run(({ host }) => host.twice(21))).toBe(42);
  const count = async function* () {
    for (let i = 0; i < 100; i += 1) yield i;
  };
  const seen = [];
  for await (const value of pool.stream(count)) seen.push(value);
  expect(seen).toHaveLength(100);
  await Promise.all([pool.run(() => 1), pool.run(() => 1)]);
  const pids = await pool.broadcast(() => process.pid);
  expect(new Set(pids).size).toBe(pids.length);
});

test('a signal that a loop looks at, within its grace', async () => {
  const pool = createPool({ workers: 1, cancelGraceMs: 60_000 });
  const controller = new AbortController();
  const run = pool.run(
    ({ signal, emit }) => {
      emit('running');
      while (!signal.aborted);
      globalThis.seen = String(signal.reason);
    },
    {
      signal: controller.signal,
      onMessage: () => controller.abort(new Error('enough')),
    },
  );
  await expect(run).rejects.toMatchObject({ code: Code.JobCancelled });
  await pool.drain();
  expect(await pool.run(() => globalThis.seen)).toBe('cancelled');
});
