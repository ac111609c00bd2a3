'use strict';
// Odd files and clocks under sloppy-workers/sqlite.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const { openDatabase } = require('../../../lib/adapters/journal/sqlite.js');
const { createSqliteBackend } = require('../../../lib/adapters/sqlite.js');
const { until } = require('./support.js');
const { checkLists, files, withDriver } = require('./sqlite-support.js');

const CODE = 'SLOPPY_E_SQLITE_STORE_FAILED';
const isRoot = process.getuid?.() === 0;

withDriver('driver %s', (driver) => {
  const { state, connection, queue, worker, backend, events } = files(driver);
  const at = (name) => path.join(state.folder, name);
  const make = (file) => () =>
    createSqliteBackend('q', { connection: connection({ file }) });

  test.each([
    ['spaces', 'a b  c.db'],
    ['percents', '100%25 %20.db'],
    ['question marks and hashes', 'a?mode=memory#x.db'],
    ['other letters', 'дела-😀-é.db'],
    ['quotes', `it's "it".db`],
    ['a name like an option', '-wal'],
    ['a name like a place in memory', 'x:memory:'],
  ])('a path with %s', async (_name, name) => {
    const own = queue({}, { file: at(name) });
    await own.add('a', {});
    expect(fs.existsSync(at(name))).toBe(true);
    // A URL names the same file, as an object and as a text.
    const url = pathToFileURL(at(name));
    expect(await queue({}, { file: url }).count()).toBe(1);
    expect(await queue({}, { file: url.href }).count()).toBe(1);
  });

  test.each([
    ['in memory', ':memory:'],
    ['in memory, by a URL', 'file::memory:?cache=shared'],
    ['with NUL', 'a\0b.db'],
    ['of the network', new URL('http://localhost/jobs.db')],
  ])('a file %s is refused', (_name, file) => {
    expect(make(file)).toThrow(TypeError);
  });

  test('what is no file is refused', () => {
    fs.mkdirSync(at('folder.db'));
    expect(make(at('folder.db'))).toThrow(
      expect.objectContaining({ code: CODE }),
    );
    expect(make(at('folder.db'))).toThrow(/it is no file/);
    if (process.platform === 'win32') return;
    expect(make('/dev/null')).toThrow(/it is no file/);
  });

  test('a link to a file that is not there yet makes it', async () => {
    fs.symlinkSync('real.db', at('link.db'));
    const one = queue({}, { file: at('link.db') });
    await one.add('a', {});
    expect(await queue({}, { file: at('real.db') }).count()).toBe(1);
    expect(fs.existsSync(at('link.db-wal'))).toBe(false);
  });

  test('links that lead back to themselves are refused', () => {
    fs.symlinkSync('second.db', at('first.db'));
    fs.symlinkSync('first.db', at('second.db'));
    expect(make(at('first.db'))).toThrow(
      expect.objectContaining({ code: CODE }),
    );
    expect(make(at('first.db'))).toThrow(/links/);
  });

  test('an empty file becomes one of queues', async () => {
    fs.writeFileSync(at('empty.db'), '');
    expect(await queue({}, { file: at('empty.db') }).count()).toBe(0);
  });

  test('tables of another program are refused, and left as they are', () => {
    const db = openDatabase(at('foreign.db'), driver);
    db.exec('CREATE TABLE job (mine TEXT)');
    db.close();
    const before = fs.readFileSync(at('foreign.db'));
    expect(make(at('foreign.db'))).toThrow(/another program/);
    expect(fs.readFileSync(at('foreign.db'))).toEqual(before);
    expect(fs.readdirSync(state.folder)).toEqual(['foreign.db']);
  });

  (isRoot ? test.skip : test)(
    'a file, or a folder, that may not be written',
    async () => {
      const own = queue();
      await own.add('a', {});
      await own.close();
      fs.chmodSync(state.file, 0o444);
      expect(make(state.file)).toThrow(expect.objectContaining({ code: CODE }));
      fs.mkdirSync(at('closed'));
      fs.chmodSync(at('closed'), 0o555);
      expect(make(at('closed/jobs.db'))).toThrow(
        expect.objectContaining({ code: CODE }),
      );
    },
  );

  test('jobs of a damaged page are an error with a code, not an end of the process', async () => {
    const own = queue();
    await own.addBulk(
      Array.from({ length: 300 }, () => ({ name: 'a', data: 'x'.repeat(99) })),
    );
    await own.close();
    const bytes = fs.readFileSync(state.file);
    for (let page = 3; page * 4096 < bytes.length; page++) {
      bytes.fill(0x5a, page * 4096, (page + 1) * 4096);
    }
    fs.writeFileSync(state.file, bytes);
    const codes = new Set();
    const note = (error) => codes.add(error.code);
    const again = createSqliteBackendOr(note);
    if (again !== undefined) {
      await again
        .addJob({ name: 'a', data: '{}', opts: {}, timestamp: 1 }, '')
        .catch(note);
      await again.getRanges(['wait'], 0, 9).catch(note);
      await again.moveToActive('token').catch(note);
      await again.close().catch(note);
    }
    expect([...codes]).toEqual([CODE]);
  });

  function createSqliteBackendOr(note) {
    try {
      return make(state.file)();
    } catch (error) {
      note(error);
      return undefined;
    }
  }

  test('a log that was cut off in a crash is read up to its last whole commit', async () => {
    const own = queue();
    await own.add('first', {});
    await own.add('second', 'x'.repeat(9000));
    const copy = at('copy.db');
    for (const end of ['', '-wal']) {
      if (fs.existsSync(state.file + end)) {
        fs.copyFileSync(state.file + end, copy + end);
      }
    }
    const { size } = fs.statSync(`${copy}-wal`);
    fs.truncateSync(`${copy}-wal`, size - 1000);
    const after = queue({}, { file: copy });
    expect((await after.getWaiting()).map(({ name }) => name)).toEqual([
      'first',
    ]);
    await after.getBackend().store.read(checkLists);
  });

  describe('clocks that jump', () => {
    const now = Date.now;
    afterEach(() => {
      Date.now = now;
    });
    const jump = (ms) => {
      Date.now = () => now() + ms;
    };
    const HOUR = 3_600_000;

    test('after a sleep what has become due starts at once', async () => {
      const own = queue();
      const ran = [];
      worker(async (job) => void ran.push(job.name));
      await own.add('in an hour', {}, { delay: HOUR });
      await own.add('in two hours', {}, { delay: 2 * HOUR });
      await own.add('now', {});
      await until(() => ran.length === 1);
      jump(HOUR + 1000);
      await until(() => ran.length === 2);
      expect(ran).toEqual(['now', 'in an hour']);
      expect(await own.getDelayedCount()).toBe(1);
    });

    test('a limiter and a key of deduplication end after a sleep', async () => {
      const own = queue();
      const takes = backend({ limiter: { max: 1, duration: HOUR } });
      const add = () =>
        own.add('a', {}, { deduplication: { id: 'd', ttl: HOUR } });
      const { id } = await add();
      expect((await add()).id).toBe(id);
      await own.add('b', {});
      expect((await takes.moveToActive('token'))[1]).toBe(id);
      expect((await takes.moveToActive('token'))[2]).toBeGreaterThan(0);
      jump(HOUR + 1000);
      expect((await add()).id).not.toBe(id);
      expect((await takes.moveToActive('token'))[0].name).toBe('b');
    });

    test('a clock that is put back: order, ids of events and counts stay right', async () => {
      const own = queue();
      const told = events();
      await told.waitUntilReady();
      const seen = [];
      told.on('waiting', ({ jobId }, id) => seen.push([jobId, id]));
      await own.add('a', {}, { jobId: 'before' });
      jump(-HOUR);
      await own.add('a', {}, { jobId: 'after' });
      await own.add('a', {}, { jobId: 'later', delay: 20 });
      await until(() => seen.length === 2);
      const times = seen.map(([, id]) => Number(id.split('-')[0]));
      expect(times[1]).toBeGreaterThanOrEqual(times[0]);
      const ran = [];
      worker(async (job) => void ran.push(job.id));
      await until(() => ran.length === 3);
      expect(ran).toEqual(['before', 'after', 'later']);
      await until(async () => (await own.getCompletedCount()) === 3);
      await own.getBackend().store.read(checkLists);
    });
  });

  test('a program of the other driver', async () => {
    // Each process has one SQLite library; two processes may have two.
    const own = queue();
    await own.add('a', {});
    const script = `
      const { createSqliteBackend } = require(${JSON.stringify(require.resolve('../../../lib/adapters/sqlite.js'))});
      const own = createSqliteBackend('q', { connection: { file: process.argv[1] } });
      own.addJob({ name: 'b', data: '{}', opts: {}, timestamp: 1 }, '').then(() => own.close());`;
    execFileSync(process.execPath, ['-e', script, state.file]);
    expect(await own.count()).toBe(2);
  });
});
