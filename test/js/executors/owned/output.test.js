'use strict';
// Output of a thread's or process's code to the process's streams, while its
// owner wants that.

const { outputsTo } = require('../../../../lib/executors/owned/output.js');

const { stdout, stderr } = process;
const kept = [stdout.write, stderr.write];
let written;
let told;
let divert;

beforeEach(() => {
  written = [];
  told = [];
  for (const stream of [stdout, stderr]) {
    stream.write = function write(...args) {
      written.push([this === stdout ? 1 : 2, ...args]);
      return 'of the stream';
    };
  }
  divert = outputsTo((fd, text) => told.push([fd, text]));
});
afterEach(() => {
  [stdout.write, stderr.write] = kept;
});

test('is written as before while nobody wants it', () => {
  const done = () => {};
  expect(stdout.write('a', 'utf8', done)).toBe('of the stream');
  expect(stderr.write('b', done)).toBe('of the stream');
  divert(true);
  divert(false);
  stdout.write('c');
  expect(told).toEqual([]);
  expect(written).toEqual([
    [1, 'a', 'utf8', done],
    [2, 'b', done, done],
    [1, 'c', undefined, undefined],
  ]);
});

test('goes to the owner, with the number of its stream', () => {
  divert(true);
  expect(stdout.write('a')).toBe(true);
  expect(stderr.write(Buffer.from('b'))).toBe(true);
  expect(stdout.write(new Uint8Array([99]))).toBe(true);
  expect(stdout.write('')).toBe(true);
  expect(told).toEqual([
    [1, 'a'],
    [2, 'b'],
    [1, 'c'],
  ]);
  expect(written).toEqual([]);
});

test('has whole characters, however the bytes are cut', () => {
  divert(true);
  const bytes = Buffer.from('ж€');
  for (const byte of bytes) {
    stdout.write(Buffer.of(byte));
    // Each stream has its own.
    stderr.write(Buffer.from('x'));
  }
  const of = (fd) => told.filter(([each]) => each === fd);
  expect(of(1)).toEqual([
    [1, 'ж'],
    [1, '€'],
  ]);
  expect(of(2)).toHaveLength(bytes.length);
});

test('tells later that it is written', async () => {
  divert(true);
  const calls = [];
  const done = (how) => () => calls.push(how);
  stdout.write('a', done('second'));
  stdout.write('b', 'utf8', done('third'));
  expect(calls).toEqual([]);
  await new Promise(process.nextTick);
  expect(calls).toEqual(['second', 'third']);
});

test('leaves what is no chunk to Node', () => {
  divert(true);
  stdout.write(5);
  expect(written).toEqual([[1, 5, undefined, undefined]]);
  expect(told).toEqual([]);
});
