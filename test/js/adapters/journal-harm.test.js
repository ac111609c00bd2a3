'use strict';
// The harm that the disk or another process does to a journal is told with a
// code, and costs no message that was promised to be safe.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { Journal, JournalError } = require('../../../lib/adapters/journal.js');
const { openDatabase } = require('../../../lib/adapters/journal/sqlite.js');
const { withDriver } = require('../support/sqlite-drivers.js');
const { pool, stopAll } = require('./support.js');

let folder;
let file;
const open = [];

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'journal-'));
  file = path.join(folder, 'journal.db');
});

afterEach(async () => {
  await stopAll();
  for (const each of open.splice(0)) each.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const ECHO = { a: { text: 'finished({ got: message.data })' } };
const kept = (closable) => {
  open.push(closable);
  return closable;
};

function thrown(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('hooks of the caller', () => {
  const broken = () => {
    throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
  };

  test('a required backup that fails refuses the message', async () => {
    const QBackup = { required: true, add: broken, delete() {} };
    const qoper8 = pool(ECHO, { QBackup });
    const message = { type: 'a', data: 1 };
    await expect(qoper8.send(message)).rejects.toMatchObject({
      code: 'ENOSPC',
    });
    const answers = [];
    qoper8.message(message, (answer) => answers.push(answer));
    expect(answers).toEqual([
      { error: 'The message cannot be backed up', originalRequest: message },
    ]);
    expect(answers[0].code).toBe('ENOSPC');
    expect(thrown(() => qoper8.message(message)).code).toBe('ENOSPC');
    expect(qoper8.getQueueLength()).toBe(0);
    QBackup.add = () => {};
    expect(await qoper8.send(message)).toMatchObject({ got: 1 });
  });

  test('any other is logged, and the message goes on', async () => {
    const qoper8 = pool(ECHO, { QBackup: { add: broken, delete: broken } });
    expect(await qoper8.send({ type: 'a', data: 2 })).toMatchObject({ got: 2 });
  });

  test('an error that cannot be read goes no further', async () => {
    const hostile = {
      get message() {
        throw new Error('hostile');
      },
      get stack() {
        throw new Error('hostile');
      },
    };
    const QBackup = {
      add() {
        throw hostile;
      },
    };
    const qoper8 = pool(ECHO, { QBackup });
    expect(await qoper8.send({ type: 'a', data: 3 })).toMatchObject({ got: 3 });
  });
});

withDriver('with %s', (driver) => {
  const journalOf = () => kept(Journal.open(file, { driver }));
  const raw = () => kept(openDatabase(file, driver));

  test('what the disk does not take is refused, what it takes is not', async () => {
    const journal = journalOf();
    const qoper8 = pool(ECHO, { QBackup: journal });
    const db = raw();
    db.exec(`CREATE TRIGGER full BEFORE INSERT ON entries
      BEGIN SELECT RAISE(FAIL, 'no room'); END`);
    const error = await qoper8.send({ type: 'a' }).catch((reason) => reason);
    expect(error).toBeInstanceOf(JournalError);
    expect(error.code).toBe('SLOPPY_JOURNAL_FAILED');
    expect(error.cause.message).toContain('no room');
    expect([journal.size, qoper8.getQueueLength()]).toEqual([0, 0]);
    db.exec('DROP TRIGGER full');
    const sent = qoper8.send({ type: 'a', data: 1 });
    expect(journal.size).toBe(1);
    expect(await sent).toMatchObject({ got: 1 });
  });

  test('a full disk has its code', () => {
    const journal = journalOf();
    journal.add(1, { type: 'a' });
    journal.close();
    open.pop();
    const limited = openDatabase(file, driver);
    const pages = limited.prepare('PRAGMA page_count').get().page_count;
    limited.exec(`PRAGMA max_page_count = ${pages}`);
    const small = kept(new Journal(limited));
    const message = { type: 'a', data: 'x'.repeat(1e6) };
    expect(thrown(() => small.add(2, message))).toMatchObject({
      code: 'SLOPPY_JOURNAL_FULL',
      message: expect.stringContaining('disk is full'),
    });
    expect(small.leftovers()).toHaveLength(1);
  });

  test('a process that holds the file is named as the reason', async () => {
    const journal = journalOf();
    const db = raw();
    db.exec('BEGIN EXCLUSIVE');
    const reason = {
      code: 'SLOPPY_JOURNAL_LOCKED',
      message: expect.stringContaining('another process holds the journal'),
    };
    const error = thrown(() => Journal.open(file, { driver }));
    expect(error).toMatchObject(reason);
    const qoper8 = pool(ECHO, { QBackup: journal });
    await expect(qoper8.send({ type: 'a' })).rejects.toMatchObject(reason);
    db.exec('COMMIT');
    expect(await qoper8.send({ type: 'a', data: 1 })).toMatchObject({ got: 1 });
  });

  test('damaged rows are set aside, and all others recovered', async () => {
    const first = journalOf();
    for (const id of [1, 2, 3, 4]) first.add(id, { type: 'a', data: id });
    const db = raw();
    const spoil = db.prepare('UPDATE entries SET request = ? WHERE id = ?');
    spoil.run(Buffer.from([1, 2, 3]), 2);
    spoil.run(require('node:v8').serialize('no message'), 4);
    const second = journalOf();
    const emitted = jest.spyOn(process, 'emitWarning').mockReturnValue();
    const qoper8 = pool(ECHO, { QBackup: second });
    const answers = [];
    const done = new Promise((resolve) => {
      const count = second.recover(qoper8, ({ got }) => {
        if (answers.push(got) === 2) setImmediate(resolve);
      });
      expect(count).toBe(2);
    });
    const warnings = emitted.mock.calls;
    emitted.mockRestore();
    await done;
    expect(answers).toEqual([1, 3]);
    expect(warnings).toEqual([
      [
        expect.stringContaining('1/2, 1/4'),
        expect.objectContaining({ code: 'SLOPPY_W_JOURNAL_DAMAGED' }),
      ],
    ]);
    expect(second.size).toBe(0);
    expect(second.damaged().map(({ id }) => id)).toEqual([2, 4]);
    expect([...second.damaged()[0].bytes]).toEqual([1, 2, 3]);
    expect(second.recover(qoper8)).toBe(0);
  });

  test('a file that is no journal, and a folder that is not there', () => {
    fs.writeFileSync(file, 'no database, by no means, whatever it may seem');
    expect(thrown(() => Journal.open(file, { driver })).code).toBe(
      'SLOPPY_JOURNAL_DAMAGED',
    );
    const nowhere = path.join(folder, 'not', 'there.db');
    expect(() => Journal.open(nowhere, { driver })).toThrow();
  });

  test('a closed journal refuses', async () => {
    const journal = Journal.open(file, { driver });
    const qoper8 = pool(ECHO, { QBackup: journal });
    journal.close();
    await expect(qoper8.send({ type: 'a' })).rejects.toMatchObject({
      code: 'SLOPPY_JOURNAL_CLOSED',
    });
  });
});
