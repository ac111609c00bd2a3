'use strict';
// The owner's side of a sandbox: what it makes of what a process says, and which
// files it shows.

const {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} = require('node:fs');
const { spawnSync } = require('node:child_process');
const os = require('node:os');
const path = require('node:path');

const { LAYERS } = require('../../../../lib/base/sandbox-layers.js');
const { FrameError } = require('../../../../lib/wire/frames.js');
const {
  describedError,
} = require('../../../../lib/executors/sandbox/described-error.js');
const { causeOf } = require('../../../../lib/executors/sandbox/host-end.js');
const {
  missingOf,
  readHello,
} = require('../../../../lib/executors/sandbox/layers.js');
const {
  PoolFiles,
  ProcessFiles,
} = require('../../../../lib/executors/sandbox/owner-files.js');
const {
  SandboxState,
} = require('../../../../lib/executors/sandbox/sandbox-state.js');
const {
  entryOf,
  graphOf,
  jobHeadOf,
  modulesOf,
  pathsOf,
  startOf,
} = require('../../../../lib/executors/sandbox/sent-frames.js');
const { Code } = require('../../../../lib/protocol/diagnostics.gen.js');
const { unpackPayload } = require('../../../../lib/wire/payload-bytes.js');
const { Limit } = require('../../../../lib/protocol/wire.gen.js');

test('what modules may load later is known of each once', () => {
  const files = new PoolFiles([]);
  expect(files.isForeseen(['a'])).toBe(false);
  files.foresaw(['a', 'b']);
  expect(files.isForeseen(['b', 'a'])).toBe(true);
  expect(files.isForeseen(['a', 'c'])).toBe(false);
});

describe('an error that a process describes', () => {
  const good = { type: 'TypeError', name: 'N', message: 'm', stack: 's' };

  test('is made anew', () => {
    const props = { code: 'C', n: 1 };
    const described = describedError({
      ...good,
      props,
      extra: 1,
      mapped: false,
    });
    expect(described).toEqual({ ...good, props, mapped: true });
    expect(described.props).not.toBe(props);
    expect(Object.getPrototypeOf(described.props)).toBeNull();
  });

  test.each([
    [null, { opaque: 'error' }],
    ['text', { opaque: 'error' }],
    [{ value: undefined, type: 'E' }, { value: undefined }],
    [{ value: [1] }, { value: [1] }],
    [{ opaque: 'function' }, { opaque: 'function' }],
    [{ opaque: 5 }, { opaque: undefined }],
    [{ type: 5 }, { opaque: undefined }],
  ])('of %p is %p', (given, expected) => {
    expect(describedError(given)).toEqual(expected);
  });

  test('has texts of a bounded length, and nothing else for them', () => {
    const long = 'x'.repeat(Limit.ErrorText + 1);
    const { message, name, stack, props } = describedError({
      type: 'Error',
      message: long,
      name: 5,
      props: 5,
    });
    expect(message).toHaveLength(Limit.ErrorText);
    expect([name, stack]).toEqual([undefined, undefined]);
    expect(props).toEqual({});
  });

  test('has no more than so many properties, errors and causes', () => {
    const count = (length) => Array.from({ length }, (_, n) => n);
    const props = Object.fromEntries(count(300).map((n) => [`k${n}`, n]));
    const errors = count(70).map(() => good);
    const made = describedError({ ...good, props, errors });
    expect(Object.keys(made.props)).toHaveLength(256);
    expect(made.props.k255).toBe(255);
    expect(made.errors).toHaveLength(64);
    expect(made.errors[63].type).toBe('TypeError');
    expect('cause' in made).toBe(false);
    let cause = { ...good, message: 'last' };
    for (let n = 0; n < 12; n += 1) cause = { ...good, cause };
    let depth = 0;
    let at = describedError(cause);
    for (; at.type !== undefined; at = at.cause) depth += 1;
    expect(depth).toBe(9);
    expect(at).toEqual({ opaque: 'error' });
    let nested = good;
    for (let n = 0; n < 12; n += 1) nested = { ...good, errors: [nested] };
    depth = 0;
    for (at = describedError(nested); at.errors; [at] = at.errors) depth += 1;
    expect(depth).toBe(9);
  });
});

