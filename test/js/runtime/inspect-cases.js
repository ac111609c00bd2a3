'use strict';

// Started as `node --expose-internals inspect-cases.js`. Prints, as JSON, how
// each expression is shown by the runtime and by Node, both in fresh realms.

const { inspect, formatWithOptions } = require('node:util');

const { createBareContext } = require('./bare-context.js');

const EXPRESSIONS = [
  `1`,
  `-0`,
  `"a\\n'b'"`,
  `Symbol('x')`,
  `10n`,
  `[undefined, null, NaN, true]`,
  `[1, , 3]`,
  `new Array(200).fill(7)`,
  `({ a: { b: { c: { d: 1 } } } })`,
  `({ get x() { return 1; }, set y(v) {}, get z() { return 1; }, set z(v) {} })`,
  `Object.create(null)`,
  `Object.assign(Object.create(null), { a: 1 })`,
  `(() => { const o = { n: 1 }; o.self = o; return o; })()`,
  `new Map([[{ a: 1 }, 'b'], ['c', new Map()]])`,
  `new Set([1, 'x', [2]])`,
  `new Map([[1, { a: 2 }]]).entries()`,
  `new Map([[1, 2]]).keys()`,
  `new Set([1, 2]).values()`,
  `new Set([1, 2]).entries()`,
  `Promise.resolve(4)`,
  `Promise.resolve({ a: [1] })`,
  `new Promise(() => {})`,
  `(() => { const p = Promise.reject(5); p.catch(() => {}); return p; })()`,
  `new Proxy({ a: 1 }, {})`,
  `new Proxy(function f() {}, {})`,
  `new WeakMap()`,
  `new WeakSet()`,
  `(function () { return arguments; })(1, 2)`,
  `new Uint8Array(3)`,
  `new Float64Array([1.5, 2])`,
  `new BigInt64Array(2)`,
  `class A {}`,
  `class A { constructor() {} }`,
  `class B extends Array {}`,
  `new (class A { x = 1; #hidden = 2; })()`,
  `new (class A extends Map {})([[1, 2]])`,
  `new (class extends Set {})([1])`,
  `Object.assign(() => {}, { a: 1 })`,
  `function named() {}`,
  `async () => {}`,
  `function* gen() {}`,
  `async function* agen() {}`,
  `(function* () {})()`,
  `new Date(0)`,
  `new Date(NaN)`,
  `/a+/gi`,
  `Object(1n)`,
  `[new Boolean(true), new String('s'), new Number(3), Object(Symbol('q'))]`,
  `JSON`,
  `Math`,
  `Reflect`,
  `Atomics`,
  `new WeakRef({ a: 1 })`,
  `({ [Symbol.toStringTag]: 'Tag', a: 1 })`,
  `({ [Symbol.for('nodejs.util.inspect.custom')]() { return 'custom'; } })`,
  `'x'.repeat(200)`,
  `({ long: 'y'.repeat(90), other: 'z'.repeat(30) })`,
  `Array.from({ length: 30 }, (_, i) => 'item' + i)`,
  `[[[[[1]]]]]`,
  `({ 'a-b': 1, 2: 3, valid_id: 4 })`,
  `[1, 2, 3].values()`,
  `'ab'.matchAll(/a/g)`,
  `globalThis.WebAssembly`,
  `new URLSearchParams('a=1&b=2')`,
  `new URL('https://u:p@x.org:81/a?b=1#c')`,
  `new AbortController()`,
  `Buffer.from('hello')`,
  `new Blob(['abc'], { type: 'text/plain' })`,
  `({ nested: new URL('https://x.org/') })`,
];

