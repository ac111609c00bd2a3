'use strict';
// However a process ends, one job fails and the next one has another process.

const { Worker } = require('../../../../lib/index.js');
const { Code } = require('../../../../lib/protocol/diagnostics.gen.js');
const { folderWith, removeFolders } = require('../../modules/support.js');
const { join } = require('node:path');
const {
  createPool,
  gone,
  openFiles,
  stopAll,
  testOnLinux,
} = require('./support.js');

afterEach(stopAll);
afterAll(removeFolders);

const failure = (promise) =>
  promise.then(
    () => undefined,
    (error) => error,
  );

const ENDS = {
  'exit(0)': [() => process.exit(0), { exitCode: 0, signal: null }],
  'exit(3)': [() => process.exit(3), { exitCode: 3, signal: null }],
  'exit in a later turn': [
    () => new Promise(() => setTimeout(() => process.exit(4), 5)),
    { exitCode: 4, signal: null },
  ],
  reallyExit: [() => process.reallyExit(5), { exitCode: 5, signal: null }],
  SIGKILL: [
    () => process.kill(process.pid, 'SIGKILL'),
    { exitCode: null, signal: 'SIGKILL' },
  ],
  SIGTERM: [
    () => {
      process.kill(process.pid, 'SIGTERM');
      for (;;);
    },
    { exitCode: null, signal: 'SIGTERM' },
  ],
  SIGSEGV: [
    () => process.kill(process.pid, 'SIGSEGV'),
    { exitCode: null, signal: 'SIGSEGV' },
  ],
  'abort()': [() => process.abort(), { exitCode: null, signal: 'SIGABRT' }],
};

// Runs in the process. Its owner sees the end of the sockets.
const closeSockets = `
  const { closeSync, readdirSync, readlinkSync } = require('node:fs');
  for (const name of readdirSync('/proc/self/fd')) {
    let to = '';
    try {
      to = readlinkSync('/proc/self/fd/' + name);
    } catch {}
    if (to.startsWith('socket:')) closeSync(Number(name));
  }
`;

describe('a job that ends its process', () => {
  test.each(Object.keys(ENDS))('by %s', async (name) => {
    const [end, told] = ENDS[name];
    const pool = createPool({ workers: 1, stdio: 'ignore' });
    const error = await failure(pool.run(end));
    expect(error.code).toBe(Code.Crashed);
    expect({ ...error.cause }).toEqual(told);
    expect(await pool.run(() => 'next')).toBe('next');
  });

  testOnLinux('and takes its time after its socket has closed', async () => {
    const folder = folderWith({
      'ends.cjs': `exports.end = () => {
        ${closeSockets}
        setTimeout(() => process.exit(6), 400);
        return new Promise(() => {});
      };`,
      'goes-on.cjs': `exports.goOn = () => {
        ${closeSockets}
        for (;;);
      };`,
    });
    const run = async (file, name) => {
      const module = join(folder, file);
      const pool = createPool({ workers: 1, stdio: 'ignore', module });
      const { cause } = await failure(pool.invoke(name));
      return [cause.exitCode, cause.signal, cause.message];
    };
    const [ended, wentOn] = await Promise.all([
      run('ends.cjs', 'end'),
      run('goes-on.cjs', 'goOn'),
    ]);
    expect(ended.slice(0, 2)).toEqual([6, null]);
    expect(wentOn).toEqual([
      null,
      'SIGKILL',
      expect.stringContaining('went on'),
    ]);
  });

  test('takes no other job of the pool along', async () => {
    const pool = createPool({ workers: 2 });
    const other = pool.run(
      () => new Promise((resolve) => setTimeout(resolve, 300, 'done')),
    );
    const error = await failure(pool.run(() => process.exit(1)));
    expect(error.code).toBe(Code.Crashed);
    expect(await other).toBe('done');
  });

  test('has told all that it emitted before', async () => {
    const pool = createPool({ workers: 1 });
    const seen = [];
    const run = pool.run(
      ({ emit }) => {
        for (let i = 0; i < 1000; i += 1) emit(i);
        process.reallyExit(1);
      },
      { onMessage: (value) => seen.push(value) },
    );
    expect((await failure(run)).code).toBe(Code.Crashed);
    expect(seen).toEqual(Array.from({ length: 1000 }, (_, i) => i));
  });

  test('says what its process wrote to stderr last', async () => {
    const texts = [];
    const pool = createPool({
      workers: 1,
      stdio: (text, from) => texts.push([text, from]),
    });
    const run = pool.run(() => {
      process.stderr.write(`${'x'.repeat(5000)}the reason`);
      process.reallyExit(1);
    });
    const { cause } = await failure(run);
    expect(cause.stderr).toHaveLength(4096);
    expect(cause.stderr).toMatch(/x{4086}the reason$/);
    expect(texts[0][1]).toEqual({ fd: 2, worker: 1 });
  });

  testOnLinux('leaves nothing behind, again and again', async () => {
    const pool = createPool({ workers: 2 });
    await pool.run(() => 1);
    const before = openFiles();
    const pids = new Set();
    for (let i = 0; i < 15; i += 1) {
      const onMessage = (pid) => pids.add(pid);
      const die = ({ emit }) => {
        emit(process.pid);
        process.kill(process.pid, 'SIGKILL');
      };
      await failure(pool.run(die, { onMessage }));
    }
    expect(pids.size).toBe(15);
    await Promise.all(Array.from(pids, gone));
    await pool.run(() => 1);
    expect(openFiles()).toBeLessThanOrEqual(before + 8);
  });
});

