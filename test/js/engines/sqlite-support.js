'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { withBackend } = require('bullmq');

const { createSqliteBackend } = require('../../../lib/adapters/sqlite.js');

const { LISTS, MOST } = require('../../../lib/adapters/sqlite/lists.js');
const marks = require('../../../lib/adapters/sqlite/marks.js');
const { drivers, withDriver } = require('../support/sqlite-drivers.js');

const classes = withBackend(createSqliteBackend);

/** A file for each test, and what is opened on it. */
function files(driver) {
  const state = { folder: undefined, file: undefined };
  const open = [];
  beforeEach(() => {
    state.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sqlite-'));
    state.file = path.join(state.folder, 'jobs.db');
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
    fs.rmSync(state.folder, { recursive: true, force: true });
  });
  const keep = (each) => {
    each.on('error', (error) => errors.push(error));
    open.push(each);
    return each;
  };
  const errors = [];
  beforeEach(() => {
    errors.length = 0;
  });
  const connection = (more) => ({
    ...{ file: state.file, driver, synchronous: 'normal', ...more },
  });
  const withConnection = (more, of) => ({
    ...more,
    connection: connection(of),
  });
  return {
    state,
    errors,
    keep,
    connection,
    queue: (more, of) => keep(new classes.Queue('q', withConnection(more, of))),
    worker: (run, more, of) =>
      keep(new classes.Worker('q', run, withConnection(more, of))),
    events: (more, of) =>
      keep(new classes.QueueEvents('q', withConnection(more, of))),
    flows: (more, of) =>
      keep(new classes.FlowProducer(withConnection(more, of))),
    backend: (more, of) =>
      keep(createSqliteBackend('q', withConnection(more, of))),
  };
}

/** All that a list has, by going through it. */
function rowsOf(tx, qid, name) {
  const { where, by } = LISTS[name];
  const rows = tx.all(
    `SELECT * FROM job WHERE qid = ? AND ${where} ORDER BY ${by.join(', ')}`,
    qid,
  );
  return name === 'prioritized' ? rows.filter(({ rank }) => rank > 0) : rows;
}

/** The kept counts and places are those that going through a list gives. */
function checkList(tx, qid, name) {
  const type = LISTS[name];
  const ids = rowsOf(tx, qid, name).map(({ id }) => id);
  expect([name, marks.count(tx, qid, type)]).toEqual([name, ids.length]);
  for (const part of [0, 0.2, 0.5, 0.99]) {
    const first = Math.floor(ids.length * part);
    const found = marks.idsFrom(tx, qid, type, first, 30);
    expect([name, found]).toEqual([name, ids.slice(first, first + 30)]);
  }
  const sizes = tx
    .all('SELECT n FROM mark WHERE qid = ? AND list = ?', qid, type.list)
    .map(({ n }) => n);
  expect(Math.min(...sizes.slice(1), 1)).toBe(1);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST);
}

/** @param {Transaction} tx of a read */
function checkLists(tx) {
  for (const { qid } of tx.all('SELECT qid FROM queue')) {
    for (const name of Object.keys(LISTS)) checkList(tx, qid, name);
  }
}

/** Resolves with the arguments of the next event. */
const next = (emitter, event) =>
  new Promise((resolve) => emitter.once(event, (...words) => resolve(words)));

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

module.exports = {
  checkLists,
  classes,
  drivers,
  files,
  next,
  pause,
  withDriver,
};
