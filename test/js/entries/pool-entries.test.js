'use strict';
// Which entries a pool defines and drops, over an addon that only counts.

const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const { PoolEntries, nameOf } = require('../../../lib/entries/entries.js');
const { EntryKind, Reach, Sees } = require('../../../lib/protocol/wire.gen.js');

// As in lib/entries/entries.js.
const MOST = 1024;
const MOST_CHARACTERS = 2 ** 25;

class Addon {
  live = new Map();
  defined = [];
  literals = new Map();
  asked = 0;
  isFull = false;

  defineEntry = (kind, text, name, sees, reach) => {
    if (this.isFull) return 0;
    this.defined.push({ kind, text, name, sees, reach });
    this.live.set(this.defined.length, text);
    return this.defined.length;
  };
  dropEntry = (id) => {
    if (!this.live.delete(id)) throw new Error(`entry ${id} is not there`);
  };
  literalOf = (fn) => {
    this.asked += 1;
    return this.literals.get(fn) ?? 0;
  };
}

function open() {
  const addon = new Addon();
  const executor = { needed: 0, needRuntime: () => (executor.needed += 1) };
  const entries = new PoolEntries(addon, 'pool', executor);
  return { addon, entries, executor, live: () => addon.live.size };
}

const numbered = (n) => new Function(`return ${n}`);

describe('an entry of a function', () => {
  test('is one for all functions of its text', () => {
    const { entries, live } = open();
    const [a, b] = [() => 1, () => 1];
    const entry = entries.function(a);
    expect(entries.function(a)).toBe(entry);
    expect(entries.function(b)).toBe(entry);
    expect(entries.function(b)).toBe(entry);
    expect(entries.function(() => 2)).not.toBe(entry);
    expect(entries.function(a)).toBe(entry);
    expect(live()).toBe(2);
  });

  test('says what the addon has to know', () => {
    const { addon, entries, executor } = open();
    const entry = entries.function(function named() {});
    expect(entry).toMatchObject({ id: 1, pending: 0, name: 'named', executor });
    entries.function(() => 1);
    expect(addon.defined).toEqual([
      {
        kind: EntryKind.Function,
        text: '(function named() {}\n)',
        name: 'sloppy:pool/named',
        sees: Sees.Members,
        reach: Reach.Nothing,
      },
      expect.objectContaining({ name: 'sloppy:pool/anonymous' }),
    ]);
  });

  test.each([
    ['whole', (context) => context, Sees.Whole],
    ['by its members', ({ input }) => input, Sees.Members],
    ['by arguments', new Function('return arguments'), Sees.Whole],
    ['a method that does', { go: (context) => context }.go, Sees.Whole],
    [
      'nobody knows',
      {
        go({ input }) {
          return input;
        },
      }.go,
      Sees.Unknown,
    ],
    ['with helpers', ({ input }) => __name(input), Sees.Unknown],
  ])('sees its context: %s', (_, fn, sees) => {
    const { addon, entries } = open();
    entries.function(fn);
    expect(addon.defined[0].sees).toBe(sees);
  });

  test('needs the runtime unless it is closed', () => {
    const { entries, executor } = open();
    entries.function(({ input }) => input + 1);
    expect(executor.needed).toBe(0);
    entries.function(({ input }) => [input]);
    expect(executor.needed).toBe(1);
    entries.function(() => globalThis);
    expect(executor.needed).toBe(2);
  });
});