describe('memory', () => {
  const pile = () => {
    const all = [];
    for (;;) all.push(new Array(10_000).fill(all.length));
  };

  test('beyond the limit ends one job', async () => {
    const pool = createPool({ workers: 1, memoryLimitMb: 32 });
    const error = await failure(pool.run(pile));
    expect(error.code).toBe(Code.ResourceLimit);
    expect(await pool.run(() => 'next')).toBe('next');
  });

  test('beyond the limit in one step as well', async () => {
    const pool = createPool({ workers: 1, memoryLimitMb: 32 });
    const error = await failure(
      pool.run(() => JSON.parse(`[${'{},'.repeat(5e6)}{}]`).length),
    );
    expect(error.code).toBe(Code.ResourceLimit);
  });

  test('in the start of a worker', async () => {
    const text = `${pile.toString().replace('() =>', 'function pile()')}
      export const init = pile;`;
    const module = join(folderWith({ 'init.mjs': text }), 'init.mjs');
    const start = Worker.start(module, {
      runtime: 'process',
      memoryLimitMb: 32,
      init: { module },
    });
    expect((await failure(start)).code).toBe(Code.StartupFailed);
  });
});

test('a result that is too large ends its job alone', async () => {
  const pool = createPool({ workers: 1, maxResultBytes: 1000 });
  const error = await failure(pool.run(() => 'x'.repeat(5000)));
  expect(error.code).toBe(Code.ResourceLimit);
  expect(await pool.run(() => process.pid)).toBe(
    await pool.run(() => process.pid),
  );
});

describe('what is no message', () => {
  const write = ({ input }) => {
    require('node:fs').writeSync(3, Buffer.from(input, 'hex'));
    for (;;);
  };
  const mark = '53574631';
  test.each([
    ['noise', 'ff'.repeat(64)],
    ['a frame without end', `${mark}05000000${'00'.repeat(4)}ffffffff`],
    ['an unknown kind', `${mark}63000000${'00'.repeat(8)}`],
    ['a small buffer', `${mark}0a000000${'00'.repeat(4)}04000000deadbeef`],
    [
      'a body that V8 does not know',
      `${mark}05000000${'00'.repeat(4)}04000000deadbeef`,
    ],
  ])('ends the process: %s', async (_what, input) => {
    const pool = createPool({ workers: 1, maxResultBytes: 1000 });
    const run = `(context) => { const require = process.getBuiltinModule
      ? (id) => process.getBuiltinModule(id)
      : process.mainModule.require; return (${write})(context); }`;
    // biome-ignore lint/security/noGlobalEval: it is what is sent.
    const error = await failure(pool.run(eval(run), { input }));
    expect(error.code).toBe(Code.Crashed);
    expect(await pool.run(() => 'next')).toBe('next');
  });
});
