'use strict';
// Asking for the time loads the clock alone, and the rest of `performance` is
// there as Node has it although it is loaded later.

const { execFileSync } = require('node:child_process');

const { createBareContext } = require('./bare-context.js');

const isOfEntries = (name) => /^library-(perf|inspect|util)$/.test(name);

test('the time alone needs no entries and no inspect', () => {
  const { run, compiled } = createBareContext();
  expect(run('typeof performance.now()')).toBe('number');
  expect(run('typeof performance.timeOrigin')).toBe('number');
  expect(compiled.filter(isOfEntries)).toEqual([]);
  run(`performance.mark('a')`);
  expect(compiled.filter(isOfEntries)).toContain('library-perf');
});

test.each([
  [`Buffer.from('a')`, 'library-buffer'],
  [`new EventTarget().dispatchEvent(new Event('a'))`, 'library-targets'],
  [`new AbortController().signal.aborted`, 'library-targets'],
  [`new URL('http://a.b/c').href`, 'library-url'],
])('%s needs no inspect', (source, group) => {
  const { run, compiled } = createBareContext();
  run(source);
  expect(compiled).toContain(group);
  expect(compiled.filter((name) => name === 'library-inspect')).toEqual([]);
});

const ASK = `
const shown = [];
const { prototype } = Performance;
// Only V8's lazy properties are plain ones before they are read.
prototype.nodeTiming; prototype.markResourceTiming; prototype.timerify;
for (const key of Reflect.ownKeys(prototype)) {
  const { value, ...rest } = Object.getOwnPropertyDescriptor(prototype, key);
  const { get, set, ...flags } = rest;
  const kind = get === undefined ? typeof value : 'accessor';
  const names = key === 'nodeTiming' ? value.name : [value?.name, value?.length];
  shown.push([String(key), kind, flags, names]);
}
let full = 0;
performance.addEventListener('resourcetimingbufferfull', () => { full += 1; });
performance.mark('a', { detail: 1 });
performance.measure('b', 'a');
shown.push(performance.getEntries().map(({ name, entryType, detail }) => [name, entryType, detail]));
performance.clearMarks();
shown.push(performance.getEntriesByType('mark').length, performance.nodeTiming === prototype.nodeTiming);
performance.clearMeasures('b');
shown.push(performance.getEntries().length, full, typeof performance.timerify(() => 1));
for (const wrong of [() => prototype.now(), () => performance.mark(), () => performance.setResourceTimingBufferSize()]) {
  try { wrong(); } catch (error) { shown.push([error.name, error.code, error.message]); }
}
JSON.stringify(shown)`;

test('the other members are those of the main thread', () => {
  const { run } = createBareContext();
  const text = execFileSync(process.execPath, ['-p', ASK], {
    encoding: 'utf8',
  });
  expect(JSON.parse(run(ASK))).toEqual(JSON.parse(text));
});

test('what was left until it is wanted shows values', () => {
  const { run } = createBareContext();
  const shown = run(`
    [new URL('http://a.b/c'), new EventTarget(), new AbortController(), Buffer.from('a')]
      .map((each) => each[Symbol.for('nodejs.util.inspect.custom')](2, { depth: 2, stylize: String }))
      .map(String).join('|')`);
  expect(shown).toMatch(
    /^URL \{[^|]*\}\|EventTarget \{\}\|AbortController \{[^|]*\}\|<Buffer 61>$/,
  );
});
