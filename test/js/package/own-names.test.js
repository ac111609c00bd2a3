'use strict';
// A bundle's functions are named as they were written, without a call for each.

const { execFileSync } = require('node:child_process');
const path = require('node:path');
const vm = require('node:vm');
const { pathToFileURL } = require('node:url');

const script = path.join(__dirname, '../../../scripts/lib/own-names.mjs');

// esbuild writes this with `keepNames`.
const HELPER =
  'var __name=(target,value)=>Object.defineProperty(target,"name",{value,configurable:true});';

const cleaned = (text) =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { withOwnNames } from ${JSON.stringify(pathToFileURL(script).href)};
      process.stdout.write(withOwnNames(${JSON.stringify(text)}));`,
    ],
    { encoding: 'utf8' },
  );

const calls = (text) => text.split('__name(').length - 1;
const namesOf = (text, list) =>
  vm.runInNewContext(`${text};JSON.stringify(${list}.map(({ name }) => name))`);

test.each([
  ['function a(){return 1}__name(a,"a");', '[a]'],
  [
    'function a(){}__name(a,"a"),__name(b,"b");function b(){}',
    '[a, b, function () {}]',
  ],
  ['var a=__name(()=>1,"a"),b=__name(function(){},"b");', '[a, b]'],
  ['let a;a=__name(async()=>{},"a");', '[a]'],
  ['var a=__name(()=>__name(()=>{},"inner"),"a");', '[a, a()]'],
  ['var a=__name(()=>{let b=__name(()=>1,"b");return b},"a");', '[a, a()]'],
  ['var a={b:__name(()=>1,"b"),[`c`]:__name(()=>1,"d")};', 'Object.values(a)'],
  ['var f=(a=__name(()=>1,"a"))=>a;', '[f()]'],
  ['var A=class{static{__name(this,"A")}};', '[A]'],
  ['class A{static{__name(this,"A")}static x=1}', '[A]'],
  ['var A=class _A{static{__name(this,"A")}};', '[A]'],
  ['var A2=class _A{static{__name(this,"A")}static b(){return _A}};', '[A2]'],
  ['var b={_A:1},A=class _A{static{__name(this,"A")}c=b._A};', '[A]'],
  ['function a2(){}__name(a2,"a");', '[a2]'],
  ['var a2=__name(()=>1,"a"),b=__name(()=>2,"c");', '[a2, b]'],
  ['var a=1;a+=__name(()=>1,"a").name;', '[{ name: a }]'],
])('%s keeps its names', (code, list) => {
  const text = `${HELPER}${code}`;
  expect(namesOf(cleaned(text), list)).toBe(namesOf(text, list));
});

// V8's messages know a class by the name in its text.
test.each([
  ['var A=class _A{static{__name(this,"A")}};', 'A', 'A'],
  [
    'var A=class _A extends(()=>_A,Object){static{__name(this,"A")}b=_A};',
    'A',
    'A',
  ],
  ['var A2=class _A{static{__name(this,"A")}static b=()=>A};', 'A2', '_A'],
  ['var A2=class _A{static{__name(this,"A")}static b=()=>({_A})};', 'A2', '_A'],
])('%s: the class is called', (code, name, inMessage) => {
  const text = cleaned(`${HELPER}${code}`);
  const call = `${text};try{${name}()}catch({message}){message}`;
  expect(vm.runInNewContext(call)).toBe(
    `Class constructor ${inMessage} cannot be invoked without 'new'`,
  );
});

test('only functions that have another name are named', () => {
  const text = `${HELPER}function a(){}__name(a,"a");var b=__name(()=>1,"b");
    var C=class{static{__name(this,"C")}};function d2(){}__name(d2,"d");
    var e2=__name(()=>1,"e");`;
  expect(calls(text)).toBe(5);
  expect(calls(cleaned(text))).toBe(2);
});
