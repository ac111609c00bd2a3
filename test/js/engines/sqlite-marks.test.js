'use strict';
// The counts and places of lists of sloppy-workers/sqlite, which are kept: they
// are those that going through the lists would give.

const { LISTS } = require('../../../lib/adapters/sqlite/lists.js');
const marks = require('../../../lib/adapters/sqlite/marks.js');
const { files, withDriver } = require('./sqlite-support.js');

const MOST = 4096;

/** Numbers below 1, the same in each run. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

const rowsOf = (tx, { where, by }) =>
  tx.all(
    `SELECT id, rank FROM job WHERE qid = 1 AND ${where} ORDER BY ${by.join(', ')}`,
  );

/** All that a list has, by going through it. */
function idsOf(tx, name) {
  const rows = rowsOf(tx, LISTS[name]);
  const chosen =
    name === 'prioritized' ? rows.filter((row) => row.rank > 0) : rows;
  return chosen.map(({ id }) => id);
}

function check(tx) {
  const parts = {};
  for (const [name, type] of Object.entries(LISTS)) {
    const ids = idsOf(tx, name);
    expect([name, marks.count(tx, 1, type)]).toEqual([name, ids.length]);
    for (const part of [0, 0.2, 0.5, 0.99]) {
      const first = Math.floor(ids.length * part);
      const found = marks.idsFrom(tx, 1, type, first, 30);
      expect([name, found]).toEqual([name, ids.slice(first, first + 30)]);
    }
    const rows = tx.all(
      'SELECT n FROM mark WHERE qid = 1 AND list = ?',
      type.list,
    );
    expect(Math.min(...rows.map(({ n }) => n))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...rows.map(({ n }) => n))).toBeLessThanOrEqual(MOST);
    parts[name] = rows.length;
  }
  return parts;
}

withDriver('driver %s', (driver) => {
  const { backend } = files(driver);
  const SIZE = 20_000;

  function insert(tx, count, next) {
    const seq = () => tx.nextSeq() * (next() < 0.1 ? -1 : 1);
    for (let n = 0; n < count; n++) {
      tx.run(
        'INSERT INTO job (qid, id, state, seq, ts) VALUES (?, ?, 0, ?, 0)',
        ...[1, String(n), seq()],
      );
    }
  }

  /** A job goes anywhere, by one statement. */
  function move(tx, next, among) {
    const state = among[Math.floor(next() * among.length)];
    const time = Math.floor(next() * 5000);
    tx.run(
      `UPDATE job SET state = ?, rank = ?, seq = ?, due = ?, fin = ?
        WHERE qid = 1 AND id = ?`,
      ...[state, state === 0 && next() < 0.5 ? 1 + (time % 7) : 0],
      ...[tx.nextSeq() * (next() < 0.1 ? -1 : 1)],
      ...[state > 3 ? time : null, state === 2 || state === 3 ? time : null],
      String(Math.floor(next() * SIZE)),
    );
  }

  test('every way of a job from list to list', async () => {
    const own = backend();
    const next = random(7);
    await own.store.write((tx) => {
      tx.queue('bull:q');
      insert(tx, SIZE, next);
      expect(check(tx).wait).toBeGreaterThan(3);
      for (let n = 0; n < 12_000; n++) move(tx, next, [0, 1, 2, 3, 4, 5]);
      check(tx);
      // Nearly all in one list, then in another.
      for (const state of [2, 4, 0]) {
        for (let n = 0; n < 20_000; n++) move(tx, next, [state]);
        check(tx);
      }
      tx.run('UPDATE job SET state = 3, fin = 9 WHERE qid = 1 AND seq % 3 = 0');
      check(tx);
    });
  });

  test('parts of a list that empties become few', async () => {
    const own = backend();
    const next = random(9);
    await own.store.write((tx) => {
      tx.queue('bull:q');
      insert(tx, SIZE, next);
      // Some of each part stay.
      tx.run('DELETE FROM job WHERE qid = 1 AND jid % 1000 <> 0');
      const { wait } = check(tx);
      expect(wait).toBe(1);
      tx.run('DELETE FROM job');
      expect(check(tx)).toEqual(
        Object.fromEntries(Object.keys(LISTS).map((name) => [name, 1])),
      );
    });
  });

  test('jobs of a priority, and those that are due, are counted', async () => {
    const own = backend();
    await own.store.write((tx) => {
      tx.queue('bull:q');
      for (let n = 0; n < 9000; n++) {
        tx.run(
          `INSERT INTO job (qid, id, state, rank, seq, ts, due)
            VALUES (1, ?, ?, ?, ?, 0, ?)`,
          ...[String(n), n % 2 ? 0 : 4, n % 2 ? 1 + (n % 3) : 0, n, n],
        );
      }
    });
    expect(await own.getCountsPerPriority([0, 1, 2, 3, 4])).toEqual([
      ...[0, 1500, 1500, 1500, 0],
    ]);
    expect(await own.getCounts(['delayed'], 7001)).toEqual([3501]);
    expect(await own.getCounts(['delayed', 'prioritized'])).toEqual([
      ...[4500, 4500],
    ]);
  });
});
