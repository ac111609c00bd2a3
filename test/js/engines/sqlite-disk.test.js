'use strict';
// Promises of sloppy-workers/sqlite wait for the disk where a power cut could undo them.

const fs = require('node:fs');

const { openDatabase } = require('../../../lib/adapters/journal/sqlite.js');
const { rejection, until } = require('./support.js');
const { files, pause, withDriver } = require('./sqlite-support.js');

const CODE = 'SLOPPY_E_SQLITE_STORE_FAILED';

withDriver('driver %s', (driver) => {
  const { state, backend } = files(driver);
  const raw = () => openDatabase(state.file, driver);
  const job = { name: 'a', data: '{}', opts: {}, timestamp: 1 };
  const real = fs.fdatasync;
  const waits = [];
  /** Each wait for the disk ends when the test says so. */
  const hold = () =>
    jest.spyOn(fs, 'fdatasync').mockImplementation((descriptor, done) => {
      waits.push((error) => (error ? done(error) : real(descriptor, done)));
    });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const end of waits.splice(0)) end();
  });

  test('what a power cut may undo does not wait for it', async () => {
    const own = backend({}, { synchronous: 'full' });
    const waited = jest.spyOn(fs, 'fdatasync');
    const id = await own.addJob(job, '');
    expect(waited).toHaveBeenCalledTimes(1);
    await own.moveToActive('token');
    await own.extendLocks([id], ['token'], 1000);
    expect(waited).toHaveBeenCalledTimes(1);
    // A turn in which something has to stay waits for all of it.
    await Promise.all([own.addJob(job, ''), own.moveToActive('token')]);
    expect(waited).toHaveBeenCalledTimes(2);
    await own.moveToActive('token');
    await own.moveToCompleted({ id, opts: {} }, 1, false, 'token', true);
    expect(waited).toHaveBeenCalledTimes(3);
  });

  test('nobody is told before it, reads and writers go on, one wait serves many', async () => {
    const own = backend({}, { synchronous: 'full' });
    await own.waitUntilReady();
    hold();
    const told = [];
    const adding = (name) => own.addJob(job, name).then(() => told.push(name));
    const added = [adding('first')];
    await until(() => waits.length === 1);
    added.push(adding('second'));
    await until(async () => (await own.getCounts(['wait']))[0] === 2);
    added.push(adding('third'));
    const claimed = own.moveToActive('token').then(() => told.push('claim'));
    await until(async () => (await own.getCounts(['active']))[0] === 1);
    // Another connection may write meanwhile.
    const other = raw();
    other.exec('BEGIN IMMEDIATE; COMMIT');
    other.close();
    expect(told).toEqual([]);
    waits.shift()();
    await until(() => waits.length === 1);
    expect(told).toEqual(['first']);
    waits.shift()();
    await Promise.all([...added, claimed]);
    expect(told).toEqual(['first', 'second', 'third', 'claim']);
    expect(waits).toEqual([]);
  });

  test('an error of it is told to those who wait for it', async () => {
    const own = backend({}, { synchronous: 'full' });
    await own.waitUntilReady();
    hold();
    const adding = rejection(own.addJob(job, 'first'));
    const claiming = own.moveToActive('token');
    await until(() => waits.length === 1);
    waits.shift()(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }));
    const error = await adding;
    expect(error.code).toBe(CODE);
    expect(error.message).toMatch(/reading or writing it failed/);
    expect(error.cause.code).toBe('EIO');
    expect((await claiming)[1]).toBe('first');
    const again = own.addJob(job, 'second');
    await until(() => waits.length === 1);
    waits.shift()();
    expect(await again).toBe('second');
  });

  test('close() waits for it', async () => {
    const own = backend({}, { synchronous: 'full' });
    await own.waitUntilReady();
    hold();
    const told = [];
    const adding = own.addJob(job, 'first').then(() => told.push('added'));
    await until(() => waits.length === 1);
    const closing = own.close().then(() => told.push('closed'));
    await pause(20);
    expect(told).toEqual([]);
    waits.shift()();
    await Promise.all([adding, closing]);
    expect(told).toEqual(['added', 'closed']);
  });
});
