'use strict';

const fs = require('node:fs');
const { isBuiltin } = require('node:module');
const os = require('node:os');
const path = require('node:path');

const drivers = [];
if (isBuiltin('node:sqlite')) drivers.push('node');
try {
  require('better-sqlite3');
  drivers.push('better-sqlite3');
} catch {}

/** Without any SQLite there is nothing to test. */
const withDriver =
  drivers.length > 0 ? describe.each(drivers) : describe.skip.each(['none']);

/** A file for each test, and what is opened on it. */
function files() {
  const state = { folder: undefined, file: undefined };
  const open = [];
  beforeEach(() => {
    state.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'durable-'));
    state.file = path.join(state.folder, 'jobs.db');
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
    fs.rmSync(state.folder, { recursive: true, force: true });
  });
  const keep = (each) => {
    open.push(each);
    return each;
  };
  return { state, keep };
}

/** Resolves with the arguments of the next event. */
const next = (emitter, event) =>
  new Promise((resolve) => emitter.once(event, (...words) => resolve(words)));

/** Resolves when the event has come `count` times. */
const times = (emitter, event, count) =>
  new Promise((resolve) => {
    let seen = 0;
    const all = [];
    emitter.on(event, (...words) => {
      all.push(words);
      seen += 1;
      if (seen === count) resolve(all);
    });
  });

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

module.exports = { drivers, files, next, pause, times, withDriver };
