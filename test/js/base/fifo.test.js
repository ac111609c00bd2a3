'use strict';

const { Fifo } = require('../../../lib/base/fifo.js');

function filled(from, to, fifo = new Fifo()) {
  for (let i = from; i < to; i++) fifo.push(i);
  return fifo;
}

function drained(fifo) {
  const items = [];
  while (fifo.length > 0) items.push(fifo.shift());
  return items;
}

const range = (from, to) =>
  Array.from({ length: to - from }, (_, i) => from + i);

test('what goes in first comes out first, also around the end of its ring', () => {
  const fifo = new Fifo();
  let next = 0;
  let taken = 0;
  for (let round = 0; round < 200; round++) {
    filled(next, next + 13, fifo);
    next += 13;
    for (let i = 0; i < 11; i++) expect(fifo.shift()).toBe(taken++);
  }
  expect(fifo.length).toBe(400);
  expect(drained(fifo)).toEqual(range(taken, next));
});

test('one that is empty gives nothing', () => {
  const fifo = filled(0, 3);
  drained(fifo);
  for (const take of ['shift', 'pop', 'peek', 'last']) {
    expect(fifo[take]()).toBeUndefined();
    expect(fifo.length).toBe(0);
  }
});

test('what is put back comes out first, in its order', () => {
  const fifo = filled(0, 15);
  fifo.shift();
  fifo.unshift('a', 'b', 'c', 'd');
  expect(fifo.peek()).toBe('a');
  expect(drained(fifo)).toEqual(['a', 'b', 'c', 'd', ...range(1, 15)]);
});

test('the last ones can be taken', () => {
  const fifo = filled(0, 40);
  expect(fifo.last()).toBe(39);
  expect([fifo.pop(), fifo.pop()]).toEqual([39, 38]);
  fifo.push('new');
  expect(drained(fifo)).toEqual([...range(0, 38), 'new']);
});

test('it holds nothing that was taken, and works on after a burst', () => {
  const fifo = filled(0, 100_000);
  expect(drained(fifo)).toEqual(range(0, 100_000));
  expect(drained(filled(0, 20, fifo))).toEqual(range(0, 20));
  filled(0, 5, fifo).clear();
  expect(fifo.length).toBe(0);
  expect(fifo.peek()).toBeUndefined();
  expect(drained(filled(7, 9, fifo))).toEqual([7, 8]);
});

test('it keeps its order while it becomes shorter, from both ends', () => {
  const fifo = filled(0, 50_000);
  const ends = [];
  for (let i = 0; i < 20_000; i += 1) ends.push(fifo.shift(), fifo.pop());
  expect(ends).toEqual(range(0, 20_000).flatMap((i) => [i, 49_999 - i]));
  expect(drained(filled(30_000, 40_000, fifo))).toEqual(range(20_000, 40_000));
});

test('accessors on Array.prototype do not reach it', () => {
  const calls = [];
  Object.defineProperty(Array.prototype, '3', {
    configurable: true,
    get: () => calls.push('get'),
    set: () => calls.push('set'),
  });
  let sum = 0;
  try {
    const fifo = filled(0, 40);
    while (fifo.length > 0) sum += fifo.shift();
  } finally {
    delete Array.prototype[3];
  }
  expect(sum).toBe(780);
  expect(calls).toEqual([]);
});
