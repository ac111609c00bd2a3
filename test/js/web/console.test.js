'use strict';

// The text that is printed: the console standard's formatter, and Node's way to
// show values where the standard leaves it open.

const { spawnSync } = require('node:child_process');
const { join } = require('node:path');

const MAJOR = Number.parseInt(process.versions.node, 10);
const LIBRARY = join(__dirname, '../../../lib/index.js');

// The text that `work` prints in a worker, on [stdout, stderr].
function printed(work) {
  const program = `
    const { WorkerPool } = require(${JSON.stringify(LIBRARY)});
    const pool = WorkerPool.create('console', { workers: 1 });
    pool.run(${work}).then(() => pool.stop());`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
    encoding: 'utf8',
  });
  return [stdout, stderr].map((text) => text.split('\n').slice(0, -1));
}

test('formats', () => {
  expect(
    printed(() => {
      console.log('%s %s %s %s', 'a', 5, null, undefined, 'rest', {});
      console.log('%s|%s|%s|%s', Symbol('x'), 5n, -0, { toString: () => 'o' });
      console.log('%d %i %f', '42.9', '42.9', '42.9abc');
      console.log('%d %i %f', 'x', Symbol('x'), Symbol('y'));
      console.log('%d %i', 5n, {});
      console.log('%c styled %c', 'color: red', 'color: blue');
      console.log('%% %x %s');
      console.log('%j', { a: [1] });
      console.log('%o', [1]);
      console.log('%O', { a: { b: { c: { d: 1 } } } });
      console.log('a%', 1);
      console.log(5, '%s', 'x');
      console.log('');
      console.log();
      console.log('%s', 'a', '%s', 'b');
    })[0],
  ).toEqual([
    'a 5 null undefined rest {}',
    'Symbol(x)|5n|-0|o',
    '42.9 42 42.9',
    'NaN NaN NaN',
    '5n NaN',
    ' styled ',
    '%% %x %s',
    '{"a":[1]}',
    '[ 1, [length]: 1 ]',
    '{ a: { b: { c: [Object] } } }',
    'a% 1',
    '5 %s x',
    '',
    '',
    'a %s b',
  ]);
});

test('counts, times, groups and assertions', () => {
  const [out, err] = printed(() => {
    console.count();
    console.count('default');
    console.count(undefined);
    console.count('x');
    console.count({ toString: () => 'x' });
    console.countReset('x');
    console.count('x');
    console.countReset('missing');
    console.group('G', 1);
    console.log('two\nlines');
    console.groupCollapsed();
    console.warn('in');
    console.groupEnd();
    console.groupEnd();
    console.groupEnd();
    console.log('out');
    console.assert(true, 'no');
    console.assert(false);
    console.assert(false, 'why %s', 'x');
    console.assert(0, { a: 1 });
    console.assert();
    console.time('t');
    console.time('t');
    console.timeLog('none');
    console.timeEnd('none');
    console.error('e %d', 1);
    console.dir({ a: { b: { c: {} } } }, { depth: 0 });
    console.dirxml(1, [2]);
    console.debug('debug');
    console.info('info');
  });
  expect(out).toEqual([
    'default: 1',
    'default: 2',
    'default: 3',
    'x: 1',
    'x: 2',
    'x: 1',
    'G 1',
    '  two',
    '  lines',
    'out',
    '{ a: [Object] }',
    '1 [ 2 ]',
    'debug',
    'info',
  ]);
  expect(err.filter((line) => !/^\(|Warning/.test(line))).toEqual([
    '    in',
    'Assertion failed',
    'Assertion failed: why x',
    // Formatted since Node 22.
    `Assertion failed${MAJOR < 22 ? ': [object Object]' : ' { a: 1 }'}`,
    'Assertion failed',
    'e 1',
  ]);
});

test('tables', () => {
  expect(
    printed(() => {
      console.table([
        { a: 1, b: 'x' },
        { a: 2, c: true },
      ]);
      console.table([[1, 2]], ['0']);
      console.table('text');
      console.table(new Map([['k', 1]]));
      console.table([5]);
    })[0],
  ).toEqual([
    '┌─────────┬───┬─────┬──────┐',
    '│ (index) │ a │ b   │ c    │',
    '├─────────┼───┼─────┼──────┤',
    "│ 0       │ 1 │ 'x' │      │",
    '│ 1       │ 2 │     │ true │',
    '└─────────┴───┴─────┴──────┘',
    '┌─────────┬───┐',
    '│ (index) │ 0 │',
    '├─────────┼───┤',
    '│ 0       │ 1 │',
    '└─────────┴───┘',
    'text',
    '┌───────────────────┬─────┬────────┐',
    '│ (iteration index) │ Key │ Values │',
    '├───────────────────┼─────┼────────┤',
    "│ 0                 │ 'k' │ 1      │",
    '└───────────────────┴─────┴────────┘',
    '┌─────────┬────────┐',
    '│ (index) │ Values │',
    '├─────────┼────────┤',
    '│ 0       │ 5      │',
    '└─────────┴────────┘',
  ]);
});

test('console is a namespace', () => {
  const [out] = printed(() => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'console');
    const prototype = Object.getPrototypeOf(console);
    console.log(
      Object.prototype.toString.call(console),
      own.writable,
      own.enumerable,
      own.configurable,
      Object.getPrototypeOf(prototype) === Object.prototype,
      Reflect.ownKeys(prototype).length,
      Object.getOwnPropertyDescriptor(console, Symbol.toStringTag).writable,
    );
    const names =
      'assert clear count countReset debug dir dirxml error group groupCollapsed groupEnd info log table time timeEnd timeLog trace warn';
    const { prototype: methods } = console.Console;
    console.log(
      names
        .split(' ')
        .map((name) => {
          const { writable, enumerable, configurable, value } =
            Object.getOwnPropertyDescriptor(console, name);
          return `${value.name === methods[name].name}${writable && enumerable && configurable}${'prototype' in value}`;
        })
        .filter((text) => text !== 'truetruefalse').length,
    );
    const { log } = console;
    log('detached');
    console.log(
      Symbol.iterator,
      Array.from({ length: 101 }, (_, i) => i).length,
    );
    try {
      console.count({
        toString() {
          throw new Error('label');
        },
      });
    } catch (error) {
      console.log(error.message);
    }
    console.log(
      ['exception', 'timeline', 'markTimeline']
        .map((name) => typeof console[name])
        .join(),
    );
  });
  expect(out).toEqual([
    '[object console] true false true true 0 false',
    '0',
    'detached',
    'Symbol(Symbol.iterator) 101',
    'label',
    'undefined,undefined,undefined',
  ]);
});
