'use strict';

const { standard } = require('./support.js');

standard('structuredClone: objects', {
  'own enumerable string keys only, as data': [
    () => {
      let read = 0;
      const from = Object.create(
        { inherited: 1 },
        {
          seen: {
            get() {
              read += 1;
              return 2;
            },
            enumerable: true,
          },
          hidden: { value: 3, enumerable: false },
        },
      );
      from[Symbol('s')] = 4;
      const to = structuredClone(from);
      return [
        Reflect.ownKeys(to),
        Object.getOwnPropertyDescriptor(to, 'seen'),
        read,
        Object.getPrototypeOf(to) === Object.prototype,
      ];
    },
    [
      ['seen'],
      { value: 2, writable: true, enumerable: true, configurable: true },
      1,
      true,
    ],
  ],
  'an instance of a class becomes a plain object': [
    () => {
      class Point {
        #secret = 1;
        x = 2;
        secret() {
          return this.#secret;
        }
      }
      const to = structuredClone(new Point());
      return [Object.getPrototypeOf(to) === Object.prototype, to];
    },
    [true, { x: 2 }],
  ],
  'identity and cycles are kept': [
    () => {
      const from = { list: [], map: new Map(), set: new Set() };
      from.self = from;
      from.list.push(from, from.list);
      from.map.set(from, from.map);
      from.set.add(from.set);
      const to = structuredClone(from);
      return [
        to !== from,
        to.self === to,
        to.list[0] === to,
        to.list[1] === to.list,
        to.map.get(to) === to.map,
        to.set.has(to.set),
      ];
    },
    [true, true, true, true, true, true],
  ],
  'holes, length and other keys of an array': [
    () => {
      const from = [];
      from[1] = 1;
      from[3] = undefined;
      from.length = 7;
      from.extra = 'e';
      from[-1] = 'n';
      const to = structuredClone(from);
      return [to.length, Object.keys(to), 0 in to, Array.isArray(to)];
    },
    [7, ['1', '3', 'extra', '-1'], false, true],
  ],
  'a key called __proto__ stays a key': [
    () => {
      const to = structuredClone(JSON.parse('{"__proto__": {"a": 1}}'));
      return [Object.keys(to), Object.getPrototypeOf(to) === Object.prototype];
    },
    [['__proto__'], true],
  ],
  'an exception of a getter comes through': [
    () => {
      const error = new RangeError('mine');
      try {
        structuredClone({
          get a() {
            throw error;
          },
        });
        return 'none';
      } catch (caught) {
        return caught === error;
      }
    },
    true,
  ],
  'maps and sets keep their order, and lose other properties': [
    () => {
      const map = new Map([
        [-0, 2],
        ['k', { v: 1 }],
      ]);
      map.extra = 1;
      const set = structuredClone(new Set([3, 1, 2]));
      const to = structuredClone(map);
      return [[...to], to.extra, [...set]];
    },
    [
      [
        [0, 2],
        ['k', { v: 1 }],
      ],
      undefined,
      [3, 1, 2],
    ],
  ],
  'what a getter adds to a map meanwhile is not copied': [
    () => {
      const from = new Map();
      from.set('a', {
        get x() {
          from.set('b', 1);
          return 1;
        },
      });
      return [...structuredClone(from).keys()];
    },
    ['a'],
  ],
});
