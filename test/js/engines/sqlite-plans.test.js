'use strict';
// Statements are prepared once. SQLite asks its authorizer whenever it prepares
// one, also when it does so by itself.

const { isBuiltin } = require('node:module');

const { files } = require('./sqlite-support.js');

const DatabaseSync = isBuiltin('node:sqlite')
  ? require('node:sqlite').DatabaseSync
  : class {};
const withAuthorizer =
  DatabaseSync.prototype.setAuthorizer === undefined ? describe.skip : describe;

withAuthorizer('of node:sqlite', () => {
  const { queue, worker } = files('node');
  const JOBS = 50;
  const asked = new Map();
  const original = {};
  let preparing = false;

  function countAgain(handle) {
    asked.set(handle, 0);
    handle.setAuthorizer(() => {
      if (!preparing) asked.set(handle, asked.get(handle) + 1);
      return 0;
    });
  }

  beforeAll(() => {
    for (const name of ['exec', 'prepare']) {
      original[name] = DatabaseSync.prototype[name];
      DatabaseSync.prototype[name] = function (sql) {
        if (!asked.has(this)) countAgain(this);
        preparing = true;
        try {
          return original[name].call(this, sql);
        } finally {
          preparing = false;
        }
      };
    }
  });
  afterAll(() => Object.assign(DatabaseSync.prototype, original));

  const sum = () => [...asked.values()].reduce((all, one) => all + one, 0);

  test('none is prepared again for other values', async () => {
    const own = queue();
    const finished = new Promise((resolve) => {
      let left = 2 * JOBS;
      const runner = worker(async () => 1, { concurrency: 8 });
      runner.on('completed', () => {
        left -= 1;
        if (left === 0) resolve();
      });
    });
    const opts = [{}, { priority: 2 }, { delay: 1 }, { attempts: 2 }];
    const jobs = Array.from({ length: JOBS }, (_, i) => ({
      name: `${i}`,
      data: {},
      opts: opts[i % 4],
    }));
    await own.addBulk(jobs);
    for (const { name, data } of jobs) await own.add(name, data);
    await finished;
    expect(asked.size).toBeGreaterThan(0);
    expect(sum()).toBe(0);
  });
});
