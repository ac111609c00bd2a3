'use strict';

// The functions that are closed, by their texts.

const { isClosed } = require('../../../lib/entries/closed-function.js');
const { reachOf } = require('../../../lib/entries/function-analysis.js');
const { Reach } = require('../../../lib/protocol/wire.gen.js');

test.each([
  '(() => 1)',
  '(() => {})',
  '(({ input }) => input)',
  '(({input,}) => input + 0.5)',
  '(async ({ input }) => input)',
  '(function ({ input }) { return input; })',
  '(async function twice({ input }) { return 2 * input; })',
  '(() => { const f = (n) => (n < 2 ? n : f(n - 1) + f(n - 2)); return f(20) })',
  '(({ input }) => { let sum = 0; for (let i = 0; i < input; i++) sum += i; return sum })',
  '(() => { /* nothing but a comment */ return NaN })',
  '(({ input }) => { "use strict"; return input < 1 ? \'less\' : "more" })',
  '(({ input }) => Math.floor(Math.sqrt(input) * Math.PI))',
  '(({ input }) => (input === undefined ? Infinity : input))',
  '(() => { const aB = 1; return aB })',
])('is closed: %s', (source) => {
  expect(isClosed(source)).toBe(true);
  expect(reachOf(source)).toBe(Reach.Nothing);
});

test.each([
  // Objects that others share.
  '(() => Array)',
  '(() => Zebra)',
  '(() => A)',
  '(() => self)',
  '(() => reportError)',
  '(() => { onerror = null })',
  '(() => addEventListener)',
  '(() => { isNaN = null })',
  '(() => { Math = null })',
  '(() => (() => 1).constructor)',
  '(() => (() => 1) . constructor)',
  '(() => { const f = () => 1; f?.call })',
  '(() => 1..constructor)',
  '(() => { const { constructor } = 1 })',
  '(() => { const { constructor: c } = 1 })',
  '(() => { const { prototype } = function () {}; })',
  '(() => { ({ __proto__: 1 }) })',
  '(() => valueOf())',
  '(() => hasOwnProperty)',
  '(() => [])',
  '(({ input }) => { ({})[input] = 1 })',
  '(() => ({ ...1 }))',
  '(() => "constructor")',
  "(() => { const { 'constructor': c } = 1 })",
  "(() => { ({ '__proto__': 1 }) })",
  '(() => "a.b")',
  '(() => Math)',
  '(() => Math.abs)',
  '(() => Math.abs .call(1))',
  '(() => Math.abs.call(1))',
  '(() => Math.constructor(1))',
  '(() => Math.nothing(1))',
  '(() => { Math.abs = 1 })',
  '(() => { x.Math.abs(1) })',
  '(() => aMath.abs(1))',
  '(() => `constructor`)',
  '(() => /x/.source)',
  '(() => { const { then } = import(1) })',
  // Code, and what it is called with.
  '(() => eval(1))',
  '(() => new (() => 1)())',
  '(() => { class A {} })',
  '(() => { class a { static b = 1 } })',
  '(function () { return this })',
  '(function () { return arguments })',
  '(() => { with (1) {} })',
  '(() => globalThis)',
  '(() => { delete x })',
  '(() => { for (x in 1); })',
  '(() => 1 instanceof 2)',
  '(async () => { await 1 })',
  '(() => c\\u006fnstructor)',
  '(() => { const $ = 1 })',
  '(() => { const ä = 1 })',
  // Other parameters.
  '((context) => context)',
  '(({ input, signal }) => signal)',
  '(({ input: { length } }) => length)',
  '(({ input } = 1) => input)',
  '(({ ...all }) => all)',
  '((...all) => all)',
  '(({ input }, more) => more)',
  '((input) => input)',
  // No functions by themselves.
  '({ f() {} }).f',
  '[() => 1, []]',
  `(() => ${'1 + '.repeat(600)} 1)`,
])('may reach more: %s', (source) => {
  expect(isClosed(source)).toBe(false);
});

// These may return objects, which would have to wait for the runtime.
test.each([
  '(() => ({}))',
  '(({ input }) => ({ input }))',
  '(({ input }) => ({ input: input + 1 }))',
  '(async ({ input }) => { return { input } })',
  '(({ input }) => input ? { input: 1 } : 2)',
  '(() => { const made = { a: 1 }; return made })',
])('closed, but known to make an object: %s', (source) => {
  expect(isClosed(source)).toBe(true);
  expect(reachOf(source)).toBe(Reach.BuiltIns);
});