// [format arguments]
const FORMATS = [
  `['%s %d %i %f %j %o %O %% %c|', 'a', '42', 3.9, '1.5', { a: 1 }, [1], { b: 2 }, 'css', 'rest']`,
  `['%s', null, undefined, 5n, Symbol('a')]`,
  `['%s|%s|%s', { toString() { return 'own'; } }, class Q {}, [1, [2, [3]]]]`,
  `['%d', '0x10', {}]`,
  `['100%', 'a']`,
  `['a', 'b', { c: 1 }]`,
  `[{ a: 1 }, 'str']`,
  `['%x', 1]`,
  `['%s', -0]`,
  `['%j', (() => { const o = {}; o.o = o; return o; })()]`,
];

const vm = require('node:vm');

const bare = createBareContext();
const shown = EXPRESSIONS.map((source) => {
  const ours = bare.api
    .load('library')
    .moduleOf('internal/util/inspect')
    .inspect(bare.run(`(${source})`));
  const nodes = inspect(vm.runInThisContext(`(${source})`));
  return { source, ours, nodes };
});
const formatted = FORMATS.map((source) => {
  const { formatWithOptions: format } = bare.api
    .load('library')
    .moduleOf('internal/util/inspect');
  const ours = format({}, ...bare.run(`(${source})`));
  const nodes = formatWithOptions({}, ...vm.runInThisContext(`(${source})`));
  return { source, ours, nodes };
});

// The same calls on both consoles; Node's own writes into memory.
const CALLS = `(console) => {
  console.log('a', { b: 1 });
  console.info('%s is %d', 'x', 4);
  console.debug([1, 2]);
  console.error('bad', new Map([[1, 2]]));
  console.warn('careful');
  console.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 });
  console.dirxml('x', [1]);
  console.assert(true, 'no');
  console.assert(false);
  console.assert(false, 'why %s', 'so');
  console.assert(false, { a: 1 });
  console.count();
  console.count('c');
  console.count();
  console.countReset();
  console.count();
  console.countReset('none');
  console.group('G');
  console.log('in\\nside');
  console.group();
  console.warn('deeper');
  console.groupEnd();
  console.groupEnd();
  console.groupEnd();
  console.log('out');
  console.table([{ a: 1, b: 'x' }, { a: 2, c: true }]);
  console.table([[1, 2], [3, 4]]);
  console.table([1, 'two', { three: 3 }]);
  console.table([{ a: 1, b: 2 }], ['b']);
  console.table(new Map([['k', 1], ['l', { m: 2 }]]));
  console.table(new Set(['v', 2]));
  console.table({ r: { x: 1 }, s: { y: [1, 2, 3, 4] } });
  console.table(5);
  console.table([]);
  console.table([{ wide: '\\u65e5\\u672c' }]);
  console.timeEnd('never');
  console.timeLog('never');
  console.log();
  console.log('');
}`;
const written = { out: '', err: '' };
const { Console } = require('node:console');

const sink = (key) => ({
  write: (text) => {
    written[key] += text;
    return true;
  },
  on() {},
  once() {},
  removeListener() {},
  listenerCount: () => 0,
});
const warnings = [];
process.on('warning', (warning) =>
  warnings.push(`Warning: ${warning.message}`),
);
vm.runInThisContext(`(${CALLS})`)(
  new Console({ stdout: sink('out'), stderr: sink('err') }),
);
bare.run(`(${CALLS})(console)`);

// Node tells warnings later and apart from the stream.
const isWarning = (line) => line.startsWith(`(node:${process.pid}) Warning: `);
const withoutWarnings = (text) =>
  text
    .split('\n')
    .filter((line) => !isWarning(line))
    .join('\n');
const onlyWarnings = (text) =>
  text
    .split('\n')
    .filter(isWarning)
    .map((line) => line.slice(line.indexOf(') ') + 2));

setImmediate(() => {
  const result = {
    shown,
    formatted,
    out: { ours: bare.text(1), nodes: written.out },
    err: { ours: withoutWarnings(bare.text(2)), nodes: written.err },
    warnings: {
      ours: onlyWarnings(bare.text(2)),
      nodes: warnings.filter((text) => !text.includes('internal testing')),
    },
  };
  process.stdout.write(JSON.stringify(result));
});
