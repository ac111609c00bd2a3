'use strict';
// The file under sloppy-workers/sqlite when it is locked, full, foreign, new.

const { fork } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const { openDatabase } = require('../../../lib/adapters/journal/sqlite.js');
const { createSqliteBackend } = require('../../../lib/adapters/sqlite.js');
const { rejection, until } = require('./support.js');
const {
  drivers,
  files,
  next,
  pause,
  withDriver,
} = require('./sqlite-support.js');

const CODE = 'SLOPPY_E_SQLITE_STORE_FAILED';

withDriver('driver %s', (driver) => {
  const { state, errors, connection, queue, worker, backend } = files(driver);
  const raw = () => openDatabase(state.file, driver);
  // A limit is of a connection, so it is set through one of its statements.
  const limitPages = (store, pages) =>
    store.read((tx) => tx.get(`PRAGMA max_page_count = ${pages}`));

  test('a foreign write lock is waited for without blocking', async () => {
    const own = queue();
    await own.add('first', {});
    const other = raw();
    other.exec('BEGIN IMMEDIATE');
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 5);
    const added = own.add('second', {});
    await until(() => turns > 10);
    // Reads do not wait for it.
    expect(await own.count()).toBe(1);
    other.exec('ROLLBACK');
    other.close();
    clearInterval(timer);
    expect((await added).id).toBe('2');
    expect(await own.count()).toBe(2);
  });

  test('a lock that stays is an error with its code, and nothing is added', async () => {
    const own = queue({}, { busyTimeoutMs: 60 });
    await own.add('first', {});
    const other = raw();
    other.exec('BEGIN IMMEDIATE');
    const error = await rejection(own.add('second', {}));
    expect(error.code).toBe(CODE);
    expect(error.message).toMatch(/another process holds its write lock/);
    other.exec('ROLLBACK');
    other.close();
    expect(await own.count()).toBe(1);
    expect((await own.add('third', {})).id).toBe('2');
  });

  test('a full store refuses what is added, is read, and goes on with room', async () => {
    const own = queue();
    await own.add('first', {});
    const { store } = own.getBackend();
    await limitPages(store, 1);
    const adding = rejection(own.add('big', 'x'.repeat(200_000)));
    const counting = own.count();
    const error = await adding;
    expect(error.code).toBe(CODE);
    expect(error.message).toMatch(/full/);
    expect(await counting).toBe(1);
    await limitPages(store, 1_000_000);
    await own.add('big', 'x'.repeat(200_000));
    expect(await own.count()).toBe(2);
  });

  test('a result that finds no room is written when there is some', async () => {
    const own = queue();
    const { store } = own.getBackend();
    const runs = worker(async () => {
      await limitPages(store, 1);
      return 'x'.repeat(200_000);
    });
    const done = next(runs, 'completed');
    const job = await own.add('a', {});
    await until(() => errors.length > 0);
    expect(errors[0].code).toBe(CODE);
    await limitPages(store, 1_000_000);
    await done;
    const stored = await own.getJob(job.id);
    expect(stored.returnvalue).toHaveLength(200_000);
    expect(stored.attemptsStarted).toBe(1);
  });

  test('an error of one operation leaves the others of its turn', async () => {
    const own = queue();
    const results = await Promise.allSettled([
      own.add('a', {}),
      own.getBackend().promote('none'),
      own.add('b', {}),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await own.getWaitingCount()).toBe(2);
  });

  test.each([
    ['of a newer version', 'PRAGMA user_version = 99', /its format is 99/],
    ['of an older version', 'PRAGMA user_version = 1', /drain it/],
    ['of another program', 'PRAGMA application_id = 7', /another program/],
  ])(
    'a file %s is refused, and left as it is',
    async (_name, statement, text) => {
      const own = queue();
      await own.add('a', {});
      await own.close();
      const other = raw();
      other.exec(statement);
      other.close();
      const before = fs.readFileSync(state.file);
      const make = () => createSqliteBackend('q', { connection: connection() });
      expect(make).toThrow(expect.objectContaining({ code: CODE }));
      expect(make).toThrow(text);
      expect(fs.readFileSync(state.file)).toEqual(before);
    },
  );

  test('no database, a cut off one, and no folder', async () => {
    fs.writeFileSync(state.file, 'this is a text file, '.repeat(100));
    const make = (more) => () =>
      createSqliteBackend('q', { connection: connection(more) });
    expect(make()).toThrow(expect.objectContaining({ code: CODE }));
    const file = path.join(state.folder, 'none', 'jobs.db');
    expect(make({ file })).toThrow(/there is no folder/);
    const damaged = path.join(state.folder, 'damaged.db');
    const own = queue({}, { file: damaged });
    await own.addBulk(
      Array.from({ length: 100 }, () => ({ name: 'a', data: 'x'.repeat(999) })),
    );
    await own.close();
    const whole = fs.readFileSync(damaged);
    whole.fill(0xff, 4096);
    fs.writeFileSync(damaged, whole);
    const error = await (async () =>
      queue({}, { file: damaged }).add('b', {}))().catch((reason) => reason);
    expect(error.code).toBe(CODE);
  });

  test.each([
    [undefined, /connection/],
    [{ file: ':memory:' }, /must be a path/],
    [{ file: 7 }, /must be a path/],
    [{ file: 'a.db', host: 'redis' }, /no option "host"/],
    [{ file: 'a.db', synchronous: 'off' }, /synchronous/],
    [{ file: 'a.db', driver: 'sql.js' }, /driver/],
    [{ file: 'a.db', busyTimeoutMs: -1 }, /busyTimeoutMs/],
    [{ file: 'a.db', pollMs: 0 }, /pollMs/],
  ])('connection %j is refused', (given, text) => {
    const make = () => createSqliteBackend('q', { connection: given });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(text);
  });

  test('one set of options, and one library, for a file and process', async () => {
    await queue().add('a', {});
    const make = (more) => () =>
      createSqliteBackend('q', { connection: connection(more) });
    expect(make({ synchronous: 'full' })).toThrow(/connection\.synchronous/);
    expect(make({ busyTimeoutMs: 5 })).toThrow(/connection\.busyTimeoutMs/);
    const other = drivers.find((name) => name !== driver);
    if (other) expect(make({ driver: other })).toThrow(/connection\.driver/);
    const link = path.join(state.folder, 'link.db');
    fs.symlinkSync(state.file, link);
    // The same file by another name is the same connection.
    expect(await queue({}, { file: link }).count()).toBe(1);
    expect(fs.existsSync(`${link}-wal`)).toBe(false);
  });

  test('several processes open a new file at once', async () => {
    const program = path.join(__dirname, 'fixtures/sqlite-adder.cjs');
    const children = Array.from({ length: 3 }, (_, index) =>
      fork(program, [state.file, driver, String(index)]),
    );
    const codes = await Promise.all(
      children.map((child) => next(child, 'exit').then(([code]) => code)),
    );
    expect(codes).toEqual([0, 0, 0]);
    expect(await queue().count()).toBe(60);
  });

  test('a reader that stays does not stop writers, and the log is emptied after it', async () => {
    const own = queue();
    await own.add('a', {});
    const reader = raw();
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) AS n FROM job').get();
    const log = () => fs.statSync(`${state.file}-wal`).size;
    for (let i = 0; i < 20; i++) await own.add('a', 'x'.repeat(100_000));
    expect(log()).toBeGreaterThan(1_000_000);
    reader.exec('COMMIT');
    reader.close();
    await own.add('b', {});
    // A file at rest writes its log back.
    await until(() => log() === 0);
    expect(await own.count()).toBe(22);
  });

  test('what comes after close() is refused as BullMQ knows it', async () => {
    const own = backend();
    await own.waitUntilReady();
    await own.close();
    const error = await rejection(own.getCounts(['waiting']));
    expect(error.message).toBe('Connection is closed.');
    expect((await rejection(own.pause(true))).message).toBe(
      'Connection is closed.',
    );
    expect(await own.waitForJob(1)).toBe(null);
    expect(await own.readEvents('$', 1)).toBe(null);
    // A file may be opened again at once.
    expect(await queue().count()).toBe(0);
  });

  test('many jobs at once do not hold up the event loop', async () => {
    const own = queue();
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const jobs = Array.from({ length: 3000 }, (_, n) => ({
      ...{ name: 'a', data: {}, opts: { delay: n % 2 ? 60_000 : 0 } },
    }));
    const added = await own.addBulk(jobs);
    expect(turns).toBeGreaterThan(3);
    expect(added.map(({ id }) => id)).toEqual(
      jobs.map((_, index) => String(index + 1)),
    );
    await own.upsertJobScheduler('s', { every: 3_600_000 });
    turns = 0;
    await own.drain(true);
    expect(turns).toBeGreaterThan(1);
    clearInterval(timer);
    expect(await own.getJobCounts('waiting', 'delayed')).toEqual({
      ...{ waiting: 1, delayed: 0 },
    });
  });

  test('a job of another process wakes a worker that waits', async () => {
    const own = queue();
    const seen = [];
    worker(async (job) => {
      seen.push(job.id);
    });
    await own.waitUntilReady();
    await pause(100);
    const program = path.join(__dirname, 'fixtures/sqlite-adder.cjs');
    const child = fork(program, [state.file, driver, 'other']);
    await next(child, 'exit');
    await until(() => seen.length === 20);
    expect(new Set(seen).size).toBe(20);
  });

  test('a wait ends when a delayed job is due, though nothing is written', async () => {
    const own = queue();
    await own.add('far', {}, { delay: 2 ** 41 });
    await own.add('near', {}, { delay: 150 });
    const waits = backend();
    // Null would be the end of its time.
    expect(await waits.waitForJob(60)).toEqual({ member: '1', score: 0 });
  });

  test('a wait ends when it is interrupted, and not while a queue is held', async () => {
    const own = queue();
    await own.pause();
    await own.add('a', {});
    const waits = backend();
    const ended = [];
    const waiting = waits.waitForJob(60).then((found) => ended.push(found));
    await own.setGlobalConcurrency(0);
    await own.resume();
    await own.add('b', {});
    await pause(100);
    expect(ended).toEqual([]);
    await own.removeGlobalConcurrency();
    await waiting;
    expect(ended).toEqual([{ member: '0', score: 0 }]);
    await own.pause();
    const other = waits.waitForJob(60);
    await waits.disconnectBlocking();
    expect(await other).toBe(null);
    expect(await waits.waitForJob(60)).toBe(null);
    await waits.reconnectBlocking();
    await own.resume();
    expect(await waits.waitForJob(60)).toEqual({ member: '0', score: 0 });
  });

  test('workers are listed while their process lives', async () => {
    const own = queue();
    const runs = worker(async () => {}, { name: 'mine' });
    await until(async () => (await own.getWorkersCount()) === 1);
    const { store } = own.getBackend();
    // The process of this number cannot be.
    await store.write((tx) =>
      tx.run(
        'INSERT INTO client (name, pid) VALUES (?, 2147483646)',
        own.clientName(':w:dead'),
      ),
    );
    expect(await own.getWorkersCount()).toBe(1);
    await runs.close();
    expect(await own.getWorkersCount()).toBe(0);
  });
});
