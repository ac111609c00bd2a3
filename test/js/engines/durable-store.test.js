'use strict';
// The file under sloppy-workers/durable when it is locked, full, foreign, new.

const { fork } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const { openDatabase } = require('../../../lib/adapters/journal/sqlite.js');
const { Queue, Worker } = require('../../../lib/adapters/durable.js');
const { rejection, until } = require('./support.js');
const { files, next, pause, withDriver } = require('./durable-support.js');

const CODE = 'SLOPPY_E_DURABLE_STORE_FAILED';

withDriver('driver %s', (driver) => {
  const { state, keep } = files();
  const connection = (more) => ({ file: state.file, driver, ...more });
  const queue = (more) =>
    keep(new Queue('q', { connection: connection(more) }));
  const raw = () => openDatabase(state.file, driver);

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
    await pause(500);
    expect(turns).toBeGreaterThan(10);
    other.exec('ROLLBACK');
    other.close();
    clearInterval(timer);
    expect((await added).id).toBe('2');
    expect(await own.count()).toBe(2);
  });

  test('a lock that stays is an error with its code, and nothing is added', async () => {
    const own = queue({ busyTimeoutMs: 60 });
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

  test('a full store refuses what is added and goes on when there is room', async () => {
    const own = queue();
    await own.add('first', {});
    // The limit is a connection's own, so it is set through a statement of it.
    const { sql } = own.store;
    const limit = (pages) => own.store.limitPages(pages);
    expect(sql).toBeDefined();
    limit(1);
    const error = await rejection(own.add('big', 'x'.repeat(200_000)));
    expect(error.code).toBe(CODE);
    expect(error.message).toMatch(/full/);
    expect(await own.count()).toBe(1);
    limit(1_000_000);
    await own.add('big', 'x'.repeat(200_000));
    expect(await own.count()).toBe(2);
  });

  test('a result that finds no room is written when there is some', async () => {
    const own = queue();
    const runs = keep(
      new Worker(
        'q',
        () => {
          own.store.limitPages(1);
          return 'x'.repeat(100_000);
        },
        { connection: connection() },
      ),
    );
    const errors = [];
    runs.on('error', (error) => errors.push(error.code));
    const done = next(runs, 'completed');
    const job = await own.add('a', {});
    await until(() => errors.length > 0);
    expect(errors[0]).toBe(CODE);
    own.store.limitPages(1_000_000);
    await done;
    expect((await own.getJob(job.id)).returnvalue).toHaveLength(100_000);
    expect((await own.getJob(job.id)).attemptsStarted).toBe(1);
  });

  test.each([
    ['of a newer version', 'PRAGMA user_version = 99', /its format is 99/],
    ['of another program', 'PRAGMA application_id = 7', /another program/],
  ])('a file %s is refused', async (_name, statement, text) => {
    await queue().add('a', {});
    const other = raw();
    other.exec(statement);
    other.close();
    const make = () =>
      new Queue('q', { connection: connection({ pollMs: 7 }) });
    expect(make).toThrow(expect.objectContaining({ code: CODE }));
    expect(make).toThrow(text);
  });

  test('no database, and no folder', () => {
    fs.writeFileSync(state.file, 'this is a text file, '.repeat(100));
    const make = () => new Queue('q', { connection: connection() });
    expect(make).toThrow(expect.objectContaining({ code: CODE }));
    const file = path.join(state.folder, 'none', 'jobs.db');
    const inNone = () => new Queue('q', { connection: { file, driver } });
    expect(inNone).toThrow(/there is no folder/);
  });

  test('several processes open a new file at once', async () => {
    const program = path.join(__dirname, 'fixtures/durable-adder.cjs');
    const children = Array.from({ length: 3 }, (_, index) =>
      fork(program, [state.file, driver, String(index)]),
    );
    const codes = await Promise.all(
      children.map((child) => next(child, 'exit').then(([code]) => code)),
    );
    expect(codes).toEqual([0, 0, 0]);
    expect(await queue().count()).toBe(60);
  });
});