describe('a place in a script', () => {
  test('is asked for once there are two functions of one text', () => {
    const { addon, entries } = open();
    const make = () => () => 1;
    const entry = entries.function(make());
    expect(addon.asked).toBe(0);
    const second = make();
    addon.literals.set(second, 5);
    expect(entries.function(second)).toBe(entry);
    expect(addon.asked).toBe(1);
    // Another one there is known by its place alone.
    const third = Object.assign(() => 'never read', {});
    addon.literals.set(third, 5);
    expect(entries.function(third)).toBe(entry);
  });

  test('that nobody knows is none', () => {
    const { entries } = open();
    const make = () => () => 1;
    const entry = entries.function(make());
    expect(entries.function(make())).toBe(entry);
    const other = entries.function(() => 2);
    expect(other).not.toBe(entry);
    expect(entries.function(() => 2)).toBe(other);
  });

  test('is not that of a method, whose name may differ', () => {
    const { addon, entries } = open();
    const method = (name) => {
      const made = { [name]() {} }[name];
      addon.literals.set(made, 7);
      return made;
    };
    entries.function(method('a'));
    entries.function(method('a'));
    const other = entries.function(method('b'));
    expect(other.name).toBe('b');
    expect(other.text).toContain('"b"');
  });
});

describe('an entry with modules', () => {
  const fn = ({ modules }) => modules.path.sep;
  const modules = { path: 'node:path' };

  test('has its own text, with the list in it', () => {
    const { addon, entries } = open();
    const entry = entries.function(fn, modules);
    expect(entries.function(fn, { ...modules })).toBe(entry);
    const others = entries.function(fn, { path: 'node:fs' });
    expect(others).not.toBe(entry);
    expect(entries.function(fn, modules)).toBe(entry);
    expect(entries.function(fn)).not.toBe(entry);
    expect(addon.defined.map(({ text }) => text)).toEqual([
      `[${fn}\n,[["path","node:path"]]]`,
      `[${fn}\n,[["path","node:fs"]]]`,
      `(${fn}\n)`,
    ]);
    expect(addon.defined[0].sees).toBe(Sees.Unknown);
  });

  test('of a method', () => {
    const { addon, entries } = open();
    const { go } = {
      go({ modules: all }) {
        return all;
      },
    };
    const entry = entries.function(go, modules);
    expect(addon.defined[0].text).toBe(
      `[({${go}\n})["go"],[["path","node:path"]]]`,
    );
    expect(entries.function(go, modules)).toBe(entry);
  });

  test('two functions with equal modules are two', () => {
    const { entries } = open();
    const entry = entries.function(fn, modules);
    const other = entries.function(({ modules: all }) => all, modules);
    expect(other).not.toBe(entry);
  });
});

test('entries of exports and of the start are one each', () => {
  const { addon, entries, executor } = open();
  const one = entries.export('one');
  expect(entries.export('one')).toBe(one);
  expect(entries.export('two')).not.toBe(one);
  const ready = entries.ready();
  expect(entries.ready()).toBe(ready);
  const sees = Sees.Unknown;
  const reach = Reach.Globals;
  expect(addon.defined).toEqual([
    { kind: EntryKind.Export, text: 'one', name: 'sloppy:pool/', sees, reach },
    { kind: EntryKind.Export, text: 'two', name: 'sloppy:pool/', sees, reach },
    { kind: EntryKind.Ready, text: '', name: 'sloppy:pool/', sees, reach },
  ]);
  expect(executor.needed).toBe(0);
  expect(nameOf(one)).toBe('one');
  expect(nameOf(ready)).toBe('');
  expect(nameOf(entries.function(function named() {}))).toBe('named');
});

