'use strict';
// The pool goes on, and what failed has changed nothing, whatever stands or
// happens where profiles and snapshots go.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const { WorkerPool } = require('../../../../lib');
const { Code } = require('../../../../lib/protocol/diagnostics.gen.js');

let folder;
let pool;

beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'sw-inspect-files-'));
  pool = WorkerPool.create('inspected', { workers: 1 });
});

afterEach(async () => {
  await pool.stop();
  fs.rmSync(folder, { recursive: true });
});

const rejection = (promise) =>
  promise.then(
    () => null,
    (error) => error,
  );
/** @returns {number} bytes, 0 when the pipe has none */
function readSome(reader, bytes) {
  try {
    return fs.readSync(reader, bytes);
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error;
    return 0;
  }
}
const isSnapshot = (text) => JSON.parse(text).snapshot.node_count > 1000;
const read = (path) => JSON.parse(fs.readFileSync(path, 'utf8'));
const take = {
  heapSnapshot: (path) => pool.heapSnapshot({ path }),
  cpuProfile: (path) => pool.cpuProfile({ path, durationMs: 1 }),
};
const onPosix = process.platform === 'win32' ? describe.skip : describe;

onPosix.each(Object.keys(take))('%s', (kind) => {
  const fifo = () => {
    const path = join(folder, 'fifo');
    execFileSync('mkfifo', [path]);
    return path;
  };

  test('a pipe that nobody has open is refused at once', async () => {
    const path = fifo();
    await pool.run(() => 1);
    expect((await rejection(take[kind](path))).code).toBe('ENXIO');
    expect(await pool.run(() => 2)).toBe(2);
    expect(fs.lstatSync(path).isFIFO()).toBe(true);
  });

  test('a pipe that is read has all of it', async () => {
    const path = fifo();
    const reader = fs.openSync(
      path,
      fs.constants.O_RDONLY | fs.constants.O_NONBLOCK,
    );
    await pool.run(() => {
      globalThis.kept = Array.from({ length: 1e4 }, (_, n) => `text ${n}`);
    });
    let over = false;
    const taken = take[kind](path).finally(() => {
      over = true;
    });
    const parts = [];
    const part = Buffer.alloc(1 << 20);
    for (;;) {
      const count = readSome(reader, part);
      if (count > 0) parts.push(Buffer.from(part.subarray(0, count)));
      else if (over) break;
      await new Promise(setImmediate);
    }
    fs.closeSync(reader);
    expect(await taken).toEqual([path]);
    const { snapshot, nodes } = JSON.parse(Buffer.concat(parts).toString());
    expect(snapshot?.node_count ?? nodes.length).toBeGreaterThan(0);
    expect(fs.lstatSync(path).isFIFO()).toBe(true);
  });

  test('a full device: the cause says so, and it is still there', async () => {
    const path = join(folder, 'full');
    fs.symlinkSync('/dev/full', path);
    const error = await rejection(take[kind](path));
    expect(error.code).toBe(Code.PoolUnavailable);
    expect(error.cause.code).toBe('ENOSPC');
    expect(fs.readlinkSync(path)).toBe('/dev/full');
    expect(fs.statSync('/dev/full').isCharacterDevice()).toBe(true);
    expect(await pool.run(() => 2)).toBe(2);
  });

  test('a file is replaced as a whole, behind links too', async () => {
    const path = join(folder, 'file');
    fs.writeFileSync(path, 'old');
    fs.chmodSync(path, 0o640);
    const link = join(folder, 'link');
    fs.symlinkSync('file', link);
    expect(await take[kind](link)).toEqual([link]);
    expect(fs.readlinkSync(link)).toBe('file');
    expect(fs.statSync(path).mode & 0o777).toBe(0o640);
    read(path);
    const dangling = join(folder, 'dangling');
    fs.symlinkSync('new', dangling);
    await take[kind](dangling);
    read(join(folder, 'new'));
    const left = ['dangling', 'file', 'link', 'new'];
    expect(fs.readdirSync(folder).sort()).toEqual(left);
  });

  test('a folder, and a folder that is missing', async () => {
    expect((await rejection(take[kind](folder))).code).toBe('EISDIR');
    const missing = join(folder, 'none', 'x');
    expect((await rejection(take[kind](missing))).code).toBe('ENOENT');
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});

onPosix('a pipe that takes nothing', () => {
  test('keeps nobody from working, and ends with the pool', async () => {
    const path = join(folder, 'fifo');
    execFileSync('mkfifo', [path]);
    const reader = fs.openSync(
      path,
      fs.constants.O_RDONLY | fs.constants.O_NONBLOCK,
    );
    await pool.run(() => 1);
    const taken = rejection(pool.heapSnapshot({ path }));
    // A little of it, so that there is more than the pipe takes.
    while (readSome(reader, Buffer.alloc(8)) === 0) {
      await new Promise(setImmediate);
    }
    for (let n = 0; n < 20; n += 1) expect(await pool.run(() => 2)).toBe(2);
    await pool.stop();
    const error = await taken;
    expect(error.code).toBe(Code.PoolUnavailable);
    expect(error.cause).toBeInstanceOf(Error);
    fs.closeSync(reader);
    expect(fs.lstatSync(path).isFIFO()).toBe(true);
  });
});

test('a failure leaves the file that was there', async () => {
  const path = join(folder, 'x.cpuprofile');
  fs.writeFileSync(path, 'old');
  await pool.run(() => 1);
  const profile = rejection(pool.cpuProfile({ path, durationMs: 600_000 }));
  await pool.stop();
  expect((await profile).code).toBe(Code.PoolUnavailable);
  expect(fs.readFileSync(path, 'utf8')).toBe('old');
  expect(fs.readdirSync(folder)).toEqual(['x.cpuprofile']);
});

describe('names that JSON has to escape', () => {
  const NAMES = [
    'back\\slash',
    '"quoted"',
    'line\nbreak',
    'tab\tand\u0007\u001f',
    'ümläut \u2028 😀',
    'half \ud800 of it',
  ];

  /** A job that spends its time in functions of these names. */
  const spin = ({ emit, input }) => {
    const busy = () => {
      const until = Date.now() + 2;
      let n = 0;
      while (Date.now() < until) n += Math.sqrt(n + 1);
      return n;
    };
    const methods = input.map((name) =>
      // biome-ignore lint/security/noGlobalEval: names of functions are made here
      eval(
        `({ ${JSON.stringify(name)}(busy) { return busy() + 1; } })` +
          `\n//# sourceURL=a\\b"c`,
      ),
    );
    const text = `${' '.repeat(3)}*${'\\"'.repeat(200)}x`;
    let count = 0;
    emit('started');
    for (;;) {
      for (const [at, name] of input.entries()) methods[at][name](busy);
      // V8 has the names of expressions that it compiles meanwhile in a profile.
      count += 1;
      const expression = new RegExp(`^( {0,3}\\*)(?:"|\\\\)+x{2,}${count}$`);
      for (let n = 0; n < 2000; n += 1) expression.test(text + n);
    }
  };

  test('a profile is read back with all of them', async () => {
    const path = join(folder, 'x.cpuprofile');
    const end = new AbortController();
    const started = new Promise((resolve) => {
      const { signal } = end;
      const options = { input: NAMES, signal, onMessage: resolve };
      pool.run(spin, options).catch(() => {});
    });
    await started;
    const EXPRESSION = 'RegExp: ^( {0,3}\\*)(?:"|\\\\)+x{2,}';
    const wanted = [...NAMES.slice(0, 5), EXPRESSION];
    const seen = new Set();
    // A worker may get no time while it is looked at, on a busy machine.
    while (!wanted.every((name) => seen.has(name))) {
      await pool.cpuProfile({ path, durationMs: 150 });
      const { nodes, samples, timeDeltas, startTime, endTime } = read(path);
      const ids = new Set(nodes.map(({ id }) => id));
      expect(samples.every((id) => ids.has(id))).toBe(true);
      const children = nodes.flatMap((node) => node.children ?? []);
      expect(children.every((id) => ids.has(id))).toBe(true);
      expect(children.length).toBe(nodes.length - 1);
      expect(timeDeltas.length).toBe(samples.length);
      expect(endTime).toBeGreaterThan(startTime);
      for (const { callFrame } of nodes) {
        // Without the number of an expression.
        seen.add(callFrame.functionName.replace(/\d+\$$/, ''));
        expect(typeof callFrame.url).toBe('string');
        expect(typeof callFrame.scriptId).toBe('string');
        expect(Number.isInteger(callFrame.lineNumber)).toBe(true);
      }
    }
    end.abort();
  });

  test('a snapshot is read back', async () => {
    await pool.run(
      ({ input }) => {
        globalThis.kept = input;
      },
      { input: NAMES },
    );
    const path = join(folder, 'x.heapsnapshot');
    await pool.heapSnapshot({ path });
    expect(isSnapshot(fs.readFileSync(path, 'utf8'))).toBe(true);
    const { strings } = read(path);
    for (const name of NAMES.slice(0, 3)) {
      expect(strings).toContain(name);
    }
  });
});