describe('the layers of a process', () => {
  function hello(bits, errnos = []) {
    const body = Buffer.alloc(4 + LAYERS.length * 4);
    body.writeUInt32LE(bits, 0);
    errnos.forEach((each, at) => {
      body.writeUInt32LE(each, 4 + at * 4);
    });
    return body;
  }
  const all = 2 ** LAYERS.length - 1;

  test('all of them', () => {
    const read = readHello(hello(all));
    expect(read.errors).toEqual({});
    expect(Object.keys(read.layers)).toEqual([...LAYERS]);
    expect(missingOf(read, LAYERS)).toBeUndefined();
  });

  test('some, with the errors of the others', () => {
    const { EPERM, ENOSYS } = os.constants.errno;
    const read = readHello(hello(all - 1 - 4, [EPERM, 0, 4000, ENOSYS]));
    expect(read.errors).toEqual({
      [LAYERS[0]]: 'EPERM',
      [LAYERS[2]]: 'errno 4000',
    });
    expect(read.layers[LAYERS[1]]).toBe(true);
    expect(missingOf(read, [LAYERS[1]])).toBeUndefined();
    expect(missingOf(read, [LAYERS[1], LAYERS[2], LAYERS[0]])).toBe(LAYERS[2]);
  });

  test('half a greeting', () => {
    expect(() => readHello(hello(all).subarray(0, -1))).toThrow(FrameError);
  });
});

test.each([
  [{ code: 9, signal: null }, 'the addon was not preloaded'],
  [{ code: 73, signal: null }, 'its owner for gone'],
  [{ code: 74, signal: null }, 'divided from others'],
  [{ code: 78, signal: null }, 'does not understand'],
  [{ code: 5, signal: null }, 'has ended with the code 5'],
  [{ code: 70, signal: null }, 'ended by SIGABRT'],
  [{ code: null, signal: 'SIGSYS' }, 'ended by SIGSYS'],
])('the end %p', (end, text) => {
  const { message, props } = causeOf(end, undefined, '');
  expect(message).toContain(text);
  expect(props.exitCode).toBe(end.code === 70 ? null : end.code);
});

describe('the state of a pool', () => {
  const HELLO = { layers: {}, errors: {} };

  test('is known from the first greeting on', async () => {
    const state = new SandboxState();
    expect(state.isKnown).toBe(false);
    const waiting = [state.held(), state.held()];
    state.greeted(HELLO);
    expect(await Promise.all(waiting)).toEqual([HELLO, HELLO]);
    expect(state.isKnown).toBe(true);
    expect(await state.held()).toBe(HELLO);
    state.failed({ type: 'Error', message: 'none' });
    expect(state.isKnown).toBe(false);
  });

  test('fails with the process', async () => {
    const state = new SandboxState();
    const waiting = state.held();
    state.failed({ type: 'Error', name: 'Error', message: 'no', props: {} });
    await expect(waiting).rejects.toMatchObject({
      code: Code.FeatureUnavailable,
    });
    const given = state.held();
    const error = new Error('stopped');
    state.given(error);
    await expect(given).rejects.toBe(error);
    expect(state.isKnown).toBe(false);
  });
});

