'use strict';

/* global thrown */
const { standard } = require('./support.js');

standard('structuredClone: values', {
  primitives: [
    () =>
      [undefined, null, true, 'x', '\uD800', 1, -0, NaN, -Infinity, 9n].every(
        (value) => Object.is(structuredClone(value), value),
      ),
    true,
  ],
  'wrapper objects keep their kind and value': [
    () =>
      [Object(true), Object('text'), Object(4), Object(5n), Object(-0)].map(
        (value) => {
          const copy = structuredClone(value);
          return [
            copy !== value,
            Object.prototype.toString.call(copy),
            Object.is(copy.valueOf(), value.valueOf()),
          ];
        },
      ),
    [
      [true, '[object Boolean]', true],
      [true, '[object String]', true],
      [true, '[object Number]', true],
      [true, '[object BigInt]', true],
      [true, '[object Number]', true],
    ],
  ],
  'dates, also the invalid one': [
    () => [
      structuredClone(new Date(-1e13)).getTime(),
      Number.isNaN(structuredClone(new Date(Number.NaN)).getTime()),
    ],
    [-1e13, true],
  ],
  'expressions keep their flags and not their place': [
    () => {
      const from = /a(?<b>.)\//dgimsuy;
      from.lastIndex = 3;
      const to = structuredClone(from);
      return [to.source, to.flags, to.lastIndex, to instanceof RegExp];
    },
    ['a(?<b>.)\\/', 'dgimsuy', 0, true],
  ],
  'errors keep name, message, cause and stack of the known kinds': [
    () =>
      [
        Error,
        EvalError,
        RangeError,
        ReferenceError,
        SyntaxError,
        TypeError,
        URIError,
      ].map((Kind) => {
        const from = new Kind('m', { cause: 'c' });
        const to = structuredClone(from);
        return [
          to.name === Kind.name,
          to.message,
          to.cause,
          Object.getPrototypeOf(to) === Kind.prototype,
          to.stack === from.stack,
        ];
      }),
    Array.from({ length: 7 }, () => [true, 'm', 'c', true, true]),
  ],
  'errors of other names become plain ones, and lose what else they have': [
    () => {
      class Special extends TypeError {}
      const from = Object.assign(new Special('m'), { extra: 1, name: 'Odd' });
      const to = structuredClone(from);
      return [
        to.name,
        Object.getPrototypeOf(to) === Error.prototype,
        Object.hasOwn(to, 'extra'),
        Object.hasOwn(to, 'cause'),
      ];
    },
    ['Error', true, false, false],
  ],
  'the message of an error is an own property that is not enumerable': [
    () => {
      const to = structuredClone(new Error('m'));
      const { enumerable, writable } = Object.getOwnPropertyDescriptor(
        to,
        'message',
      );
      return [enumerable, writable, Object.hasOwn(to, 'name')];
    },
    [false, true, false],
  ],
  'symbols, functions and what holds them are refused': [
    () =>
      [Symbol('s'), () => {}, class {}, [Math.max], { a: Symbol.iterator }].map(
        (value) => thrown(() => structuredClone(value)),
      ),
    Array.from({ length: 5 }, () => 'DOM DataCloneError'),
  ],
  'the error of a refusal is of this realm, with its code': [
    () => {
      try {
        structuredClone(() => {});
        return undefined;
      } catch (error) {
        return [error instanceof DOMException, error.code, error.name];
      }
    },
    [true, 25, 'DataCloneError'],
  ],
  'weak things, promises and generators are refused': [
    () =>
      [
        new WeakMap(),
        new WeakSet(),
        new WeakRef({}),
        Promise.resolve(),
        (function* () {})(),
        new Proxy({}, {}),
      ].map((value) => thrown(() => structuredClone(value))),
    Array.from({ length: 6 }, () => 'DOM DataCloneError'),
  ],
});