describe('an entry is dropped', () => {
  const fill = (entries, count, from = 0) =>
    Array.from({ length: count }, (_, n) => entries.export(`e${from + n}`));

  test('once there are more, the oldest first', () => {
    const { addon, entries, live } = open();
    const all = fill(entries, MOST);
    expect(live()).toBe(MOST);
    expect(all[0].id).toBe(1);
    fill(entries, 1, MOST);
    expect(live()).toBe(MOST);
    expect(all[0].id).toBe(0);
    expect(all[1].id).toBe(2);
    expect(addon.live.has(1)).toBe(false);
    // The name has none: it gets another one.
    expect(entries.export('e0')).not.toBe(all[0]);
    expect(all[1].id).toBe(0);
    expect(entries.export('e2')).toBe(all[2]);
  });

  test('not while jobs use it', () => {
    const { entries, live } = open();
    const all = fill(entries, MOST);
    entries.use(all[0]);
    entries.use(all[0]);
    expect(all[0].pending).toBe(2);
    fill(entries, 1, MOST);
    expect(all[0].id).toBe(1);
    expect(all[1].id).toBe(0);
    for (const entry of all.slice(2)) entries.use(entry);
    fill(entries, 3, 2 * MOST);
    // Two that nobody uses were there.
    expect(live()).toBe(MOST);
    const used = entries.export('e9');
    expect(used).toBe(all[9]);
  });

  test('as soon as they are unused, if there are too many', () => {
    const { entries, live } = open();
    const all = fill(entries, MOST);
    for (const entry of all) entries.use(entry);
    const more = fill(entries, 10, MOST);
    for (const entry of more) entries.use(entry);
    expect(live()).toBe(MOST + 10);
    entries.dropCaches();
    expect(live()).toBe(MOST + 10);
    for (const entry of [...all, ...more]) entry.pending = 0;
    entries.dropCaches();
    expect(live()).toBe(MOST);
    expect(all[9].id).toBe(0);
    expect(all[10].id).not.toBe(0);
  });

  test('for its text is long', () => {
    const { entries, live } = open();
    const long = 'x'.repeat(MOST_CHARACTERS / 4);
    const all = [1, 2, 3].map((n) => entries.export(`${n}${long}`));
    expect(live()).toBe(3);
    const exactly = 'x'.repeat(MOST_CHARACTERS / 4 - 3);
    entries.export(exactly);
    entries.dropCaches();
    expect(live()).toBe(4);
    entries.export('y');
    entries.dropCaches();
    expect(live()).toBe(4);
    expect(all.map(({ id }) => id !== 0)).toEqual([false, true, true]);
    expect(entries.export(`2${long}`)).toBe(all[1]);
  });

  test('and defined again for the next job', () => {
    const { entries, live } = open();
    const fn = numbered(-1);
    const entry = entries.function(fn);
    fill(entries, MOST);
    expect(entry.id).toBe(0);
    expect(entries.function(fn)).toBe(entry);
    entries.use(entry);
    expect(entry.id).not.toBe(0);
    expect(entry.pending).toBe(1);
    // Equal texts find it again.
    expect(entries.function(numbered(-1))).toBe(entry);
    expect(live()).toBe(MOST);
  });

  test('of a text for which there is another one by then', () => {
    const { entries } = open();
    const old = entries.function(numbered(-1));
    fill(entries, MOST);
    const renewed = entries.function(numbered(-1));
    expect(renewed).not.toBe(old);
    entries.use(old);
    expect(entries.function(numbered(-1))).toBe(renewed);
    old.pending = 0;
    fill(entries, MOST + 1, MOST);
    entries.use(renewed);
    expect(entries.function(numbered(-1))).toBe(renewed);
  });

  test('with all others, and none is defined after that', () => {
    const { entries, live } = open();
    const fn = numbered(1);
    const entry = entries.function(fn);
    entries.export('one');
    entries.ready();
    entries.drop();
    expect(live()).toBe(0);
    expect(entries.function(fn)).toBe(entry);
    entries.use(entry);
    entries.export('two');
    entries.function(numbered(2));
    expect(live()).toBe(0);
    expect(entry.id).toBe(0);
  });
});

test('where memory is short, an entry has no number', () => {
  const { addon, entries, live } = open();
  addon.isFull = true;
  const entry = entries.export('one');
  expect(entry.id).toBe(0);
  addon.isFull = false;
  entries.use(entry);
  expect(entry.id).toBe(1);
  expect(live()).toBe(1);
  expect(entries.export('one')).toBe(entry);
});

test('a pool that rests holds no function', async () => {
  const { entries } = open();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const kept = new WeakRef(numbered(3));
  for (let n = 0; n < 2; n += 1) entries.function(kept.deref());
  entries.dropCaches();
  // An object that deref() gave lives until the next turn.
  await new Promise(setImmediate);
  collect();
  expect(kept.deref()).toBeUndefined();
  expect(entries.function(numbered(3)).id).toBe(1);
});
