'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { Journal } = require('../../../lib/adapters/journal.js');
const { drivers, withDriver } = require('../support/sqlite-drivers.js');
const { fixture, pool, stopAll } = require('./support.js');

// Programs of thousands of messages, on machines that may be busy.
jest.setTimeout(240_000);

let folder;
let file;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'journal-'));
  file = path.join(folder, 'journal.db');
});

afterEach(async () => {
  await stopAll();
  fs.rmSync(folder, { recursive: true, force: true });
});

const ECHO = { a: { text: 'finished({ got: message.data })' } };

withDriver('with %s', (driver) => {
  const open = () => Journal.open(file, { driver });

  test('holds a message from its queueing to its answer', async () => {
    const journal = open();
    const qoper8 = pool(ECHO, { QBackup: journal });
    const sent = qoper8.send({ type: 'a', data: 1 });
    expect(journal.size).toBe(1);
    await sent;
    expect(journal.size).toBe(0);
    await qoper8.stop();
    journal.close();
  });

  test('what a run left is recovered in order, by the next one only', async () => {
    const first = open();
    for (const id of [1, 2, 10, 9]) first.add(id, { type: 'a', data: { id } });
    first.delete(2);
    expect(first.leftovers()).toEqual([]);
    first.close();

    const second = open();
    expect(second.leftovers().map(({ id }) => id)).toEqual([1, 9, 10]);
    const qoper8 = pool(ECHO, { QBackup: second });
    const answers = [];
    await new Promise((resolve) => {
      const count = second.recover(qoper8, (answer) => {
        if (answers.push(answer.got.id) === 3) setImmediate(resolve);
      });
      expect(count).toBe(3);
      expect([second.size, second.leftovers()]).toEqual([3, []]);
    });
    expect(answers).toEqual([1, 9, 10]);
    expect(second.size).toBe(0);
    await qoper8.stop();
    second.close();
  });

  test('ids of two runs do not meet', () => {
    const first = open();
    first.add(1, { type: 'a', data: 'first' });
    first.close();
    const second = open();
    second.add(1, { type: 'a', data: 'second' });
    second.delete(1);
    expect(second.leftovers()[0].request.data).toBe('first');
    second.close();
  });

  test('a pool that does not take the message keeps it in the journal', async () => {
    const first = open();
    first.add(1, { type: 'a' });
    first.close();
    const second = open();
    const stopped = pool(ECHO, { QBackup: second });
    await stopped.stop();
    expect(() => second.recover(stopped)).toThrow(/did not put/);
    expect(() => second.recover(pool(ECHO))).toThrow(/did not put/);
    expect(second.leftovers()).toHaveLength(1);
    second[Symbol.dispose]();
  });

  test('after kill -9 every message is handled at least once', async () => {
    const total = 10_000;
    const killed = life(folder, total, 9000);
    await killed.line('sent');
    await killed.answers(3000);
    killed.child.kill('SIGKILL');
    expect(await killed.ended).toBe('SIGKILL');
    const before = answeredIn(folder);
    expect(before.size).toBeLessThan(total);

    const next = life(folder, 0);
    expect(await next.ended).toBe(0);
    expect(next.output()).toMatch(
      /^recovering\nrecovered \d+\nsent\nleft 0\n$/,
    );
    const recovered = Number(/recovered (\d+)/.exec(next.output())[1]);
    expect(recovered).toBeGreaterThanOrEqual(total - before.size);
    expect(answeredIn(folder).size).toBe(total);
  });

  test('a second kill -9 during recover() loses none either', async () => {
    const total = 5000;
    const killed = life(folder, total, 4000);
    await killed.line('sent');
    killed.child.kill('SIGKILL');
    expect(await killed.ended).toBe('SIGKILL');
    const again = life(folder, 0, 4000);
    await again.line('recovering');
    again.child.kill('SIGKILL');
    expect(await again.ended).toBe('SIGKILL');

    const next = life(folder, 0);
    expect(await next.ended).toBe(0);
    expect(next.output()).toMatch(/^left 0$/m);
    expect(answeredIn(folder).size).toBe(total);
  });
});

test('without SQLite it says what is missing', () => {
  if (drivers.includes('better-sqlite3')) return;
  expect(() => Journal.open(file, { driver: 'better-sqlite3' })).toThrow(
    /needs SQLite: Node 22\.13 or later, or the package better-sqlite3/,
  );
});

function answeredIn(where) {
  const lines = fs.readFileSync(path.join(where, 'answered'), 'utf8');
  return new Set(lines.trim().split('\n'));
}

/**
 * Runs journal-child.cjs and follows what it prints and writes. With messages
 * that are never answered it lives until it is killed.
 */
function life(where, ...numbers) {
  const args = [fixture('journal-child.cjs'), where, ...numbers];
  const child = spawn(process.execPath, args.map(String), {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const ended = new Promise((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  const until = async (ready) => {
    while (!ready()) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  const answered = path.join(where, 'answered');
  return {
    child,
    ended,
    output: () => output,
    line: (text) => until(() => output.includes(`${text}\n`)),
    answers: (number) =>
      until(() => fs.existsSync(answered) && answeredIn(where).size >= number),
  };
}