describe('frames to a process', () => {
  test('the modules of a function', () => {
    const list = '[["a","/x.js"],["b","node:fs"]]';
    expect(modulesOf({ text: `[f,${list}]` })).toEqual(['/x.js', 'node:fs']);
    expect(modulesOf({ text: '(f)' })).toEqual([]);
    expect(modulesOf({ text: `(f,${list}]` })).toEqual([]);
    expect(modulesOf({ text: '[f]' })).toEqual([]);
    expect(modulesOf({ text: '[f,[["a,[[","/x.js"]]]' })).toEqual([]);
  });

  test('those of a pool, each once', () => {
    expect(pathsOf({})).toEqual([]);
    expect(pathsOf({ module: 'b', init: { module: 'a' } })).toEqual(['a', 'b']);
    expect(pathsOf({ module: 'a', init: { module: 'a' } })).toEqual(['a']);
    expect(pathsOf({ init: {} })).toEqual([]);
    const bytes = graphOf(['ä', 'b']);
    expect([...bytes]).toEqual([
      2, 0, 0, 0, 2, 0, 0, 0, 195, 164, 1, 0, 0, 0, 98,
    ]);
  });

  test('the start, also in a folder that is gone', () => {
    const cwd = jest.spyOn(process, 'cwd').mockImplementation(() => {
      throw new Error('ENOENT: no such file or directory, uv_cwd');
    });
    try {
      const settings = { maxModuleBytes: 1, allowEval: true };
      // The function of `process` is captured when files are loaded.
      jest.isolateModules(() => {
        const frames = require('../../../../lib/executors/sandbox/sent-frames.js');
        const start = frames.startOf(settings, { number: 1, place: 0 });
        expect(start.toString('latin1')).toContain('"cwd":"/"');
      });
    } finally {
      cwd.mockRestore();
    }
  });

  // As src/sandbox/host_frames.cc reads them.
  test.each([true, false])('the start, with eval: %p', (allowEval) => {
    const settings = {
      ...{ maxModuleBytes: 2 ** 40, allowEval, maxResultBytes: 5 },
      ...{ host: { f: () => 1 } },
    };
    const start = startOf(settings, { number: 3, place: 2 });
    expect(start.readDoubleLE(0)).toBe(2 ** 40);
    const words = [8, 12, 16, 20].map((from) => start.readUInt32LE(from));
    expect(words).toEqual([allowEval ? 1 : 0, 0, 3, 2]);
    const texts = [];
    for (let from = 24; from < start.length; ) {
      const end = from + 4 + start.readUInt32LE(from);
      texts.push(JSON.parse(start.toString('utf8', from + 4, end)));
      from = end;
    }
    const [options, facts, numbers] = texts;
    expect(options).toMatchObject({ maxResultBytes: 5, host: ['f'] });
    expect(facts).toMatchObject({ pid: 1, ppid: 0, env: {}, ids: {} });
    expect(numbers.os.signals.SIGINT).toBe(2);
    expect(texts).toHaveLength(3);
  });

  test('an entry', () => {
    const entry = entryOf({ kind: 1, text: '() => 1', name: 'ä' });
    const words = [0, 4, 8, 12].map((from) => entry.readUInt32LE(from));
    expect(words).toEqual([1, 0, 0, 2]);
    expect(entry.toString('utf8', 16, 18)).toBe('ä');
    expect(unpackPayload(entry.subarray(18)).text).toBe('() => 1');
  });

  test('the head of a job', () => {
    const times = { remainingMs: 5, runMs: 7.5 };
    const head = jobHeadOf({ id: 1, mode: 2, ...times, shared: { number: 3 } });
    const other = jobHeadOf({ id: 1, mode: 2, remainingMs: 9, runMs: 7.5 });
    const read = (bytes) => [
      bytes.readUInt32LE(0),
      bytes.readUInt32LE(4),
      bytes.readDoubleLE(8),
      bytes.readUInt32LE(16),
      bytes.length,
    ];
    expect(read(head)).toEqual([1, 2, 5, 3, 20]);
    expect(read(other)).toEqual([1, 2, 7.5, 0, 20]);
  });
});

