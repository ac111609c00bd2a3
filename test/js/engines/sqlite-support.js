'use strict';

const fs = require('node:fs');
const { isBuiltin } = require('node:module');
const os = require('node:os');
const path = require('node:path');

const { withBackend } = require('bullmq');

const { createSqliteBackend } = require('../../../lib/adapters/sqlite.js');

const drivers = [];
if (isBuiltin('node:sqlite')) drivers.push('node');
try {
  require('better-sqlite3');
  drivers.push('better-sqlite3');
} catch {}

/** Without any SQLite there is nothing to test. */
const withDriver =
  drivers.length > 0 ? describe.each(drivers) : describe.skip.each(['none']);

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

/** Resolves with the arguments of the next event. */
const next = (emitter, event) =>
  new Promise((resolve) => emitter.once(event, (...words) => resolve(words)));

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

module.exports = { classes, drivers, files, next, pause, withDriver };
