'use strict';
// The counts and places of lists of sloppy-workers/sqlite, which are kept: they
// are those that going through the lists would give.

const { erase, relist } = require('../../../lib/adapters/sqlite/jobs.js');
const { LISTS } = require('../../../lib/adapters/sqlite/lists.js');
const { checkLists, files, withDriver } = require('./sqlite-support.js');

/** Numbers below 1, the same in each run. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** @returns {Record<string, number>} parts of each list */
function check(tx) {
  tx.lists.flush(tx);
  checkLists(tx);
  return Object.fromEntries(
    Object.entries(LISTS).map(([name, { list }]) => [
      name,
      tx.all('SELECT n FROM mark WHERE qid = 1 AND list = ?', list).length,
    ]),
  );
}

withDriver('driver %s', (driver) => {
  const { backend } = files(driver);
  const SIZE = 20_000;

  function insert(tx, count, next) {
    const seq = () => tx.nextSeq() * (next() < 0.1 ? -1 : 1);
    for (let n = 0; n < count; n++) {
      const row = { qid: 1, state: 0, rank: 0, seq: seq() };
      tx.run(
        'INSERT INTO job (jid, qid, id, state, seq, ts) VALUES (?, 1, ?, 0, ?, 0)',
        ...[n + 1, String(n), row.seq],
      );
      tx.lists.add({ ...row, jid: n + 1 }, 1);
    }
  }

  /** A job goes anywhere, by one statement. */
  function move(tx, next, among) {
    const state = among[Math.floor(next() * among.length)];
    const time = Math.floor(next() * 5000);
    const row = {
      ...{ state, rank: state === 0 && next() < 0.5 ? 1 + (time % 7) : 0 },
      seq: tx.nextSeq() * (next() < 0.1 ? -1 : 1),
      due: state > 3 ? time : null,
      fin: state === 2 || state === 3 ? time : null,
    };
    const jid = 1 + Math.floor(next() * SIZE);
    relist(tx, { jid, qid: 1 }, row);
    tx.run(
      `UPDATE job SET state = ?, rank = ?, seq = ?, due = ?, fin = ?
        WHERE jid = ?`,
      ...[row.state, row.rank, row.seq, row.due, row.fin, jid],
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
    });
  });

  test('parts of a list that empties become few', async () => {
    const own = backend();
    const next = random(9);
    await own.store.write((tx) => {
      tx.queue('bull:q');
      insert(tx, SIZE, next);
      // Some of each part stay.
      for (const job of tx.all('SELECT * FROM job WHERE jid % 1000 <> 0')) {
        erase(tx, job);
      }
      const { wait } = check(tx);
      expect(wait).toBe(1);
      for (const job of tx.all('SELECT * FROM job')) erase(tx, job);
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
        const [state, rank] = n % 2 ? [0, 1 + (n % 3)] : [4, 0];
        tx.run(
          `INSERT INTO job (jid, qid, id, state, rank, seq, ts, due)
            VALUES (?, 1, ?, ?, ?, ?, 0, ?)`,
          ...[n + 1, String(n), state, rank, n, n],
        );
        const row = { qid: 1, jid: n + 1, seq: n, due: n, fin: null };
        tx.lists.add({ ...row, state, rank }, 1);
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

  test('a change that is taken back is not counted', async () => {
    const own = backend();
    const job = { name: 'a', data: '{}', opts: {}, timestamp: 1 };
    await own.store.write((tx) => void tx.queue('bull:q'));
    const odd = own.store.write((tx) => {
      tx.lists.add({ qid: 1, jid: 9, state: 0, rank: 0, seq: 9 }, 1);
      throw new Error('odd');
    });
    const added = own.addJob(job, '');
    const counted = own.getCounts(['wait']);
    await expect(odd).rejects.toThrow('odd');
    await added;
    expect(await counted).toEqual([1]);
    await own.store.read(checkLists);
  });
});