describe('the files that a process sees', () => {
  const [REAL, STAMP, LIST, READ] = [1, 2, 3, 4];
  const [FOUND, MISSING, TOO_LARGE] = [0, 1, 2];
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'sw-files-')));
  afterAll(() => rmSync(folder, { recursive: true }));
  const at = (...parts) => path.join(folder, ...parts);
  mkdirSync(at('root', 'inner'), { recursive: true });
  mkdirSync(at('root2'));
  writeFileSync(at('root', 'a.js'), 'abc');
  writeFileSync(at('root2', 'b.js'), 'b');
  writeFileSync(at('c.js'), 'c');
  symlinkSync(at('root', 'a.js'), at('root', 'link.js'));
  symlinkSync(at('c.js'), at('root', 'out.js'));
  spawnSync('mkfifo', [at('root', 'pipe')]);

  function open(roots = [], isOpen = false) {
    const files = new ProcessFiles(new PoolFiles(roots));
    files.isOpen = isOpen;
    const answer = async (question, file, most = 100) => {
      const { result, body } = await files.answer(question, file, most);
      return result === FOUND ? body : result;
    };
    return { files, answer };
  }

  test('all, while only the loader runs, and those again later', async () => {
    const { files, answer } = open([], true);
    expect(`${await answer(READ, at('c.js'))}`).toBe('c');
    expect(await answer(READ, at('none.js'))).toBe(MISSING);
    files.isOpen = false;
    expect(`${await answer(READ, at('c.js'))}`).toBe('c');
    expect(await answer(READ, at('root', 'a.js'))).toBe(MISSING);
  });

  test('those below a root, and no others', async () => {
    const { answer } = open([at('root')]);
    expect(`${await answer(READ, at('root', 'a.js'))}`).toBe('abc');
    expect(`${await answer(READ, at('root', 'link.js'))}`).toBe('abc');
    expect(`${await answer(REAL, at('root', 'link.js'))}`).toBe(
      at('root', 'a.js'),
    );
    expect(Buffer.isBuffer(await answer(LIST, at('root')))).toBe(true);
    for (const hidden of [
      ['root2', 'b.js'],
      ['c.js'],
      ['root', 'out.js'],
      [],
    ]) {
      expect(await answer(READ, at(...hidden))).toBe(MISSING);
      expect(await answer(STAMP, at(...hidden))).toBe(MISSING);
    }
    expect(await answer(READ, at('root', 'none.js'))).toBe(MISSING);
  });

  test('whether it sees one: those that were asked for, and roots', async () => {
    const pool = new PoolFiles([at('root')]);
    pool.know(at('c.js'));
    const shown = [['c.js'], ['root'], ['root', 'link.js']];
    const hidden = [
      ['root2', 'b.js'],
      ['root', 'out.js'],
      ['root', 'none.js'],
    ];
    for (const parts of shown) {
      expect(await pool.shows(at(...parts))).toBe(true);
    }
    for (const parts of hidden) {
      expect(await pool.shows(at(...parts))).toBe(false);
    }
  });

  test('100 000 that were asked for, and no more', async () => {
    const pool = new PoolFiles([]);
    for (let n = 0; n <= 100_000; n += 1) pool.know(`/${n}`);
    expect(await pool.shows('/99999')).toBe(true);
    expect(await pool.shows('/100000')).toBe(false);
  });

  test('below a root that ends with a separator', async () => {
    const { answer } = open([`${at('root')}/`]);
    expect(`${await answer(READ, at('root', 'a.js'))}`).toBe('abc');
    expect(await answer(READ, at('root2', 'b.js'))).toBe(MISSING);
  });

  test('no paths but plain ones, and no questions but four', async () => {
    const { answer } = open([], true);
    const odd = ['c.js', `${folder}/./c.js`, `${at('root')}/../c.js`];
    for (const file of [...odd, `${at('c.js')}\0`, `${folder}//c.js`]) {
      expect(await answer(READ, file)).toBe(MISSING);
    }
    for (const question of [0, 5, 'toString']) {
      expect(await answer(question, at('c.js'))).toBe(MISSING);
    }
  });

  test('texts up to a size, of files', async () => {
    const { answer } = open([at('root')]);
    expect(`${await answer(READ, at('root', 'a.js'), 3)}`).toBe('abc');
    expect(await answer(READ, at('root', 'a.js'), 2)).toBe(TOO_LARGE);
    expect(await answer(READ, at('root', 'inner'))).toBe(MISSING);
    expect(await answer(READ, at('root', 'pipe'))).toBe(MISSING);
  });

  test('each is closed again, whatever is answered', async () => {
    const { answer } = open([at('root')]);
    const opened = () => readdirSync('/dev/fd').length;
    const before = opened();
    for (let n = 0; n < 20; n += 1) {
      await answer(READ, at('root', 'a.js'));
      await answer(READ, at('root', 'a.js'), 2);
      await answer(READ, at('root', 'pipe'));
    }
    expect(opened()).toBeLessThan(before + 20);
  });

  test('stamps and lists', async () => {
    const { answer } = open([at('root')]);
    const stamp = async (...parts) => {
      const body = await answer(STAMP, at('root', ...parts));
      expect(body).toHaveLength(20);
      return [
        body.readUInt32LE(0),
        body.readDoubleLE(4),
        body.readDoubleLE(12),
      ];
    };
    const { mtimeMs } = statSync(at('root', 'a.js'));
    expect(await stamp('a.js')).toEqual([1, 3, Math.floor(mtimeMs)]);
    expect((await stamp('inner'))[0]).toBe(2);
    expect((await stamp('pipe'))[0]).toBe(0);
    const body = await answer(LIST, at('root'));
    const rows = new Map();
    let from = 4;
    for (let left = body.readUInt32LE(0); left > 0; left -= 1) {
      const length = body.readUInt32LE(from + 4);
      const name = body.toString('utf8', from + 8, from + 8 + length);
      rows.set(name, body.readUInt32LE(from));
      from += 8 + length;
    }
    expect(from).toBe(body.length);
    expect(Object.fromEntries(rows)).toEqual({
      'a.js': 1,
      inner: 2,
      'link.js': 0,
      'out.js': 0,
      pipe: 0,
    });
  });
});
